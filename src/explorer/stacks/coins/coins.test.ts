/** A token’s page would show wrong holders, trades or warnings. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG_DIR, testCatalog } from '#catalog/testing.ts'
import type { StacksEvent } from '#chains/stacks/index.ts'
import { tokenFlagsSql } from '#metrics/apps/tokenFlags.ts'
import { ask } from '#metrics/ask.ts'
import { bitflowPool, WELSH } from '#metrics/dex/madeDex.testing.ts'
import { decideStacks, type MadeStacksBlock, moved, writeMadeStacks } from '#metrics/madeStacks.testing.ts'
import { openEmptyMetrics, type TestMetrics } from '#metrics/testing.ts'
import { stxTokens } from '#warehouse/tables/stacksTokens.ts'
import { createStacksExplorer } from '../index.ts'
import { readSentences } from '../sentences/index.ts'
import { publicFunctions, tokenFlags } from './safety.ts'

const [ANNA, BEN, CARL] = [
  'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7',
  'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B',
  'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE',
] as const
const POOL = 'SM1793C4R5PZ4NS4VQ4WMP7SKKYVH8JZEWSZ9HCCR.xyk-pool-welsh-stx-v-1-1'
const ASSET = `${WELSH}::welshcorgicoin`
const LIAR = `${CARL}.sbtc`
const SPAM = `${CARL}.gift`
const START = Date.UTC(2026, 4, 1) / 1000
const WELSHES = 1_000_000n

type Body = StacksEvent['body']
/** The pool’s events with WELSH under the name that its contract gives it. */
const named = (events: readonly Body[]): Body[] =>
  events.map(event =>
    event.kind === 'transfer' && event.asset?.startsWith(WELSH) ? { ...event, asset: ASSET } : event,
  )
const block = (height: number, ...txs: NonNullable<MadeStacksBlock['txs']>): MadeStacksBlock => ({
  height,
  timeS: START + height * 3600,
  burnHeight: 900_000 + height,
  txs,
  ...(height === 1 && { contracts: [WELSH, LIAR] }),
})

const pool = bitflowPool(POOL, [WELSH, 'STX'])
const BLOCKS: MadeStacksBlock[] = [
  block(1, {
    name: 'made',
    events: [
      moved({ asset: ASSET, to: ANNA, amount: 2000n * WELSHES }),
      moved({ asset: ASSET, from: ANNA, to: BEN, amount: 300n * WELSHES }),
      moved({ asset: ASSET, from: ANNA, to: CARL, amount: 100n * WELSHES }),
      moved({ asset: `${LIAR}::sbtc`, to: CARL, amount: 5n }),
    ],
  }),
  block(2, { name: 'pool', events: named(pool.create(ANNA, 1000n * WELSHES, 500_000_000n)) }),
  block(3, {
    name: 'gifts',
    events: Array.from({ length: 60 }, (_, at) =>
      moved({ asset: `${SPAM}::gift`, from: CARL, to: `${BEN}.c${at}`, amount: 1n }),
    ),
  }),
]
const LATER: MadeStacksBlock[] = [
  block(4, { name: 'bought', events: named(pool.swap(BEN, 'y', 10_000_000n)) }),
  block(5, { name: 'sold', events: named(pool.swap(CARL, 'x', 5n * WELSHES)) }),
]

let site: TestMetrics
/** A fresh reading: what is kept for a minute is not what is tested. */
const coinsOf = async (kind: 'meme' | 'stable' = 'meme') => {
  await site.metrics.refreshRollups()
  return createStacksExplorer(
    site.warehouse.reader,
    () => readSentences(CATALOG_DIR),
    await testCatalog(),
  ).coins(kind)
}
/** The newest value of a figure of WELSH. */
const figure = async (id: string) =>
  Number(
    (await site.metrics.series({ id, entity: 'welsh', from: '2026-05-01', to: '2026-05-02' })).points.at(-1)
      ?.value,
  )
/** Micro-STX a coin in the swap of a block. */
const swapPrice = async (height: number) => {
  const rows = await site.warehouse.reader.query({
    query: `SELECT toFloat64(amount_y) / toFloat64(amount_x) * 1e6 AS price FROM stx_dex_events WHERE kind = 'swap' AND height = ${height}`,
    format: 'JSONEachRow',
  })
  return (await rows.json<{ price: number }>())[0]!.price
}
const welshOf = async () => (await coinsOf()).coins.find(({ asset }) => asset === ASSET)!

before(async () => {
  site = await openEmptyMetrics()
  await writeMadeStacks(site.warehouse, BLOCKS)
  const token = { standard: 'sip-010', tokenUri: null, totalSupply: null, lastTokenId: null } as const
  const asked = { height: 3, blockHash: new Uint8Array(32), askedAt: START }
  await site.warehouse.insertRows(stxTokens, [
    { ...token, ...asked, contract: LIAR, name: 'Bitcoin', symbol: 'sBТС', decimals: 30 },
    { ...token, ...asked, contract: WELSH, name: 'Welsh', symbol: 'WELSH', decimals: 8 },
  ])
})
after(() => site[Symbol.asyncDispose]())

