/** Treasury holdings, mNAV and dilution would be wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv } from '#sources/csv.ts'
import { observations } from '#warehouse/tables/observations.ts'
import { treasuryStatementsTable } from '#warehouse/tables/treasuries.ts'
import { loadTreasuries } from '../snapshot/loadTreasuries.ts'
import { readManifest, readSnapshotFile } from '../snapshot/manifest.ts'
import { SNAPSHOT_DIR } from '../testing.ts'
import { catalog, metrics, on, read, seriesOf, site } from './sharedHoldings.testing.ts'

test('what filings state is held to the unit', async () => {
  // Form 8-K of 2026-03-09, accession 0001193125-26-097598: 738,731 BTC.
  assert.equal(await on('btc.held', 'strategy', '2026-03-08'), '73873100000000')
  // Form 8-K of 2020-08-11, accession 0001193125-20-215604: the first purchase, 21,454 BTC for 250 million dollars.
  assert.equal(await on('btc.held', 'strategy', '2020-08-11'), '2145400000000')
  assert.equal(await on('cost.average', 'strategy', '2020-08-11'), 250_000_000 / 21_454)
  // Purchases of Metaplanet add up to its stated total to 0.01 BTC.
  const [sum] = await read<{ sat: string }>(
    "SELECT toString(sum(delta_sat)) AS sat FROM treasury_events WHERE entity = 'metaplanet'",
  )
  assert.equal(sum?.sat, '3510201000000')
  assert.equal(await on('btc.held', 'metaplanet', '2025-12-30'), '3510200000000')
})

test('what funds hold is what their reports state, and stands in no total of holders', async () => {
  // Forms 10-Q of 2026-06-30: IBIT 734,261, FBTC 174,383, ARKB 32,178.2280, BITB 36,207.6919 BTC.
  const stated = {
    ibit: '73426100000000',
    fbtc: '17438300000000',
    arkb: '3217822800000',
    bitb: '3620769190000',
  }
  for (const [fund, sat] of Object.entries(stated))
    assert.equal(await on('btc.held', `${fund}-etf`, '2026-06-30'), sat)
  const funds = new Map(catalog.treasuries.map(({ id, ticker = '' }) => [id, ticker]))
  const drawn = await seriesOf('etf.holdings', 'bitcoin')
  assert.deepEqual(
    drawn.map(({ day, key, value }) => [day, key, String(value)]).sort(),
    Object.entries(stated)
      .map(([fund, sat]) => ['2026-06-30', funds.get(`${fund}-etf`), sat])
      .sort(),
  )
  const kinds = new Set((await seriesOf('btc.held', 'bitcoin')).map(({ key }) => key))
  assert.deepEqual([...kinds].sort(), ['company', 'government', 'miner'])
})

test('a later report of the SEC is evidence of its own, and one of the same day stands beside what the catalogue says', async () => {
  const observed = { metric: 'btc.held', entity: 'ibit-etf', value: null, source: 'sec.facts' }
  const report = (day: string, accession: string, amount: bigint, observedAt: number) => ({
    ...observed,
    day,
    breakdown: `sec:${accession}`,
    amount,
    observedAt,
  })
  const seenAt = Date.parse('2026-11-10T00:00:00Z') / 1000
  await site.warehouse.insertRows(observations, [
    report('2026-06-30', '0001437749-26-026004', 73_426_100_000_000n, seenAt),
    report('2026-09-30', '0001437749-26-030000', 70_000_000_000_000n, seenAt),
    // The next report says otherwise of the same day.
    report('2026-09-30', '0001437749-27-000001', 70_000_100_000_000n, seenAt + 60),
  ])
  const said = await read<{ day: string; sat: string; others: string; ref: string }>(
    "SELECT toString(day) AS day, toString(held_sat) AS sat, toString(others) AS others, ref FROM treasury_held WHERE entity = 'ibit-etf' ORDER BY day",
  )
  assert.deepEqual(
    said.map(({ day, sat, others }) => [day, sat, others]),
    [
      ['2026-06-30', '73426100000000', '0'],
      ['2026-09-30', '70000100000000', '0'],
    ],
  )
  assert.equal(said[1]?.ref, 'sec:0001437749-27-000001')
})

test('the lenses of mNAV, worked by hand for Strategy on 2025-06-30', async () => {
  const [close, btc] = [404.23, 107_146.5]
  const [held, shares] = [597_325, 280_958_250]
  const [given] = await read<Record<string, unknown>>(
    "SELECT close_usd, btc_usd, held_sat, shares, debt_usd, preferred_usd, cash_usd FROM treasury_market_days WHERE entity = 'strategy' AND day = '2025-06-30'",
  )
  assert.deepEqual(
    { close: given?.close_usd, btc: given?.btc_usd, held: given?.held_sat, shares: given?.shares },
    { close, btc, held: `${held}00000000`, shares: String(shares) },
  )
  const stated = {
    debt: Number(given?.debt_usd),
    preferred: Number(given?.preferred_usd),
    cash: Number(given?.cash_usd),
  }
  const nav = held * btc
  // Convertibles of Strategy in force that day: those of 2020, March and June and September and November 2024, February 2025.
  const converts = [
    { shares: 16_331_658, face: 650_000_000 },
    { shares: 5_341_600, face: 800_000_000 },
    { shares: 2_594_314, face: 603_750_000 },
    { shares: 3_915_200, face: 800_000_000 },
    { shares: 5_513_403, face: 1_010_000_000 },
    { shares: 4_462_998, face: 3_000_000_000 },
    { shares: 4_614_400, face: 2_000_000_000 },
  ]
  const more = converts.reduce((sum, each) => sum + each.shares, 0)
  const face = converts.reduce((sum, each) => sum + each.face, 0)
  const near = async (id: string, expected: number) => {
    const value = Number(await on(id, 'strategy', '2025-06-30'))
    assert.ok(Math.abs(value / expected - 1) < 1e-9, `${id} is ${value}, not ${expected}`)
  }
  await near('mnav.basic', (close * shares) / nav)
  await near('mnav.diluted', (close * (shares + more)) / nav)
  await near('mnav.ev', (close * shares + stated.debt + stated.preferred - stated.cash) / nav)
  await near(
    'mnav.ev_if_converted',
    (close * (shares + more) + Math.max(stated.debt - face, 0) + stated.preferred - stated.cash) / nav,
  )
})

test('what dilutes a share of Strategy on 2025-06-30, step by step, ends at satoshis a diluted share', async () => {
  const [held, basic, converts] = [597_325e8, 280_958_250, 42_773_573]
  const steps = (await seriesOf('sats.dilution', 'strategy')).filter(({ day }) => day === '2025-06-30')
  const step = (kind: string) => Number(steps.find(({ key }) => key === kind)?.value)
  assert.equal(step('basic'), held / basic)
  assert.ok(Math.abs(step('convertible') - (held / (basic + converts) - held / basic)) < 1e-6)
  const diluted = Number(await on('sats.per_share', 'strategy', '2025-06-30', 'diluted'))
  const left = steps.reduce((sum, { value }) => sum + Number(value), 0)
  assert.ok(Math.abs(left / diluted - 1) < 1e-12, `${left}, not ${diluted}`)
  const daysOf = async (id: string, key: string) =>
    (await seriesOf(id, 'strategy')).filter(row => row.key === key).map(({ day }) => day)
  assert.deepEqual(await daysOf('sats.dilution', 'basic'), await daysOf('sats.per_share', 'basic'))
})

for (const entity of ['strategy', 'bitcoin'])
  test(`with blocks since a halving alone nobody knows what was issued, and a share of it is a gap: ${entity}`, async () => {
    const rows = await seriesOf('supply.share', entity)
    assert.ok(rows.length > 0)
    assert.deepEqual(
      rows.filter(({ key }) => key === 'issued'),
      [],
    )
  })

test('BTC yield and days to cover follow from satoshis a share, computed again here', async () => {
  const perShare = (await seriesOf('sats.per_share', 'strategy')).filter(({ key }) => key === 'basic')
  const yields = await seriesOf('btc.yield', 'strategy')
  const mnav = new Map(
    (await seriesOf('mnav.basic', 'strategy')).map(({ day, value }) => [day, Number(value)]),
  )
  const covers = new Map(
    (await seriesOf('days_to_cover.mnav', 'strategy')).map(({ day, value }) => [day, Number(value)]),
  )
  assert.ok(yields.length > 1000)
  for (const { day, value } of yields) {
    const now = perShare.find(row => row.day === day)
    const back = new Date(Date.parse(day) - 90 * 86_400_000).toISOString().slice(0, 10)
    const then = perShare.findLast(row => row.day <= back)
    const expected = Number(now?.value) / Number(then?.value) - 1
    assert.ok(Math.abs(Number(value) - expected) < 1e-9, `${day}: ${value}, not ${expected}`)
    const premium = mnav.get(day) ?? 0
    const daily = (1 + expected) ** (1 / 90) - 1
    const cover = premium > 1 && expected > 0 ? Math.log(premium) / Math.log(1 + daily) : undefined
    if (cover === undefined) assert.ok(!covers.has(day), `${day} has days to cover`)
    else
      assert.ok(
        Math.abs((covers.get(day) ?? Number.NaN) / cover - 1) < 1e-6,
        `${day}: ${covers.get(day)}, not ${cover}`,
      )
  }
})

test('what kinds of holders have is the sum of what each said last', async () => {
  const kinds = await seriesOf('btc.held', 'bitcoin')
  const held = await read<{ kind: string; entity: string; day: string; sat: string }>(
    'SELECT t.kind AS kind, h.entity AS entity, toString(h.day) AS day, toString(h.held_sat) AS sat FROM treasury_held AS h INNER JOIN treasury_holders AS t ON t.entity = h.entity ORDER BY h.day',
  )
  for (const { day, key, value } of kinds.filter((_, index) => index % 37 === 0)) {
    const last = new Map<string, bigint>()
    for (const said of held) if (said.kind === key && said.day <= day) last.set(said.entity, BigInt(said.sat))
    const sum = [...last.values()].reduce((total, each) => total + each, 0n)
    assert.equal(BigInt(value), sum, `${key} on ${day}`)
  }
})

test('a share count that does not belong to the price gives no mNAV, and says why', async () => {
  assert.deepEqual(await seriesOf('mnav.basic', 'strive-inc'), [])
  const why = catalog.treasuries.find(({ id }) => id === 'strive-inc')?.noMnav
  assert.match(why ?? '', /reverse split/)
  // Bitcoin bought since the last share count: the count is no longer that of the day.
  assert.equal(await on('mnav.basic', 'strategy', '2026-06-16'), undefined)
})

test('a correction stands beside what it corrects, and every figure follows it', async () => {
  const { warehouse } = site
  const before = await on('btc.held', 'kulr', '2025-12-30')
  assert.equal(before, '102100000000')
  const row = {
    entity: 'kulr',
    day: '2025-12-30',
    shares: null,
    debtUsd: null,
    preferredUsd: null,
    cashUsd: null,
    grade: 'B' as const,
    ref: 'test',
    said: '',
    position: 0,
    source: 'treasuries.statements',
  }
  const recordedAt = Date.parse('2026-09-01T00:00:00Z') / 1000
  await warehouse.insertRows(treasuryStatementsTable, [{ ...row, heldSat: 100_000_000_000n, recordedAt }])
  assert.equal(await on('btc.held', 'kulr', '2025-12-30'), '100000000000')
  const both = await read<{ sat: string; is_corrected: number }>(
    "SELECT toString(held_sat) AS sat, is_corrected FROM treasury_statements WHERE entity = 'kulr' AND day = '2025-12-30' ORDER BY recorded_at",
  )
  assert.deepEqual(
    both.map(({ sat, is_corrected }) => [sat, Boolean(Number(is_corrected))]),
    [
      ['102100000000', true],
      ['100000000000', false],
    ],
  )
})

test('a catalogue that says nothing new is not loaded again; one that does is seen whole', async () => {
  assert.equal(await loadTreasuries(site.warehouse, catalog), 0)
  const [first, ...rest] = catalog.treasuries
  assert.ok(first)
  const treasuries = [{ ...first, name: 'Renamed' }, ...rest.slice(0, 3)]
  assert.equal(await loadTreasuries(site.warehouse, { treasuries }), 4)
  const held = await read<{ name: string }>('SELECT name FROM treasury_holders ORDER BY entity')
  assert.deepEqual(held.map(({ name }) => name).includes('Renamed'), true)
  assert.equal(held.length, 4)
  assert.equal(await loadTreasuries(site.warehouse, catalog), catalog.treasuries.length)
})

test('flows of funds add up to the total that their list states, on each trading day of it', async () => {
  // The exchange was closed: Thanksgiving, Christmas, New Year, King, Good Friday, Memorial and Independence Day.
  const closed = [
    '2025-11-27',
    '2025-12-25',
    '2026-01-01',
    '2026-01-19',
    '2026-04-03',
    '2026-05-25',
    '2026-07-03',
  ]
  const { files } = await readManifest(SNAPSHOT_DIR)
  const file = files.find(({ source }) => source === 'etf.flows')
  assert.ok(file)
  const text = (await readSnapshotFile(SNAPSHOT_DIR, file)).toString('utf8')
  const stated = [...parseCsv(text, ['date', 'total_flow_musd'], file.path)].map(
    ({ date, total_flow_musd: total }) => [date, Math.round(Number(total) * 1e6)] as const,
  )
  const ours = await read<{ day: string; usd: string; funds: string }>(
    "SELECT toString(day) AS day, toString(toInt64(sum(ifNull(value, toFloat64(amount))))) AS usd, toString(uniqExact(key)) AS funds FROM latest_observations WHERE metric = 'etf.flow' AND source = 'etf.flows' GROUP BY day ORDER BY day",
  )
  assert.ok(ours.length > 600 && ours.slice(0, -1).every(({ funds }) => Number(funds) >= 10))
  assert.deepEqual(
    ours.map(({ day, usd }) => [day, Number(usd)]),
    stated.filter(([day]) => !closed.includes(day)),
  )
})

test('a fund that has not reported yet has no flow, and the total of its day is no figure', async () => {
  const points = await site.metrics.series({ id: 'etf.flow', entity: 'bitcoin', from: '2026-08-20' })
  const on = (day: string) => points.points.filter(point => point.day === day)
  // Recorded on the 22nd: the list has 0 for six funds on the 21st.
  assert.deepEqual([on('2026-08-20').length, on('2026-08-21').length], [12, 6])
  assert.ok(!on('2026-08-21').some(({ key, value }) => key === 'IBIT' || Number(value) === 0))
  assert.deepEqual(
    ['2026-08-20', '2026-08-21'].map(day => [...new Set(on(day).map(({ state }) => state))]),
    [['whole'], ['incomplete']],
  )
  const { point } = await site.metrics.figure({ id: 'etf.flow', entity: 'bitcoin', changeRange: '1y' })
  assert.deepEqual([point?.day, Math.round(Number(point?.value))], ['2026-08-20', 606_300_000])
  // A fund of April 2026 has no flows of 2024.
  const [first] = (await site.metrics.series({ id: 'etf.flow', entity: 'bitcoin' })).points.filter(
    ({ key }) => key === 'MSBT',
  )
  assert.equal(first?.day, '2026-04-08')
})

test('an address that is none stops the loading with file and field, and nothing of it is seen', async () => {
  const [first] = catalog.treasuries
  assert.ok(first)
  const treasuries = [{ ...first, addresses: ['1BoatSLRHtKNngkdXEeobR76b53LETtpyT', '1NoAddress'] }]
  await assert.rejects(loadTreasuries(site.warehouse, { treasuries }), {
    code: 'catalog.invalid',
    message: new RegExp(`^catalog/treasuries/${first.id}\\.json, addresses\\.1: `),
  })
  const [held] = await read<{ n: string }>('SELECT toString(count()) AS n FROM treasury_holders')
  assert.equal(held?.n, String(catalog.treasuries.length))
})

test('all holders together: their share of the cap, what a month brought, and on which side of one their shares stand', async () => {
  const sums = new Map<string, bigint>()
  for (const { day, value } of await seriesOf('btc.held', 'bitcoin'))
    sums.set(day, (sums.get(day) ?? 0n) + BigInt(value))
  const shares = (await seriesOf('supply.share', 'bitcoin')).filter(({ key }) => key === 'cap')
  assert.equal(shares.length, sums.size)
  for (const { day, value } of shares)
    assert.ok(Math.abs(Number(value) - Number(sums.get(day)) / 21e14) < 1e-12, `${day}: ${value}`)

  const changes = await seriesOf('btc.change', 'bitcoin')
  const months = await seriesOf('btc.change_30d', 'bitcoin')
  assert.ok(months.length > 1000)
  const begin = Date.parse(changes[0]?.day ?? '')
  assert.equal(
    Date.parse(months[0]?.day ?? ''),
    begin + 29 * 86_400_000,
    'a sum of 30 days begins with 30 days',
  )
  for (const { day, value } of months.filter((_, index) => index % 41 === 0)) {
    const first = new Date(Date.parse(day) - 29 * 86_400_000).toISOString().slice(0, 10)
    const sum = changes
      .filter(row => row.day >= first && row.day <= day)
      .reduce((total, row) => total + BigInt(row.value), 0n)
    assert.equal(BigInt(value), sum, day)
  }
  // The first record of purchases that ends is that of a company which said nothing after September 2025.
  for (const rows of [changes, months]) {
    const whole = rows.filter(({ state }) => state === 'whole').map(({ day }) => day)
    const incomplete = rows.filter(({ state }) => state === 'incomplete').map(({ day }) => day)
    assert.deepEqual([whole.at(-1), (incomplete[0] ?? '') > '2025-09-30'], ['2025-09-30', true])
    assert.equal(incomplete.at(-1), '2026-06-15')
  }

  const companies = catalog.treasuries
    .filter(({ kind, mainBusiness }) => kind === 'company' && mainBusiness === undefined)
    .map(({ id }) => id)
  const quoted = metrics.find(({ id }) => id === 'mnav.basic')?.entities ?? []
  const sides = new Map<string, { below: number; above: number }>()
  for (const entity of companies.filter(id => quoted.includes(id)))
    for (const { day, value } of await seriesOf('mnav.basic', entity)) {
      const side = sides.get(day) ?? { below: 0, above: 0 }
      side[Number(value) < 1 ? 'below' : 'above'] += 1
      sides.set(day, side)
    }
  const told = await seriesOf('mnav.companies', 'bitcoin')
  assert.equal(told.length, sides.size * 2)
  for (const { day, key, value } of told)
    assert.equal(Number(value), sides.get(day)?.[key as 'below' | 'above'], `${key} on ${day}`)
})
