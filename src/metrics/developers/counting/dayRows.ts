import type { ColumnsOf } from '#kernel/table.ts'
import type { devDays } from '#warehouse/tables/developers.ts'
import type { Scope } from '../scope.ts'
import { filled, textColumn } from './columns.ts'
import { FIGURES, LINE, type Tallies } from './tallies.ts'

/** From which day an ecosystem is counted, in one of the ways, and until which: numbers from the first of all. */
type Stretch = {
  readonly tallies: Tallies
  readonly ecosystem: number
  readonly from: number
  readonly to: number
}

const COUNTS = [
  'daily',
  'monthly',
  'fullTime',
  'partTime',
  'oneTime',
  'newcomers',
  'returned',
  'leavers',
  'firstYear',
  'secondYear',
  'longer',
  'repositories',
  'commits',
  'merges',
  'bots',
  'offClock',
  'copies',
] as const

/** The counts of every day, from its first commit to its last whole one, by ecosystem and way of counting. */
export function dayColumns(
  ways: readonly { readonly tallies: Tallies; readonly firstDays: ReadonlyMap<number, number> }[],
  { run, ecosystems }: Scope,
): ColumnsOf<typeof devDays> {
  const stretches = ecosystems.flatMap(({ end }, ecosystem) =>
    ways.flatMap(({ tallies, firstDays }): Stretch[] => {
      const from = firstDays.get(ecosystem)
      const to = end - tallies.days.first
      return from === undefined || from > to ? [] : [{ tallies, ecosystem, from, to }]
    }),
  )
  const rowCount = stretches.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  const text = (of: (ecosystem: Scope['ecosystems'][number]) => string) =>
    textColumn(
      stretches.map(({ ecosystem, from, to }) => ({ text: of(ecosystems[ecosystem]!), rows: to - from + 1 })),
    )
  const counts = Object.fromEntries(COUNTS.map(name => [name, new Uint32Array(rowCount)])) as Record<
    (typeof COUNTS)[number],
    Uint32Array
  >
  const isRaw = new Uint8Array(rowCount)
  const day = new Uint16Array(rowCount)
  const isYoung = new Uint8Array(rowCount)
  const isPartial = new Uint8Array(rowCount)
  const readAt = new Uint32Array(rowCount)
  let row = 0
  for (const stretch of stretches) {
    const { tallies, ecosystem, from, to } = stretch
    const of = ecosystems[ecosystem]!
    writeCounts(counts, row, stretch)
    for (let here = from; here <= to; here += 1) {
      const date = here + tallies.days.first
      isRaw[row] = Number(tallies.isRaw)
      day[row] = date
      isYoung[row] = Number(date < of.youngUntil)
      isPartial[row] = Number(date > of.wholeUntil)
      readAt[row] = of.readAt
      row += 1
    }
  }
  return {
    rowCount,
    run: filled(BigInt(run), rowCount),
    ecosystem: text(({ name }) => name),
    isRaw,
    day,
    ...counts,
    isYoung,
    isPartial,
    readAt,
    source: text(({ source }) => source),
  }
}

function writeCounts(
  counts: Record<(typeof COUNTS)[number], Uint32Array>,
  firstRow: number,
  { tallies: { isRaw, onDays, lines, days }, ecosystem, from, to }: Stretch,
): void {
  const sums = new Int32Array(LINE)
  let line = ecosystem * days.count * LINE
  // No commit is older than the first day, and no count changes before.
  line += from * LINE
  for (let row = firstRow; row <= firstRow + to - from; row += 1, line += LINE) {
    // Past the last commit and what follows from it, nothing changes any more.
    const isWithin = line < (ecosystem + 1) * days.count * LINE
    const on = (figure: number): number => (isWithin ? lines[line + figure]! : 0)
    const commits = isWithin ? onDays[(line / LINE) * 2 + 1]! : 0
    for (let figure: number = FIGURES.fullTime; figure <= FIGURES.repositories; figure += 1)
      sums[figure]! += on(figure)
    const [fullTime, regular] = [sums[FIGURES.fullTime]!, sums[FIGURES.regular]!]
    // Whoever is active came some time ago.
    const monthly = sums[FIGURES.firstYear]! + sums[FIGURES.secondYear]! + sums[FIGURES.longer]!
    const [merges, bots] = [on(FIGURES.merges), on(FIGURES.bots)]
    const offClock = on(FIGURES.offClock)
    counts.daily[row] = isWithin ? onDays[(line / LINE) * 2]! : 0
    counts.monthly[row] = monthly
    counts.fullTime[row] = fullTime
    counts.partTime[row] = regular - fullTime
    counts.oneTime[row] = monthly - regular
    counts.newcomers[row] = on(FIGURES.newcomers)
    counts.returned[row] = on(FIGURES.returned)
    counts.leavers[row] = on(FIGURES.leavers)
    counts.firstYear[row] = sums[FIGURES.firstYear]!
    counts.secondYear[row] = sums[FIGURES.secondYear]!
    counts.longer[row] = sums[FIGURES.longer]!
    counts.repositories[row] = sums[FIGURES.repositories]!
    counts.commits[row] = commits
    counts.merges[row] = merges
    counts.bots[row] = bots
    counts.offClock[row] = offClock
    counts.copies[row] = isRaw ? 0 : on(FIGURES.all) - merges - bots - offClock - commits
  }
}
