/** Blocks, transactions and balances of an EVM layer would open wrongly or not at all. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testCatalog } from '#catalog/testing.ts'
import { createEventIndex, eventsOf, openEvmCodec } from '#chains/evm/index.ts'
import { createEvmSource, openEvmClient } from '#chains/evm/node/index.ts'
import { insertEvmHeaders } from '#ingest/evm/headers.ts'
import { openEvmIngest } from '#ingest/evm/index.ts'
import { openEvmRows } from '#ingest/rows/evm/evmRows.ts'
import { createRandom } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { type EvmCatalog, readEvmCatalog } from '#metrics/evmCatalog.ts'
import { createMetrics } from '#metrics/index.ts'
import { NAMED_TOKEN, transferInput } from '#tests/evm/contracts.ts'
import { type MadeLayer, openMadeLayer } from '#tests/evm/madeLayer.ts'
import { skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import { recordedEvmBlocks, recordedLines } from '#tests/recordedEvm.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { EVM_BATCH_TABLES } from '#warehouse/tables/evm.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { createLayersExplorer, type LayersExplorer } from './index.ts'

const CATALOG = fileURLToPath(new URL('../../../catalog', import.meta.url))
const CHAIN_ID = 60_808
const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

type Receipt = {
  transactionHash: string
  from: string
  to: string | null
  status: string
  gasUsed: string
  effectiveGasPrice: string
  contractAddress: string | null
  logs: { address: string }[]
}

describe('layers as readers see them', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  let explorer: LayersExplorer
  let catalog: EvmCatalog
  before(async () => {
    warehouse = await openTestWarehouse()
    catalog = await readEvmCatalog(CATALOG)
    explorer = createLayersExplorer(
      warehouse.reader,
      catalog.chains.map(({ id }) => id),
      async () => catalog,
    )
  })
  after(() => warehouse[Symbol.asyncDispose]())

  describe('over a node', skipWithoutAnvil, () => {
    let layer: MadeLayer
    let home = ''
    let token = ''
    const receipts: Receipt[] = []
    before(async () => {
      home = await mkdtemp(join(tmpdir(), 'assay-layer-explorer-'))
      layer = await openMadeLayer({ chainId: CHAIN_ID })
      await layer.grow(15, createRandom(3))
      const made = await layer.anvil.transact({ data: NAMED_TOKEN })
      await layer.anvil.mine()
      token = ((await layer.anvil.send('eth_getTransactionReceipt', made)) as Receipt).contractAddress ?? ''
      await layer.anvil.transact({ to: token, data: transferInput(FRIEND, 1_500_000) })
      // A call whose selector the catalogue knows, whatever this contract makes of it.
      await layer.anvil.transact({
        to: token,
        data: `0xa9059cbb${FRIEND.slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}`,
      })
      await layer.anvil.mine()
      for (let height = 0; height <= (await layer.height()); height++)
        receipts.push(
          ...((await layer.anvil.send('eth_getBlockReceipts', `0x${height.toString(16)}`)) as Receipt[]),
        )
      const codec = openEvmCodec({ chainId: CHAIN_ID, headerForm: 'standard', checksumChainId: null })
      const client = openEvmClient({
        chainId: CHAIN_ID,
        chainName: 'BOB',
        endpoints: [{ url: layer.anvil.url }],
        rounds: 2,
      })
      await using ingest = await openEvmIngest({
        warehouse,
        home,
        layer: 'bob',
        name: 'BOB',
        codec,
        events: createEventIndex(eventsOf(catalog.events, catalog.chains[1]!)),
        source: createEvmSource(codec, client, { traces: true }),
        log: silentLog,
        pollMs: 1,
      })
      await ingest.backfill({ from: 0 })
      await createMetrics({ warehouse, catalog: await testCatalog(), log: silentLog }).refreshRollups()
    })
    after(async () => {
      await layer[Symbol.asyncDispose]()
      await rm(home, { recursive: true })
    })

    test('every block and transaction opens and says what the node says of it', async () => {
      const bob = explorer('bob')
      const seen: string[] = []
      for (let before: number | undefined; ; ) {
        const { items, next } = await bob.blocks({ limit: 7, ...(before !== undefined && { before }) })
        for (const { height, hash } of items) {
          const { block } = await bob.block(hash)
          assert.deepEqual([block?.height, (await bob.block(String(height))).block], [height, block])
          const { items: txs } = await bob.blockTxs(String(height), { limit: 200 })
          assert.equal(txs.length, block?.txCount)
          for (const item of txs) {
            const tx = await bob.tx(item.hash)
            const told = receipts.find(({ transactionHash }) => transactionHash === item.hash)!
            assert.deepEqual(
              [tx.isSuccess, tx.sender.address.toLowerCase(), tx.events.length, tx.feeWei],
              [
                told.status === '0x1',
                told.from,
                Math.min(told.logs.length, 500),
                String(BigInt(told.gasUsed) * BigInt(told.effectiveGasPrice)),
              ],
            )
            seen.push(item.hash)
          }
        }
        if (next === null) break
        before = Number(next)
      }
      assert.deepEqual(seen.toSorted(), receipts.map(one => one.transactionHash).toSorted())
    })

    test('a call is named by its selector, with its arguments', async () => {
      const { functions, txs, made, isContract } = await explorer('bob').account(token)
      const called = functions.find(({ selector }) => selector === '0xa9059cbb')
      assert.deepEqual(
        [called?.name, called?.callCount, called?.failedCallCount, called?.callerCount],
        ['transfer', 1, 0, 1],
      )
      assert.equal(called?.signature, 'transfer(address to, uint256 amount)')
      const tx = await explorer('bob').tx(txs.find(({ functionName }) => functionName === 'transfer')!.hash)
      assert.deepEqual(tx.args, [
        { name: 'to', type: 'address', value: FRIEND },
        { name: 'amount', type: 'uint256', value: '5' },
      ])
      assert.deepEqual([isContract, made?.kind, made?.codeHash?.length], [true, 'transaction', 64])
    })

    test('amounts carry what the token says of itself, and balances are sums of them', async () => {
      const account = await explorer('bob').account(FRIEND.toLowerCase())
      assert.equal(account.address, FRIEND)
      assert.equal(account.isContract, false)
      const balance = account.balances.find(one => one.token.symbol === 'TST')
      assert.deepEqual(
        [balance?.balance, balance?.token.decimals, balance?.token.name, balance?.token.isListed],
        ['1500000', 6, 'Test Token', false],
      )
    })

    test('contracts are listed by their calls and by their age', async () => {
      const [{ hot, indexedHours }, newest] = await Promise.all([
        explorer('bob').hotContracts(),
        explorer('bob').newContracts(),
      ])
      const calls = Map.groupBy(
        receipts.filter(({ to }) => to !== null),
        ({ to }) => to!,
      )
      const [first] = hot
      assert.ok(first !== undefined && first.callCount > 3)
      assert.equal(indexedHours, null)
      assert.ok(first.callCount <= (calls.get(first.contract.address.toLowerCase())?.length ?? 0))
      assert.ok(newest.some(({ contract }) => contract.address.toLowerCase() === token))
    })

    test('what is not held says so and names what is near; a layer that is none too', async () => {
      const bob = explorer('bob')
      // Asked first: a refusal that nobody waits for yet would end the test.
      const nearest = String(await layer.height())
      await assert.rejects(bob.block('900'), {
        code: 'explorer.block_not_found',
        facts: { height: 900, nearest },
      })
      await assert.rejects(bob.tx('00'.repeat(32)), { code: 'explorer.tx_not_found' })
      await assert.rejects(bob.account(`0x${'12'.repeat(20)}`), { code: 'explorer.address_not_found' })
      await assert.rejects(bob.account(FRIEND.replace('C8', 'c8')), { code: 'explorer.address' })
      await assert.rejects(explorer('core').block('1'), {
        code: 'explorer.block_not_found',
        hint: /assay backfill --chain core/,
      })
      assert.throws(() => explorer('doge'), { code: 'explorer.layer' })
    })
  })

  describe('recorded blocks of Rootstock', skipWithoutShared, () => {
    before(async () => {
      await insertEvmHeaders(
        warehouse,
        { layer: 'rootstock', chainId: 30, headerForm: 'rootstock' },
        recordedLines('rootstock-mainnet-headers.jsonl.gz')
          .map(({ rlp }) => rlp)
          .join('\n'),
        'test.headers',
      )
      const events = createEventIndex(eventsOf(catalog.events, catalog.chains[0]!))
      for (const [i, { name, codec, answers }] of recordedEvmBlocks.entries()) {
        if (!name.startsWith('rootstock') || name.includes('256082')) continue
        const rows = openEvmRows('rootstock', codec, events)
        const block = codec.readBlock(answers())
        rows.add(i + 1, { block, proofs: codec.checkBlock(block), creations: null })
        const columns = Object.values(rows.take())
        for (const [at, table] of EVM_BATCH_TABLES.entries())
          await warehouse.insertColumns(table, columns[at] as never)
        await warehouse.writer.command({
          query: `INSERT INTO base.evm_batches (chain, batch, seq, is_live, from_height, to_height, block_count)
VALUES ('rootstock', ${i + 1}, ${i + 1}, 1, ${block.header.number}, ${block.header.number}, 1)`,
        })
      }
    })

    test('addresses carry Rootstock’s own checksum, system contracts their names', async () => {
      const { items } = await explorer('rootstock').blockTxs('798248', {})
      const remasc = items.at(-1)!
      assert.deepEqual(
        [remasc.kind, remasc.isSystem, remasc.recipient?.name, remasc.feeWei],
        ['remasc', true, 'REMASC', '0'],
      )
      const { receipts } = recordedEvmBlocks.find(({ name }) => name.includes('798248'))!.answers()
      assert.deepEqual(
        items.map(({ isSuccess }) => isSuccess),
        receipts?.map(({ status }) => status === '0x1'),
      )
      const { parseAddress } = await import('#chains/evm/index.ts')
      for (const { sender, recipient } of items)
        for (const party of [sender, recipient])
          if (party) assert.equal(parseAddress(party.address, 30), party.address.toLowerCase())
    })

    test('a block tells of the Bitcoin header that was mined for it; a header alone is no block', async () => {
      const rootstock = explorer('rootstock')
      const { block } = await rootstock.block('798248')
      assert.equal(block?.minedFor?.bitcoinHash.length, 64)
      const { block: none, header } = await rootstock.block('4481139')
      assert.equal(none, null)
      assert.deepEqual(
        [header?.minedFor?.bitcoinHash, header?.minedFor?.isTagged, header?.paidFeeWei],
        ['000000000000000002eda5f42de40f44328070136c9dc8e9d33d71d74baf1169', true, '67675413103519'],
      )
      await assert.rejects(rootstock.blockTxs('4481139', {}), { code: 'explorer.txs_not_held' })
      const { items, next } = await rootstock.headers({ limit: 3 })
      assert.deepEqual(
        [items.map(({ height }) => height), next],
        [[4_481_393, 4_481_392, 4_481_391], '4481391'],
      )
    })
  })
})
