/** The bundled votes and endowment records would differ from their sources. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readYield } from '#explorer/stacks/yields/index.ts'
import { SIP031_ACTIVATION, SIP031_EMISSION } from '#kernel/sip031.ts'
import { ask } from '../ask.ts'
import { openSnapshotMetrics, type TestMetrics } from '../testing.ts'
import { RECORDS } from './insertRecords.ts'

let site: TestMetrics & { reload(): Promise<{ readonly isNew: boolean }> }
before(async () => {
  site = await openSnapshotMetrics()
})
after(() => site[Symbol.asyncDispose]())

const read = <Row>(sql: string) => ask<Row>(site.warehouse.reader, sql)
const one = async (sql: string) => (await read<Record<string, unknown>>(sql))[0]

test('ballots of each lane are there to the unit of the list', async () => {
  assert.deepEqual(
    await read(
      `SELECT sip, lane, toString(countIf(is_yes)) AS yes, toString(countIf(NOT is_yes)) AS no,
  toString(sum(power_ustx * is_yes)) AS yes_ustx, toString(sum(power_ustx * NOT is_yes)) AS no_ustx
FROM sip_votes GROUP BY sip, lane ORDER BY sip, toString(lane)`,
    ),
    [
      { sip: 21, lane: 'dao', yes: '2303', no: '16', yes_ustx: '1553301165679', no_ustx: '271344268' },
      { sip: 21, lane: 'pool', yes: '370', no: '0', yes_ustx: '16524829945820', no_ustx: '0' },
      { sip: 21, lane: 'solo', yes: '28', no: '0', yes_ustx: '159087747183500', no_ustx: '0' },
      { sip: 25, lane: 'signer', yes: '20', no: '0', yes_ustx: null, no_ustx: null },
      { sip: 27, lane: 'dao', yes: '157', no: '3', yes_ustx: '268674135265', no_ustx: '17893124' },
      { sip: 27, lane: 'pool', yes: '73', no: '0', yes_ustx: '65095556934829', no_ustx: '0' },
      { sip: 27, lane: 'solo', yes: '1', no: '0', yes_ustx: '3449000000000', no_ustx: '0' },
    ],
  )
  const repeated = await one(
    `SELECT toString(count()) AS voters, toString(sum(ballots)) AS ballots
FROM (SELECT count() AS ballots FROM sip_votes GROUP BY sip, lane, voter HAVING ballots > 1)`,
  )
  assert.deepEqual(repeated, { voters: '39', ballots: '85' })
})

test('what the text of SIP-031 states as a total is 503 STX less than its two sides, and SIP-033 adds up', async () => {
  assert.deepEqual(
    await read(
      `SELECT sip, lane, toString(toInt64(yes_stx) + no_stx - stated_stx) AS over FROM sip_results
WHERE sip > 30 ORDER BY sip, toString(lane)`,
    ),
    [
      { sip: 31, lane: 'all', over: '503' },
      { sip: 31, lane: 'liquid', over: '0' },
      { sip: 31, lane: 'stacked', over: '0' },
      { sip: 33, lane: 'all', over: '0' },
      { sip: 33, lane: 'liquid', over: '0' },
      { sip: 33, lane: 'stacked', over: '0' },
    ],
  )
})

test('stated totals of SIP-021 are its lanes, those of SIP-027 are 16 STX less; a lane of each is not its ballots', async () => {
  assert.deepEqual(
    await read(
      `SELECT sip, toString(sumIf(yes_stx + no_stx, lane != 'all')) AS lanes, toString(maxIf(stated_stx, lane = 'all')) AS stated
FROM sip_results WHERE sip < 30 GROUP BY sip ORDER BY sip`,
    ),
    [
      { sip: 21, lanes: '177166148', stated: '177166148' },
      { sip: 27, lanes: '118632247', stated: '118632231' },
    ],
  )
  const apart = await read(
    `SELECT r.sip AS sip, toString(r.lane) AS lane, toString(toInt64(r.yes_stx) - intDiv(v.yes, 1000000)) AS more
FROM sip_results AS r
INNER JOIN (SELECT sip, toString(lane) AS lane, sum(power_ustx * is_yes) AS yes FROM sip_votes GROUP BY sip, lane) AS v
  ON v.sip = r.sip AND v.lane = toString(r.lane)
WHERE r.yes_stx != intDiv(v.yes, 1000000) ORDER BY sip`,
  )
  assert.deepEqual(apart, [{ sip: 27, lane: 'pool', more: '49819000' }])
})

test('the endowment’s own address got 107,334,918.671866 STX and sent 23,410,000.4 STX', async () => {
  assert.deepEqual(
    await one(
      `SELECT toString(sumIf(in_amount, in_asset = 'STX')) AS came, toString(sumIf(out_amount, out_asset = 'STX')) AS went,
  toString((SELECT count() FROM sip031_flows)) AS rows, toString((SELECT uniqExact(txid) FROM sip031_flows)) AS txs
FROM sip031_flows WHERE account = 'SM1Z6BP8PDKYKXTZXXSKXFEY6NQ7RAM7DAEAYR045'`,
    ),
    { came: '107334918671866', went: '23410000400000', rows: '404', txs: '311' },
  )
})

test('the endowment’s first claim is half of the 200 million, one step of what vests, and 6,670 tenures at 475 STX', async () => {
  const [claim] = await read<{ ustx: string; height: string }>(
    `SELECT toString(in_amount) AS ustx, toString((
  SELECT max(height) FROM btc_block_stats WHERE block_time <= toDateTime('2025-09-18 13:56:35', 'UTC')
)) AS height
FROM sip031_flows WHERE detail = 'claim' AND in_asset = 'STX'`,
  )
  const { height, mintUstx, vestingUstx, vestingMonths, vestingStepBlocks } = SIP031_ACTIVATION
  const blocks = Number(claim!.height) - height
  const steps = BigInt(Math.floor(blocks / vestingStepBlocks))
  const byTenures =
    BigInt(claim!.ustx) - (mintUstx - vestingUstx) - (vestingUstx / BigInt(vestingMonths)) * steps
  assert.equal(steps, 1n)
  assert.equal(byTenures % SIP031_EMISSION[0].ustxPerTenure, 0n)
  const tenures = Number(byTenures / SIP031_EMISSION[0].ustxPerTenure)
  assert.equal(tenures, 6670)
  assert.ok(tenures <= blocks + 1, `${tenures} tenures in ${blocks + 1} Bitcoin blocks`)
})

test('members of the pool add up to what it states, but for the cycles in which it had two pools', async () => {
  const differing = await read<{ cycle: number }>(
    `WITH members AS (
  SELECT arrayJoin(range(from_cycle, to_cycle + 1)) AS cycle, sum(amount_ustx) AS ustx, count() AS members
  FROM pool_members GROUP BY cycle
),
stated AS (
  SELECT maxIf(amount, metric = 'pox.cycle') AS cycle, maxIf(amount, metric = 'pox.stacked') AS ustx
  FROM latest_observations WHERE entity = 'fast-pool' GROUP BY day
)
SELECT toUInt32(s.cycle) AS cycle FROM stated AS s
LEFT JOIN members AS m ON m.cycle = s.cycle
WHERE m.ustx != s.ustx ORDER BY cycle`,
  )
  assert.deepEqual(
    differing.map(({ cycle }) => cycle),
    [99, 100, 101],
  )
})

test('censuses keep their counts: stackers, signer managers, miners of CityCoins', async () => {
  assert.deepEqual(
    await read(
      `SELECT cycle, toString(count()) AS stackers, toString(sum(locked_ustx)) AS ustx FROM recorded_stackers GROUP BY cycle ORDER BY cycle`,
    ),
    [
      { cycle: 19, stackers: '361', ustx: '43932606302574' },
      { cycle: 20, stackers: '4119', ustx: '442251057311186' },
    ],
  )
  assert.deepEqual(
    await one(
      `SELECT toString(count()) AS managers, toString(countIf(lifecycle = 'active')) AS active,
  toString(countIf(is_in_cycle141)) AS in_141, toString(countIf(is_in_cycle142)) AS in_142 FROM pox5_signer_managers`,
    ),
    { managers: '47', active: '28', in_141: '26', in_142: '21' },
  )
  assert.deepEqual(
    await read(
      `SELECT city, toString(count()) AS miners, toString(round(sum(committed_ustx) / 1e6, 2)) AS stx FROM citycoin_miners
GROUP BY city ORDER BY toString(city)`,
    ),
    [
      { city: 'MIA', miners: '571', stx: '1208177.31' },
      { city: 'NYC', miners: '706', stx: '1067967.92' },
    ],
  )
})

test('records come once, also where a source’s figures are older than its table', async () => {
  const counts = () =>
    // Of people there are rows that no reader sees.
    ask(
      site.warehouse.writer,
      Object.values(RECORDS)
        .map(
          ({ table }) => `SELECT '${table.name}' AS name, toString(count()) AS rows FROM base.${table.name}`,
        )
        .join('\nUNION ALL '),
    )
  const sorted = async () => (await counts()).map(row => JSON.stringify(row)).sort()
  const before = await sorted()
  await site.reload()
  assert.deepEqual(await sorted(), before)
  await site.warehouse.writer.command({ query: 'TRUNCATE TABLE base.sip031_flows' })
  await site.reload()
  assert.deepEqual(await sorted(), before)
})

test('a member of a pool got its share of what the pool paid, to the micro-STX', async () => {
  const { rows, totals } = await readYield(site.warehouse.reader, 'SP3910KBW2WAXNDM5VXWGH0JR3JFD245YWM9BA5HE')
  assert.equal(totals.cycles, rows.length)
  const row = rows.find(({ cycle }) => cycle === 126)
  assert.ok(row?.stackedUstx)
  // Cycle 126 as the pool states it: 57,884,362.080855 STX stacked, 157,564.791334 paid, 50,555,050 sat swapped for 45,994,402.324472 STX.
  assert.deepEqual([row.way, row.via, row.basis], ['pool', 'fast-pool', 'share'])
  assert.equal(BigInt(row.paidUstx ?? 0), (157_564_791_334n * BigInt(row.stackedUstx)) / 57_884_362_080_855n)
  assert.equal(BigInt(row.earnedSat ?? 0), (50_555_050n * BigInt(row.stackedUstx)) / 45_994_402_324_472n)
  // In STX on STX, over the cycle’s measured time: 15 days within half of one.
  const paid = Number(row.paidUstx) / Number(row.stackedUstx)
  assert.ok(Math.abs((row.coinYear ?? 0) / ((paid * 365) / 15) - 1) < 1 / 30)
  const running = rows.find(({ cycle }) => cycle === 127)
  assert.deepEqual([running?.paidUstx, running?.basis, running?.yieldYear], [null, 'unknown', null])
  const known = rows.filter(({ yieldYear }) => yieldYear !== null)
  assert.ok(known.length > 50, `${known.length} cycles have a yield`)
  for (const { cycle, yieldYear } of known)
    assert.ok(yieldYear! > 0 && yieldYear! < 0.5, `cycle ${cycle}: ${yieldYear}`)
  assert.equal(String(rows.reduce((sum, { paidUstx }) => sum + BigInt(paidUstx ?? 0), 0n)), totals.paidUstx)
})