test('holders are people: contracts are left out, and shares and inequality are of what people have', async () => {
  const { holders, top10Share, gini, contracts, symbol, decimals } = await welshOf()
  // Anna 600, Ben 300, Carl 100; the pool’s 1,000 are of nobody.
  assert.deepEqual([holders, top10Share, contracts, symbol, decimals], [3, 1, 1, 'WELSH', 6])
  assert.ok(Math.abs(gini! - 1 / 3) < 1e-12, String(gini))
  assert.deepEqual([await figure('token.holders'), await figure('token.top10_share')], [3, 1])
  assert.ok(Math.abs((await figure('token.gini')) - 1 / 3) < 1e-12)
})

test('trades, volume, price and liquidity come from swaps, and a reorg takes them back', async () => {
  const before = await welshOf()
  await writeMadeStacks(site.warehouse, LATER, 2)
  const traded = await welshOf()
  const [, stx] = pool.reserves()
  assert.deepEqual([traded.trades, traded.buyers, traded.sellers], [2, 1, 1])
  assert.ok(Number(traded.volumeUstx) > 10_000_000 && Number(traded.volumeUstx) < 13_000_000)
  assert.ok(traded.priceUstx! > 400_000 && traded.priceUstx! < 600_000, String(traded.priceUstx))
  // The first swap is an hour old at the second; of a day before there is no price.
  assert.equal(traded.change24h, null)
  assert.equal(traded.change7d, null)
  const first = await swapPrice(4)
  assert.ok(Math.abs(traded.change1h! - (traded.priceUstx! / first - 1)) < 1e-12)
  // Two thousand coins were made.
  assert.ok(Math.abs(traded.mcapUstx! - 2000 * traded.priceUstx!) < 1e-3)
  assert.equal(traded.madeAt, new Date((START + 3600) * 1000).toISOString().replace('.000Z', 'Z'))
  assert.equal(before.trades, 0)
  const figures = await Promise.all(['token.trades', 'token.buyers', 'token.sellers'].map(figure))
  assert.deepEqual(figures, [2, 1, 1])
  assert.equal(traded.liquidityUstx, String(2n * stx))
  await decideStacks(site.warehouse, 2, false, LATER)
  assert.deepEqual(await welshOf(), before)
})

test('a token that lies about what it is, or counts in another way than its source, is flagged', async () => {
  const { coins } = await coinsOf()
  const liar = coins.find(({ contract }) => contract === LIAR)!
  assert.deepEqual(
    liar.flags?.map(({ id, grade }) => [id, grade]),
    [
      ['lying-symbol', 'severe'],
      ['decimals-odd', 'caution'],
    ],
  )
  const welsh = coins.find(({ asset }) => asset === ASSET)!
  assert.ok(welsh.flags?.some(({ id }) => id === 'decimals-differ'))
})

test('what one sender sent out to many and nobody swapped is left out, with the reason', async () => {
  const { coins, leftOut } = await coinsOf()
  assert.ok(!coins.some(({ contract }) => contract === SPAM))
  assert.equal(
    leftOut.find(({ contract }) => contract === SPAM)?.spam,
    'never swapped, and one sender distributed nearly all of it',
  )
})

test('that nobody swapped it is not said where blocks of the window are missing', async () => {
  const gift = `${CARL}.present::present`
  const made = [
    block(50, {
      name: 'presents',
      events: Array.from({ length: 60 }, (_, at) =>
        moved({ asset: gift, from: CARL, to: `${BEN}.c${at}`, amount: 1n }),
      ),
    }),
  ]
  await writeMadeStacks(site.warehouse, made, 6)
  const { leftOut } = await coinsOf()
  assert.equal(
    leftOut.find(({ asset }) => asset === gift)?.spam,
    'one sender sent nearly all of it out in the indexed blocks',
  )
  await decideStacks(site.warehouse, 6, false, made)
})

test('holders are not told where blocks since the token was made are missing', async () => {
  const late = `${ANNA}.late::late`
  const made = [block(6, { name: 'late', events: [moved({ asset: late, from: ANNA, to: BEN, amount: 5n })] })]
  await writeMadeStacks(site.warehouse, made, 3)
  const coin = (await coinsOf()).coins.find(({ asset }) => asset === late)
  assert.deepEqual([coin?.holders, coin?.gini, coin?.supply], [null, null, null])
  await decideStacks(site.warehouse, 3, false, made)
})

