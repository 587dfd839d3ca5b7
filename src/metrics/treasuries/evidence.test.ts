/** Grades of evidence for treasury holdings would be wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read, seriesOf } from './sharedHoldings.testing.ts'

/** Grade of a statement: its own, or that of a stronger one within 100 days that says the same or confirms it. */
function stableGrade(
  { day, sat, grade }: { day: string; sat: string; grade: string },
  ofHolder: readonly { day: string; sat: string; grade: string }[],
): string {
  const daysTo = (other: string) => (Date.parse(other) - Date.parse(day)) / 86_400_000
  const stronger = ofHolder.filter(one => one.grade < grade && Math.abs(daysTo(one.day)) <= 100)
  const before = stronger.findLast(one => one.day < day)
  const after = stronger.find(one => one.day > day)
  if (before?.sat === sat) return before.grade
  const [low, high] = [before?.sat ?? '0', after?.sat ?? '0'].map(BigInt).sort((a, b) => (a < b ? -1 : 1))
  const isBetween = BigInt(sat) * 20n >= (low ?? 0n) * 19n && BigInt(sat) * 20n <= (high ?? 0n) * 21n
  return after !== undefined && isBetween ? after.grade : grade
}

test('no holding of weight changes its grade of evidence and back within a quarter', async () => {
  const byGrade = Map.groupBy(await seriesOf('btc.by_evidence', 'bitcoin'), ({ key }) => key)
  const most = 100_000n * 100_000_000n
  for (const [grade, points] of byGrade)
    for (const [index, { day, value }] of points.entries()) {
      const later = points.slice(index + 1, index + 91).map(one => BigInt(one.value))
      const fall = later.findIndex(one => BigInt(value) - one > most)
      const isBack = fall >= 0 && later.slice(fall).some(one => one - (later[fall] ?? 0n) > most)
      assert.ok(!isBack, `${grade} falls and rises again within 90 days of ${day}`)
    }
})

test('the grades of evidence add up to what is held, each holder in that of its newest statement', async () => {
  const totals = new Map<string, bigint>()
  for (const { day, value } of await seriesOf('btc.held', 'bitcoin'))
    totals.set(day, (totals.get(day) ?? 0n) + BigInt(value))
  const graded = await seriesOf('btc.by_evidence', 'bitcoin')
  // Filings are recorded up to then; the next announcement of Strategy may be filed or not.
  assert.equal(graded.at(-1)?.day, '2026-03-15')
  assert.deepEqual(
    graded.filter(({ value }) => BigInt(value) === 0n),
    [],
  )
  const sums = new Map<string, bigint>()
  for (const { day, value } of graded) sums.set(day, (sums.get(day) ?? 0n) + BigInt(value))
  assert.deepEqual(sums, new Map([...totals].filter(([day]) => day <= '2026-03-15')))
  const held = await read<{ entity: string; day: string; grade: string; sat: string }>(
    "SELECT h.entity AS entity, toString(h.day) AS day, h.grade AS grade, toString(h.held_sat) AS sat FROM treasury_held AS h INNER JOIN treasury_holders AS t ON t.entity = h.entity WHERE t.kind != 'etf' ORDER BY h.day",
  )
  const ofHolder = Map.groupBy(held, ({ entity }) => entity)
  for (const { day, key, value } of graded.filter((_, index) => index % 37 === 0)) {
    const last = new Map<string, (typeof held)[number]>()
    for (const said of held) if (said.day <= day) last.set(said.entity, said)
    const sum = [...last.values()]
      .filter(one => stableGrade(one, ofHolder.get(one.entity) ?? []) === key)
      .reduce((total, { sat }) => total + BigInt(sat), 0n)
    assert.equal(BigInt(value), sum, `${key} on ${day}`)
  }
})
