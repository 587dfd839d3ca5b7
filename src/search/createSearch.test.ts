/** The search would miss what a user means or break on a typo. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { testCatalog } from '#catalog/testing.ts'
import { createSearch, type Search } from './createSearch.ts'
import { entriesOf, type NamedPage } from './entriesOf.ts'

const PAGES: readonly NamedPage[] = [
  { path: '/bitcoin', label: 'Bitcoin', kind: 'layer', entity: 'bitcoin' },
  { path: '/stacks', label: 'Stacks', kind: 'layer', entity: 'stacks' },
  { path: '/rootstock', label: 'Rootstock', kind: 'layer', entity: 'rootstock' },
  { path: '/stacks/sip-031', label: 'SIP-031', kind: 'page', within: 'Stacks' },
  { path: '/stacks/stacking', label: 'Stacking', kind: 'page' },
  { path: '/stacking-dao', label: 'StackingDAO', kind: 'application' },
  { path: '/zest', label: 'Zest', kind: 'application' },
  { path: '/welsh', label: 'Welshcorgicoin', kind: 'page' },
  { path: '/tvl', label: 'TVL', kind: 'page' },
  { path: '/analyze/bitcoin-treasuries', label: 'Bitcoin Treasuries', kind: 'page' },
]
const METRICS = [
  ['miners.hashrate', 'Hashrate', 'chain', ['bitcoin']],
  ['miners.pool_hashrate', 'Hashrate as pools state it', 'chain', ['bitcoin']],
  ['fees.total', 'Fees paid', 'chain', ['bitcoin']],
  ['fees.total', 'Fees paid', 'layer', ['stacks', 'rootstock']],
  ['tvl.total', 'TVL', 'layer', ['stacks', 'rootstock']],
  ['btc.held', 'Bitcoin held', 'treasury', ['strategy']],
] as const

let search: Search
before(async () => {
  search = await createSearch(
    entriesOf({
      catalog: await testCatalog(),
      content: {
        guides: [{ name: 'sql', title: 'SQL', summary: 'How to ask' }],
        reports: [
          { key: 'bids', title: 'Bids against rewards', summary: 'What miners bid', topic: 'Stacks' },
        ],
      },
      pages: PAGES,
      metrics: METRICS.map(([id, name, entityKind, entities]) => ({
        id,
        name,
        entityKind,
        entities,
        definition: `${name} of the UTC day.`,
      })),
      tables: [{ table: 'btc_blocks', about: 'Blocks of Bitcoin' }],
    }),
  )
})

const best = (asked: string): string | undefined => search.find(asked, 5).hits[0]?.entry.path

describe('what is meant stands first', () => {
  for (const [asked, path] of [
    ['stack', '/stacks'],
    ['stacks', '/stacks'],
    ['bi', '/bitcoin'],
    ['mstr', '/analyze/bitcoin-treasuries/strategy'],
    ['microstrategy', '/analyze/bitcoin-treasuries/strategy'],
    ['tvl', '/tvl'],
    ['zest', '/zest'],
    ['sip 31', '/stacks/sip-031'],
    ['sip031', '/stacks/sip-031'],
    ['stacking dao', '/stacking-dao'],
    ['treasury', '/analyze/bitcoin-treasuries'],
    ['hashrat', '/bitcoin?assay=miners.hashrate@bitcoin'],
    ['hashrate bitcoin', '/bitcoin?assay=miners.hashrate@bitcoin'],
    ['fees rootstock', '/rootstock?assay=fees.total@rootstock'],
    ['FEES PAID stacks', '/stacks?assay=fees.total@stacks'],
    ['mstr held', '/analyze/bitcoin-treasuries/strategy?assay=btc.held@strategy'],
    ['bids against', '/reports/bids'],
    ['btc_bl', '/documentation/tables/btc_blocks'],
    ['mvrv', '/analyze/alpha21?signal=mvrv'],
    ['welsh', '/welsh'],
  ] as const)
    test(`${asked} → ${path}`, () => assert.equal(best(asked), path))

  for (const [asked, path] of [
    ['rotstock', '/rootstock'],
    ['bitcion', '/bitcoin'],
    ['rotst', '/rootstock'],
    ['stackign dao', '/stacking-dao'],
    ['hashrte', '/bitcoin?assay=miners.hashrate@bitcoin'],
  ] as const)
    test(`a slip is forgiven: ${asked} → ${path}`, () => assert.equal(best(asked), path))

  test('a ticker with a letter too few gives the token that has it', () => {
    assert.equal(search.find('stsx', 5).hits[0]?.entry.label, 'Stacked STX Token, stSTX')
  })
})

test('marked letters are those that were typed, and a word that was only meant as a whole', () => {
  const marked = (asked: string) => {
    const [hit] = search.find(asked, 1).hits
    return hit?.marks.map(({ from, to }) => hit.entry.label.slice(from, to))
  }
  assert.deepEqual(marked('stack'), ['Stack'])
  assert.deepEqual(marked('mstr'), ['MSTR'])
  assert.deepEqual(marked('sip 31'), ['SIP', '031'])
  assert.deepEqual(marked('rotstock'), ['Rootstock'])
  assert.deepEqual(marked('treasury'), ['Treasuries'])
})

test('each place is listed once, and the count is of all that answer', () => {
  const { hits, total } = search.find('bitcoin', 10)
  assert.equal(hits.length, 10)
  assert.ok(total > 10)
  const { hits: all } = search.find('welsh', 100)
  assert.equal(all.filter(({ entry }) => entry.path === '/welsh').length, 1)
})

test('what nothing is called gives the names that are most like it', () => {
  for (const asked of ['constructor', 'zzzzqq', 'qqqqwwww']) {
    const { hits, nearest } = search.find(asked, 5)
    assert.deepEqual(hits, [], asked)
    assert.equal(nearest.length, 3, asked)
  }
})

test('no text is refused, and none takes more than its first words', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 400 })), asked => {
      const { hits, total } = search.find(asked, 7)
      assert.ok(hits.length <= 7 && hits.length <= total)
      for (const { entry, marks } of hits)
        for (const { from, to } of marks) assert.ok(from < to && to <= entry.label.length)
    }),
    { numRuns: 300 },
  )
  for (const asked of ['', ' \u0000\u0007', '(.*[', '\\', 'toString', '*'.repeat(5_000), 'a '.repeat(50_000)])
    assert.ok(search.find(asked, 5).hits.length <= 5, asked.slice(0, 20))
})