test('net purchases, and what was swapped before, are unknown where blocks of those days are missing', async () => {
  const made = [block(50, { name: 'apart', events: named(pool.swap(BEN, 'y', 1_000_000n)) })]
  await writeMadeStacks(site.warehouse, made, 5)
  const { coins, indexedHours } = await coinsOf()
  const coin = coins.find(({ contract }) => contract === WELSH)
  assert.equal(indexedHours, 0)
  assert.ok(Number(coin?.trades) > 0)
  assert.deepEqual([coin?.netBoughtUstx, coin?.volumeBeforeUstx], [null, null])
  await decideStacks(site.warehouse, 5, false, made)
})

test('coins made and destroyed are a log, for stablecoins', async () => {
  const usdh = 'SPN5AKG35QZSK2M8GAMR4AFX45659RJHDW353HSG.usdh-token-v1::usdh'
  const made = [
    block(6, {
      name: 'usdh',
      events: [
        moved({ asset: usdh, to: ANNA, amount: 50_000_000_000n }),
        moved({ asset: usdh, from: ANNA, amount: 10_000_000_000n }),
      ],
    }),
  ]
  await writeMadeStacks(site.warehouse, made, 4)
  const { mints, coins } = await coinsOf('stable')
  assert.deepEqual(
    mints.map(({ action, words }) => [action, words]),
    [
      ['burn', '100 USDh'],
      ['mint', '500 USDh'],
    ],
  )
  const found = coins.find(({ asset }) => asset === usdh)
  assert.deepEqual([found?.symbol, found?.custody], ['USDh', 'Hermetica'])
  await decideStacks(site.warehouse, 4, false, made)
})

const OPEN = `
;; (define-public (decoy) (ft-mint? coin u1 tx-sender))
(define-fungible-token coin)
(define-data-var token-uri (string-utf8 256) u"say \\"(define-public (x) (ft-mint? coin u1 tx-sender))\\"")
(define-private (give (to principal)) (ft-mint? coin u100 to))
(define-public (faucet) (give tx-sender))
(define-public (set-uri (to (string-utf8 256)))
  (begin (asserts! (is-eq tx-sender 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7) (err u1)) (ok (var-set token-uri to))))
(define-public (transfer (amount uint) (from principal) (to principal) (memo (optional (buff 34))))
  (begin (asserts! (is-eq tx-sender from) (err u4)) (ft-transfer? coin amount from to)))
(ft-mint? coin u1000 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7)`

test('flags follow from the source: private functions are read with who calls them, comments and texts are no code', async () => {
  const { rules } = (await testCatalog()).tokenRules
  assert.deepEqual(
    publicFunctions(OPEN).map(({ name }) => name),
    ['faucet', 'set-uri', 'transfer'],
  )
  const flags = tokenFlags(rules, OPEN, null)
  assert.deepEqual(
    flags?.map(({ id, functions, from }) => [id, functions, from]),
    [
      ['mint-unchecked', ['faucet'], 'source'],
      ['mint-open', ['faucet'], 'source'],
      ['metadata-settable', ['set-uri'], 'source'],
    ],
  )
  const fixed = OPEN.replace('(define-public (faucet) (give tx-sender))', '').replace(
    'from) (err u4)',
    'from) (err u4)',
  )
  assert.deepEqual(
    tokenFlags(rules, fixed, null)?.map(({ id }) => id),
    ['metadata-settable'],
  )
  assert.deepEqual(
    tokenFlags(rules, null, ['transfer', 'set-token-uri', 'mint'])?.map(({ id, from }) => [id, from]),
    [
      ['mint-open', 'interface'],
      ['metadata-settable', 'interface'],
    ],
  )
  assert.equal(tokenFlags(rules, null, null), null)
})

test('the figure of flags reads a source as the page does', async () => {
  const { rules } = (await testCatalog()).tokenRules
  const { warehouse, metrics } = site
  await metrics.refreshRollups()
  for (const source of [
    OPEN,
    OPEN.replace('(define-public (faucet) (give tx-sender))', ''),
    '(',
    ')',
    '"; (define-public (a',
  ]) {
    const sql = tokenFlagsSql(rules, 'SPX.coin').replace(
      "FROM stx_contracts AS c\n    WHERE c.contract = 'SPX.coin'",
      "FROM (SELECT {source:String} AS source_code, 'SPX.coin' AS contract, 1 AS height) AS c\n    WHERE c.contract = 'SPX.coin'",
    )
    const told = await ask<{ key: string; value: string }>(warehouse.guest, sql, {
      source,
      from: '2026-01-01',
      to: '2100-01-01',
    })
    assert.deepEqual(
      told
        .filter(({ value }) => Number(value) === 1)
        .map(({ key }) => key)
        .sort(),
      (tokenFlags(rules, source, null) ?? []).map(({ id }) => id).sort(),
      source,
    )
    assert.equal(told.length, rules.length)
  }
})

test('a source of strange shape ends', () => {
  for (const source of [
    '(',
    ')',
    '('.repeat(100_000),
    '"'.repeat(9),
    '(define-public (a) (a))',
    '(define-public',
  ])
    assert.doesNotThrow(() => publicFunctions(source))
})
