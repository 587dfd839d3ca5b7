/** Pages about NFTs across chains would show wrong sales, prices or offers. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testCatalog } from '#catalog/testing.ts'
import { createRandom } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { readEvmCatalog } from '#metrics/evmCatalog.ts'
import { createMetrics } from '#metrics/index.ts'
import { writeMadeStacks } from '#metrics/madeStacks.testing.ts'
import { stxContracts } from '#warehouse/tables/stacks.ts'
import { stxTokenMetadata } from '#warehouse/tables/stacksTokenMetadata.ts'
import { stxTokens } from '#warehouse/tables/stacksTokens.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import type { NodeBalances } from './balances/index.ts'
import { likenessOf } from './families.ts'
import { type AcrossExplorer, createAcrossExplorer } from './index.ts'
import { ALICE, APE, APES, BLOCKS, BOB, CAROL, COIN, GOLD, MAKER, START_S } from './madeNfts.testing.ts'

const HOLDER = 'ab'.repeat(20)
const OLD = 'c1'.repeat(20)
const NEW = 'c2'.repeat(20)
const NOBODY = '00'.repeat(20)

describe('questions about all chains', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  let across: AcrossExplorer
  let nodes: NodeBalances[] = []
  const write = (query: string) => warehouse.writer.command({ query })

  before(async () => {
    warehouse = await openTestWarehouse()
    const catalog = await testCatalog()
    await writeMadeStacks(warehouse, BLOCKS)
    // Held from block 100 on: one token was made before, one after.
    await write(
      `INSERT INTO base.evm_batches (chain, batch, seq, is_live, from_height, to_height, block_count) VALUES ('core', 1, 1, 1, 100, 101, 2)`,
    )
    await write(
      `INSERT INTO base.evm_blocks (chain, batch, height, block_time, hash) VALUES ('core', 1, 100, ${START_S}, unhex('${'01'.repeat(32)}')), ('core', 1, 101, ${START_S + 3}, unhex('${'02'.repeat(32)}'))`,
    )
    await write(
      `INSERT INTO base.evm_contracts (chain, batch, height, block_time, contract, creator, kind) VALUES ('core', 1, 100, ${START_S}, unhex('${NEW}'), unhex('${HOLDER}'), 'transaction')`,
    )
    await write(`INSERT INTO base.evm_transfers (chain, batch, height, block_time, log_index, standard, token, sender, recipient, amount) VALUES
('core', 1, 100, ${START_S}, 0, 'erc20', unhex('${NEW}'), unhex('${NOBODY}'), unhex('${HOLDER}'), 1000),
('core', 1, 101, ${START_S + 3}, 0, 'erc20', unhex('${NEW}'), unhex('${HOLDER}'), unhex('${OLD}'), 1),
('core', 1, 101, ${START_S + 3}, 1, 'erc20', unhex('${OLD}'), unhex('${NOBODY}'), unhex('${HOLDER}'), 5)`)
    across = createAcrossExplorer({
      reader: warehouse.reader,
      catalog,
      layers: () => readEvmCatalog(fileURLToPath(new URL('../../../catalog', import.meta.url))),
      network: 'mainnet',
      nodes: async () => nodes,
    })
  })
  after(() => warehouse[Symbol.asyncDispose]())

  test('a sale has the price that the buyer paid, an accepted bid what the seller got, a sweep none', async () => {
    const { sales, items } = await across.collections({})
    assert.deepEqual(
      sales.map(({ token, price, nftCount, seller, buyer }) => [token, price, nftCount, seller, buyer]),
      [
        ['u3', null, 2, CAROL, BOB],
        ['u1', null, 2, CAROL, BOB],
        ['u3', '4000000', 1, ALICE, CAROL],
        ['u1', '10000000', 1, ALICE, CAROL],
      ],
    )
    const [apes] = items
    assert.deepEqual(
      [apes?.asset, apes?.volume7d, apes?.saleCount7d, apes?.itemCount, apes?.holderCount, apes?.isWhole],
      [APE, '14000000', 4, 3, 1, true],
    )
  })

  test('what the metadata service has read of a collection stands beside its name, the newest alone, as text', async () => {
    const describe = (
      name: string | null,
      imageUrl: string | null,
      askedAt: number,
      source = 'stacks.nfts',
    ) =>
      warehouse.insertRows(stxTokenMetadata, [
        {
          ...{ source, contract: APES, name, imageUrl, askedAt },
          ...{ symbol: null, decimals: null, totalSupply: null },
        },
      ])
    const described = async () => (await across.collections({ chain: 'stacks' })).items[0]?.described
    assert.equal(await described(), null)
    await describe('Lying Apes', 'ipfs://one/1.png', START_S)
    await describe('Apes', 'ipfs://two/1.png', START_S + 10)
    await describe('Of a fungible token', null, START_S + 20, 'stacks.tokens')
    assert.deepEqual(await described(), { name: 'Apes', picture: 'ipfs://two/1.png' })
  })

  test('an offer counts until it is taken or its NFT moves', async () => {
    const [apes] = (await across.collections({ chain: 'stacks' })).items
    assert.deepEqual([apes?.listedCount, apes?.floor], [1, '7000000'])
  })

  test('metrics of NFTs tell the same as the page', async () => {
    const metrics = createMetrics({ warehouse, catalog: await testCatalog(), log: silentLog })
    await metrics.refreshRollups()
    const day = new Date(START_S * 1000).toISOString().slice(0, 10)
    const figuresOf = async (id: string) => {
      const { points } = await metrics.series({ id, entity: 'stacks', from: day, to: day })
      return Object.fromEntries(points.map(({ key, value }) => [key, value]))
    }
    assert.deepEqual(await figuresOf('nft.sales'), { '': 4 })
    assert.deepEqual(await figuresOf('nft.volume'), { '': 14_000_000 })
    assert.deepEqual(await figuresOf('mints.rate'), { '': 3 / 24 })
    assert.deepEqual(await figuresOf('nft.floor'), { [APES]: 7_000_000, median: 7_000_000 })
    assert.deepEqual(await figuresOf('nft.listed_share'), { [APES]: 1 / 3, all: 1 / 3 })
  })

  test('mints have their minters, price and what should make one look twice', async () => {
    const { items } = await across.mints({})
    const apes = items.find(({ asset }) => asset === APE)
    assert.deepEqual(
      [apes?.kind, apes?.mintCount24h, apes?.minterCount7d, apes?.price, apes?.isNew, apes?.flags],
      ['nft', 3, 2, '5000000', true, ['no name']],
    )
  })

  test('tokens have supply and holders where everything since they were made is held, and only there', async () => {
    const { items } = await across.tokens({})
    const of = (asset: string) => {
      const token = items.find(one => one.asset === asset)
      return [token?.supply, token?.holderCount, token?.transferCount7d]
    }
    assert.deepEqual(of(GOLD), ['700', 2, 2])
    assert.deepEqual(of(`0x${NEW}`), ['1000', 2, 2])
    assert.deepEqual(of(`0x${OLD}`), [null, null, 1])
    // Nothing is held of BOB: what its listed tokens do is not known, which is not nothing.
    assert.ok(items.some(({ chain }) => chain === 'bob'))
    assert.ok(items.filter(({ chain }) => chain === 'bob').every(one => one.transferCount7d === null))
  })

  test('where a publisher calls a token otherwise than its contract does, the token says so', async () => {
    const says = { contract: COIN, name: 'Gold', symbol: 'GOLD' }
    const height = 3
    const blockHash = Buffer.alloc(32)
    await warehouse.insertRows(stxTokens, [
      {
        ...{
          ...says,
          standard: 'sip-010',
          decimals: 6,
          tokenUri: null,
          totalSupply: 700n,
          lastTokenId: null,
        },
        ...{ height, blockHash, askedAt: START_S },
      },
    ])
    const publish = (symbol: string, decimals: number | null, askedAt: number) =>
      warehouse.insertRows(stxTokenMetadata, [
        {
          ...{ ...says, source: 'stacks.tokens', symbol, decimals },
          ...{ totalSupply: null, imageUrl: null, askedAt },
        },
      ])
    const word = async () =>
      (await across.tokens({ chain: 'stacks' })).items.find(one => one.asset === GOLD)?.otherWord
    assert.equal(await word(), null)
    await publish('sBTC', 8, START_S + 10)
    assert.equal(await word(), 'the Stacks API reports 8 decimals and the symbol sBTC')
    await publish('GOLD', null, START_S + 20)
    assert.equal(await word(), null)
  })

  test('balances add up from genesis, and are not told where something before is missing', async () => {
    const { balances } = await across.balances([ALICE, BOB, `0x${HOLDER}`])
    const told = balances.map(one => [one.address.slice(0, 6), one.asset, one.balance, one.change])
    assert.deepEqual(told, [
      [ALICE.slice(0, 6), 'native', String(108_500_000), String(108_500_000)],
      [ALICE.slice(0, 6), GOLD, '500', '500'],
      // He spent what no block gave him.
      [BOB.slice(0, 6), 'native', null, '-3000000'],
      [BOB.slice(0, 6), GOLD, '200', '200'],
      ['0xabab', `0x${OLD}`, null, '5'],
      ['0xabab', `0x${NEW}`, '999', '999'],
    ])
    assert.match(balances.find(({ asset }) => asset === `0x${OLD}`)?.why ?? '', /start at 100,/)
  })

  test('a single address has its history by day, and a node of the configuration tells coin', async () => {
    nodes = [
      {
        chain: 'core',
        most: 10,
        read: async keys => ({ height: 105, amounts: new Map(keys.map(key => [key, '123'])) }),
      },
    ]
    const { balances, history } = await across.balances([`0x${HOLDER}`])
    nodes = [{ chain: 'core', most: 10, read: async () => ({ problem: 'The node of Core sleeps.' }) }]
    const { unanswered } = await across.balances([`0x${HOLDER}`])
    nodes = []
    assert.deepEqual(
      balances.map(({ asset, balance, source, height }) => [asset, balance, source, height])[0],
      ['native', '123', 'node', 105],
    )
    assert.deepEqual(history.find(({ asset }) => asset === `0x${NEW}`)?.points.at(-1)?.value, '999')
    assert.deepEqual(unanswered, ['The node of Core sleeps.'])
  })

  test('of a thousand hostile lines the good ones are answered and each other one says why', async () => {
    const random = createRandom(7)
    const junk = [
      'address,amount',
      "'; DROP TABLE stx_transfers; --",
      'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ8',
      `${ALICE}.9bad`,
      `${ALICE}.a.b`,
      '0x1234',
      '0xAbABabababababababababababababababababab',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
      'x'.repeat(4000),
      '\u202eSP2J6ZY48',
      '{"$ne":1}',
    ]
    const lines = Array.from({ length: 1000 }, (_, i) =>
      i % 50 === 0
        ? ['', `"${ALICE}",7`, ` ${BOB} `, `0x${HOLDER}`, `0X${HOLDER}`][Math.floor(random() * 5)]!
        : junk[Math.floor(random() * junk.length)]!,
    )
    const answer = await across.balances(lines)
    const read = answer.lines
    assert.equal(read.length, lines.filter(line => line.trim() !== '').length)
    const good = read.filter(({ problem }) => problem === null)
    assert.deepEqual(
      new Set(good.map(({ address }) => address?.toLowerCase())),
      new Set([ALICE, BOB, `0x${HOLDER}`].map(one => one.toLowerCase())),
    )
    for (const { problem, address } of read) assert.equal(problem === null, address !== null)
    assert.ok(read.every(({ input }) => input.length <= 80))
    assert.ok(answer.balances.some(({ asset, balance }) => asset === GOLD && balance === '500'))
  })

  test('sources that differ in names and numbers are a family, others are not', async () => {
    const body = (fee: number, owner: string, extra = '') => `;; a token
(define-constant OWNER '${owner})
(define-fungible-token coin)
(define-public (transfer (amount uint) (from principal) (to principal))
  (begin (asserts! (is-eq tx-sender from) (err u${fee})) (ft-transfer? coin amount from to)))
(define-read-only (get-name) (ok "Coin of ${owner}"))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance coin who)))
${extra}`
    const made = [
      ['one', body(1, ALICE)],
      ['two', body(404, BOB)],
      ['three', body(7, CAROL, '(define-public (burn (amount uint)) (ft-burn? coin amount tx-sender))')],
      [
        'other',
        '(define-data-var counter uint u0)\n(define-public (count) (ok (var-set counter (+ (var-get counter) u1))))',
      ],
    ] as const
    await warehouse.insertRows(
      stxContracts,
      made.map(([name, sourceCode], i) => ({
        batch: 1,
        height: 4,
        blockTime: START_S + 1800 + i,
        txIndex: i,
        txid: Buffer.alloc(32, i + 1),
        contract: `${MAKER}.${name}`,
        deployer: MAKER,
        clarityVersion: 3,
        epoch: '',
        sourceCode,
        interface: '',
        functionCount: null,
      })),
    )
    const { families, comparedCount } = await across.families()
    assert.equal(comparedCount, 4)
    assert.equal(families.length, 1)
    assert.deepEqual(families[0]?.members.map(({ contract }) => contract.split('.')[1]).slice(0, 2), [
      'one',
      'two',
    ])
    assert.equal(families[0]?.members[1]?.likeness, 1)
    assert.equal(likenessOf(['1', '2', '3'], ['2', '3', '4']), 0.5)
    const { items } = await across.deployed({ chain: 'stacks', limit: 3 })
    assert.equal(items.length, 3)
    const next = await across.deployed({
      chain: 'stacks',
      limit: 3,
      before: (await across.deployed({ chain: 'stacks', limit: 3 })).next!,
    })
    assert.ok(next.items.every(one => !items.some(({ contract }) => contract === one.contract)))
    await assert.rejects(across.deployed({ before: 'nowhere' }), { code: 'explorer.cursor' })
  })
  test('a count of a window is zero only where every block of it is indexed', async () => {
    const [APE, EARLY, NEW] = ['c3'.repeat(20), 'c4'.repeat(20), 'c5'.repeat(20)]
    const earlierS = START_S - 2 * 86_400
    // Block 50 is apart from the run that ends with the newest block, and only 3 seconds are covered.
    await write(
      `INSERT INTO base.evm_batches (chain, batch, seq, is_live, from_height, to_height, block_count) VALUES ('core', 2, 2, 1, 50, 50, 1)`,
    )
    await write(
      `INSERT INTO base.evm_blocks (chain, batch, height, block_time, hash) VALUES ('core', 2, 50, ${earlierS}, unhex('${'03'.repeat(32)}'))`,
    )
    await write(`INSERT INTO base.evm_transfers (chain, batch, height, block_time, log_index, standard, token, sender, recipient, token_id, amount) VALUES
('core', 2, 50, ${earlierS}, 0, 'erc721', unhex('${EARLY}'), unhex('${NOBODY}'), unhex('${HOLDER}'), 1, 1),
('core', 1, 101, ${START_S + 3}, 9, 'erc721', unhex('${APE}'), unhex('${HOLDER}'), unhex('${OLD}'), 1, 1),
${[1, 2, 3, 4, 5].map(id => `('core', 1, 101, ${START_S + 3}, ${10 + id}, 'erc721', unhex('${NEW}'), unhex('${NOBODY}'), unhex('${HOLDER}'), ${id}, 1)`).join(',\n')}`)
    const collection = (await across.collections({ chain: 'core' })).items.find(
      ({ asset }) => asset === `0x${APE}`,
    )
    assert.deepEqual(
      [collection?.isWhole, collection?.itemCount, collection?.transferCount30d, collection?.mintCount30d],
      [false, 1, 1, null],
    )
    assert.deepEqual(
      [collection?.saleCount7d, collection?.saleCount30d, collection?.volume7d, collection?.volume30d],
      [null, null, null, null],
    )
    const mint = (await across.mints({ chain: 'core' })).items.find(({ asset }) => asset === `0x${EARLY}`)
    assert.deepEqual([mint?.mintCount24h, mint?.ratePerHour, mint?.mintCount7d], [null, null, 1])
    // Of the 24 hours 3 seconds are indexed: a count of them is no rate, and does not say who mints most.
    const { items, held } = await across.mints({ chain: 'core' })
    const made = items.find(({ asset }) => asset === `0x${NEW}`)
    assert.deepEqual(
      [made?.mintCount24h, made?.ratePerHour, made?.flags.includes('few minters')],
      [5, null, false],
    )
    assert.deepEqual(
      held.map(({ chain, indexedHours }) => [chain, indexedHours]),
      [['core', 0]],
    )
    const { items: called } = await across.popularCalls({ chain: 'core', span: '24h' })
    assert.ok(called.every(({ share }) => share === null))
    // Everything on Stacks since its first block is indexed: 0 is known.
    const [apes] = (await across.collections({ chain: 'stacks' })).items
    assert.equal(apes?.isWhole, true)
    assert.equal(typeof apes?.mintCount30d, 'number')
  })
})
