/** Rows of EVM layers would differ from the blocks they come from. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  createEventIndex,
  creationsOf,
  EventFacts,
  type EvmBlock,
  feeOf,
  openEvmCodec,
  readCallTracer,
} from '#chains/evm/index.ts'
import { FACTORY, TOKEN } from '#tests/evm/contracts.ts'
import { openAnvil, skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import systemTxBlock from '#tests/evm/systemTxBlock.json' with { type: 'json' }
import { recordedEvmBlocks } from '#tests/recordedEvm.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { EVM_BATCH_TABLES, evmBlocks, evmTxs } from '#warehouse/tables/evm.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { IS_SYSTEM_TX } from '#warehouse/views/evm.ts'
import catalogEvents from '../../../../catalog/evm/events.json' with { type: 'json' }
import { openColumns } from '../columns.ts'
import { type EvmColumns, openEvmRows } from './evmRows.ts'

const events = createEventIndex(EventFacts.parse(catalogEvents))

describe('blocks of EVM layers as rows', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  before(async () => {
    warehouse = await openTestWarehouse({
      schema: {
        layers: ['rootstock', 'bob', 'core', 'bitlayer'],
        tables: EVM_BATCH_TABLES,
        baseViews: [],
        fills: [],
        views: [],
      },
    })
  })
  after(() => warehouse[Symbol.asyncDispose]())

  const insert = async (columns: EvmColumns): Promise<void> => {
    const [blocks, txs, logs, transfers, swaps, lending, contracts, bridges] = EVM_BATCH_TABLES
    await warehouse.insertColumns(blocks, columns.blocks)
    await warehouse.insertColumns(txs, columns.txs)
    await warehouse.insertColumns(logs, columns.logs)
    await warehouse.insertColumns(transfers, columns.transfers)
    await warehouse.insertColumns(swaps, columns.swaps)
    await warehouse.insertColumns(lending, columns.lending)
    await warehouse.insertColumns(contracts, columns.contracts)
    await warehouse.insertColumns(bridges, columns.bridges)
  }
  const rowsOf = async (query: string): Promise<unknown[][]> =>
    (await warehouse.reader.query({ query, format: 'JSONCompactEachRow' })).json<unknown[]>()

  test('what recorded blocks say is what the rows say', skipWithoutShared, async () => {
    const all: EvmBlock[] = []
    for (const [batch, { name, codec, answers }] of recordedEvmBlocks.entries()) {
      const rows = openEvmRows(name.startsWith('rootstock') ? 'rootstock' : 'bob', codec, events)
      const block = codec.readBlock(answers())
      rows.add(batch, { block, proofs: codec.checkBlock(block, { senders: false }), creations: null })
      await insert(rows.take())
      all.push(block)
    }
    const hex = (text: string): string => text.slice(2)
    const txs =
      await rowsOf(`SELECT lower(hex(tx_hash)), lower(hex(sender)), lower(hex(recipient)), toString(value_wei),
        toString(fee_wei), is_success, lower(hex(input)), toString(kind), toString(nonce), log_count
      FROM base.evm_txs ORDER BY batch, tx_index`)
    const expected = all.flatMap(({ transactions, receipts }) =>
      transactions.map((tx, i) => [
        hex(tx.hash),
        hex(tx.from),
        tx.to && hex(tx.to),
        String(tx.value),
        receipts && String(feeOf(tx, receipts[i]!)!.totalWei),
        receipts?.[i]?.isSuccess ?? null,
        hex(tx.input),
        tx.kind,
        String(tx.nonce),
        receipts?.[i]?.logs.length ?? 0,
      ]),
    )
    assert.deepEqual(txs, expected)
    const logs =
      await rowsOf(`SELECT log_index, lower(hex(emitter)), lower(hex(topic0)), lower(hex(topic3)), lower(hex(data)), event
      FROM base.evm_logs ORDER BY batch, log_index`)
    assert.deepEqual(
      logs,
      all.flatMap(({ receipts }) =>
        (receipts ?? []).flatMap(receipt =>
          receipt.logs.map(log => [
            log.logIndex,
            hex(log.address),
            log.topics[0] === undefined ? null : hex(log.topics[0]),
            log.topics[3] === undefined ? null : hex(log.topics[3]),
            hex(log.data),
            events.decode(log)?.id ?? '',
          ]),
        ),
      ),
    )
    const blocks =
      await rowsOf(`SELECT height, lower(hex(hash)), tx_count, log_count, toString(gas_used), is_hash_proved,
        is_txs_proved, is_receipts_proved, lower(hex(bitcoin_hash)) != '', toString(difficulty)
      FROM base.evm_blocks ORDER BY batch`)
    assert.deepEqual(
      blocks.map(row => row.slice(0, 5)),
      all.map(({ header, transactions, receipts }) => [
        header.number,
        hex(header.hash),
        transactions.length,
        receipts?.reduce((sum, one) => sum + one.logs.length, 0) ?? 0,
        String(header.gasUsed),
      ]),
    )
    // Every transfer is one of a log that the catalogue knows, with the amount that its data hold.
    const [[transfers, known]] =
      (await rowsOf(`SELECT count(), countIf(l.event LIKE 'erc%transfer%') FROM base.evm_transfers t
      INNER JOIN base.evm_logs l ON l.batch = t.batch AND l.log_index = t.log_index`)) as [[number, number]]
    assert.ok(transfers > 300)
    assert.equal(transfers, known)
    const [[differing]] = (await rowsOf(`SELECT count() FROM base.evm_transfers t
      INNER JOIN base.evm_logs l ON l.batch = t.batch AND l.log_index = t.log_index
      WHERE t.standard = 'erc20' AND reinterpretAsUInt256(reverse(substring(l.data, 1, 32))) != t.amount`)) as [
      [number],
    ]
    assert.equal(differing, 0)
    const [[swaps, lost]] = (await rowsOf(
      'SELECT count(), countIf(amount_in = 0 OR amount_out = 0) FROM base.evm_swaps',
    )) as [[number, number]]
    assert.ok(swaps > 20)
    assert.equal(lost, 0)
  })

  test(
    'contracts come from traces where a node has them, and from receipts where it has none',
    skipWithoutAnvil,
    async () => {
      await using anvil = await openAnvil()
      const codec = openEvmCodec({ chainId: anvil.chainId, headerForm: 'standard', checksumChainId: null })
      const made = await anvil.transact({ data: FACTORY })
      await anvil.mine()
      const { contractAddress } = (await anvil.send('eth_getTransactionReceipt', made)) as {
        contractAddress: string
      }
      await anvil.transact({ to: contractAddress, data: TOKEN, gas: '0x100000' })
      await anvil.transact({ data: TOKEN })
      await anvil.mine()
      const block = codec.readBlock({
        block: await anvil.send('eth_getBlockByNumber', '0x2', true),
        receipts: await anvil.send('eth_getBlockReceipts', '0x2'),
      })
      const proofs = codec.checkBlock(block)
      const traces = await anvil.send('debug_traceBlockByNumber', '0x2', { tracer: 'callTracer' })
      const rows = openEvmRows('core', codec, events)
      rows.add(1, { block, proofs, creations: creationsOf(readCallTracer(traces)) })
      rows.add(2, { block, proofs, creations: null })
      await insert(rows.take())
      const found = await rowsOf(`SELECT batch, tx_index, toString(kind), path FROM base.evm_contracts
      WHERE chain = 'core' ORDER BY batch, tx_index, path`)
      assert.deepEqual(found, [
        [1, 0, 'create', '0'],
        [1, 0, 'create2', '1'],
        [1, 1, 'transaction', ''],
        [2, 1, 'transaction', ''],
      ])
      const hashes = await rowsOf(`SELECT lower(hex(contract)), lower(hex(code_hash)) FROM base.evm_contracts
      WHERE chain = 'core' AND batch = 1`)
      for (const [contract, codeHash] of hashes) {
        const code = (await anvil.send('eth_getCode', `0x${contract}`, 'latest')) as string
        assert.equal(codeHash, hash('keccak-256', Buffer.from(code.slice(2), 'hex')))
      }
      assert.deepEqual(
        await rowsOf(`SELECT DISTINCT code_hash FROM base.evm_contracts WHERE chain = 'core' AND batch = 2`),
        [[null]],
      )
    },
  )

  test('an unsigned system transaction has its kind, no fee, and counts as system transaction', async () => {
    const codec = openEvmCodec({ chainId: 4114, headerForm: 'stated', checksumChainId: null })
    const rows = openEvmRows('bob', codec, events)
    const tx = systemTxBlock.transactions[0]!
    const { from, to, type, blockHash, blockNumber, transactionIndex } = tx
    const receipt = {
      ...{ from, to, type, blockHash, blockNumber, transactionIndex, transactionHash: tx.hash },
      ...{
        status: '0x1',
        gasUsed: '0x5208',
        cumulativeGasUsed: '0x5208',
        effectiveGasPrice: '0x1',
        logs: [],
      },
    }
    const block = codec.readBlock({ block: systemTxBlock, receipts: [receipt] })
    assert.equal(feeOf(block.transactions[0]!, block.receipts![0]!)?.totalWei, 0n)
    const proofs = codec.checkBlock(block)
    assert.deepEqual([proofs.hash, proofs.transactions, proofs.unsignedCount], [true, true, 1])
    rows.add(1000, { block, proofs, creations: null })
    await insert(rows.take())
    assert.deepEqual(
      await rowsOf(`SELECT toString(kind), type, lower(hex(sender)), toString(fee_wei), CAST(${IS_SYSTEM_TX}, 'Bool')
        FROM base.evm_txs WHERE batch = 1000`),
      [['unsigned', 2, tx.from.slice(2), '0', true]],
    )
    assert.deepEqual(
      await rowsOf('SELECT tx_count, system_tx_count, is_txs_proved FROM base.evm_blocks WHERE batch = 1000'),
      [[1, 1, true]],
    )
  })
})

test('a value that no column holds is an error that names it, not a smaller one', () => {
  const blocks = openColumns(evmBlocks)
  const row = { height: 2 ** 32 } as Parameters<typeof blocks.add>[0]
  assert.throws(() => blocks.add({ ...row, batch: 1, chain: 'bob' }), {
    code: 'ingest.value',
    message: /evm_blocks\.height/,
  })
  const txs = openColumns(evmTxs)
  assert.throws(() => txs.add({ batch: 1, height: 'doge' } as never), /evm_txs\.height cannot hold doge/)
})

test('amounts keep all their bits, row after row, while columns grow', () => {
  const writer = openColumns(evmBlocks)
  const base = {
    batch: 1,
    chain: 'bob',
    hash: `0x${'ab'.repeat(32)}`,
    prevHash: `0x${'cd'.repeat(32)}`,
    blockTime: 5,
    miner: `0x${'ef'.repeat(20)}`,
    txCount: 0,
    systemTxCount: 0,
    failedTxCount: null,
    unknownTxCount: 0,
    logCount: 0,
    gasUsed: 2n ** 64n - 1n,
    gasLimit: 0n,
    baseFeeWei: null,
    feeWei: null,
    l1FeeWei: 0n,
    sizeBytes: null,
    uncleCount: 0,
    isHashProved: true,
    isTxsProved: false,
    isReceiptsProved: true,
    isTraced: false,
    l1Height: null,
    l1Hash: null,
    bitcoinHash: null,
    isBitcoinTagged: null,
    minimumGasPriceWei: null,
  } as const
  const most = 2n ** 256n - 1n
  for (let i = 0; i < 1000; i++)
    writer.add({ ...base, height: i, difficulty: i % 2 === 0 ? most - BigInt(i) : BigInt(i) })
  const { rowCount, difficulty, height, hash, gasUsed, failedTxCount } = writer.take()
  assert.equal(rowCount, 1000)
  for (let i = 0; i < 1000; i++) {
    const [low, second, third, high] = difficulty.subarray(4 * i, 4 * i + 4)
    const value = low! | (second! << 64n) | (third! << 128n) | (high! << 192n)
    assert.equal(value, i % 2 === 0 ? most - BigInt(i) : BigInt(i))
  }
  assert.deepEqual(
    [height[999], hash[32 * 999], gasUsed[5], failedTxCount.nulls[7]],
    [999, 0xab, 2n ** 64n - 1n, 1],
  )
  assert.equal(writer.take().rowCount, 0)
})
