/** Real Bitcoin blocks would fail to decode or give sums that a node does not give. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { encodeBlock } from '#tests/encodeBlock.ts'
import { BLOCK_LISTS, csvRows, recordedBlock, recordedBlocks, recordedRun } from '#tests/recordedBlocks.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import type { DecodedBlock } from './block.ts'
import { openBitcoinCodec } from './index.ts'
import { type BlockSummary, summaryOf, sumSat } from './summary.ts'
import { txsOf } from './txsOf.ts'

const codec = openBitcoinCodec({ network: 'mainnet' })
const summarise = (block: DecodedBlock): BlockSummary => summaryOf(block, codec.payloads(block))
/** Statistics of Bitcoin Core leave the coinbase out of most sums. */
const coinbaseOf = (block: DecodedBlock) => ({
  size: block.txs.sizeBytes[0]!,
  weight: block.txs.weightWu[0]!,
})

for (const list of BLOCK_LISTS) {
  test(`every block of ${list} decodes to its listed figures and proves itself`, skipWithoutShared, () => {
    let count = 0
    for (const { bytes, ...listed } of recordedBlocks(list)) {
      const block = openBitcoinCodec({ network: listed.network ?? 'mainnet' }).decodeBlock(bytes)
      codec.checkBlock(block)
      assert.deepEqual(encodeBlock(block), bytes)
      const summary = summarise(block)
      const got: Record<string, unknown> = {
        ...summary,
        height: (listed.version ?? 2) < 2 ? listed.height : summary.height,
        outputSum: summary.outputSumSat,
        coinbaseValue: summary.coinbaseSat,
        taprootOutputs: summary.taprootOutputCount,
        opReturnOutputs: summary.opReturnCount,
        // The list leaves the coinbase out; the summary counts it.
        segwitTxs: summary.segwitTxCount - block.txs.hasWitness[0]!,
      }
      for (const [name, value] of Object.entries(listed)) {
        if (name in got) assert.deepEqual(got[name], value, `${listed.file}: ${name}`)
      }
      count += 1
    }
    assert.equal(
      count,
      { 'blocks.json': 46, 'reorg/stale-blocks.json': 19, 'blocks-testnet/blocks.json': 6 }[list],
    )
  })
}

test('4,313 consecutive blocks link, prove themselves and give the recorded sums', skipWithoutShared, () => {
  const sums = csvRows(readFileSync(shared('data/bitcoin/runs/blk-0-2999.csv'), 'utf8'))
  const stats = csvRows(readFileSync(shared('data/bitcoin/vectors/getblockstats-0-2999.csv'), 'utf8'))
  let previous = '0'.repeat(64)
  let height = 0
  for (const bytes of recordedRun()) {
    const block = codec.decodeBlock(bytes)
    codec.checkBlock(block)
    const summary = summarise(block)
    assert.equal(summary.prevHash, previous)
    previous = summary.hash
    const row = sums[height]
    const stat = stats[height]
    if (row !== undefined && stat !== undefined) {
      assert.deepEqual(
        [summary.hash, summary.size, summary.txCount, summary.inputCount, summary.outputCount].map(String),
        [row.hash, row.size_bytes, row.tx_count, row.input_count, row.output_count],
      )
      assert.deepEqual(
        [String(summary.outputSumSat), String(summary.coinbaseSat)],
        [row.output_sum_sat, row.coinbase_sat],
      )
      assertStats(block, stat)
    }
    height += 1
  }
  assert.equal(height, 4313)
})

/** What Bitcoin Core's `getblockstats` says and a block alone tells. */
function assertStats(block: DecodedBlock, stat: Readonly<Record<string, string | number>>): void {
  const { txs, inputs, outputs } = block
  const coinbase = coinbaseOf(block)
  const txBytes = txs.sizeBytes.reduce((sum, size) => sum + size, 0)
  const txWeight = txs.weightWu.reduce((sum, weight) => sum + weight, 0)
  const withWitness = [...txs.hasWitness.keys()].filter(tx => tx > 0 && txs.hasWitness[tx] === 1)
  const got = {
    blockhash: Buffer.from(block.hash).toString('hex'),
    time: block.timeS,
    txs: txs.count,
    ins: inputs.count - 1,
    outs: outputs.count,
    total_out: sumSat(outputs.valueSat.subarray(txs.firstOutput[1]!)),
    total_size: txBytes - coinbase.size,
    total_weight: txWeight - coinbase.weight,
    swtxs: withWitness.length,
    swtotal_size: withWitness.reduce((sum, tx) => sum + txs.sizeBytes[tx]!, 0),
    swtotal_weight: withWitness.reduce((sum, tx) => sum + txs.weightWu[tx]!, 0),
  }
  for (const [name, value] of Object.entries(got)) assert.equal(String(value), String(stat[name]), name)
}

test('block 696394 gives the statistics of Bitcoin Core', skipWithoutShared, () => {
  const file = shared('data/bitcoin/vectors/getblockstats-679999-699998.csv.gz')
  const stat = csvRows(gunzipSync(readFileSync(file)).toString()).find(row => row.height === '696394')
  assert.ok(stat)
  assertStats(codec.decodeBlock(recordedBlock('696394-7c6b7bc3')), stat)
})

test('a regtest chain gives the statistics of Bitcoin Core', skipWithoutShared, () => {
  const regtest = openBitcoinCodec({ network: 'regtest' })
  const recorded: { blocks: string[]; stats: ({ height: number } & Record<string, number | string>)[] } =
    JSON.parse(readFileSync(shared('data/bitcoin/vectors/core-rpc_getblockstats.json'), 'utf8'))
  const blocks = recorded.blocks.map(hex => regtest.decodeBlock(Buffer.from(hex, 'hex')))
  for (const block of blocks.slice(1)) regtest.checkBlock(block)
  for (const stat of recorded.stats) assertStats(blocks[stat.height]!, stat)
})

test(
  'the outputs of block 74638 exceed 2^53 each and 2^63 together, and stay exact',
  skipWithoutShared,
  () => {
    const stale = [...recordedBlocks('reorg/stale-blocks.json')].find(block => block.height === 74638)
    assert.ok(stale)
    const block = codec.decodeBlock(stale.bytes)
    assert.equal(summarise(block).outputSumSat, '18446744078759551616')
    assert.deepEqual(
      txsOf(block)[1]!.outputs.map(output => output.valueSat),
      ['9223372036854275808', '9223372036854275808'],
    )
  },
)

test('envelopes and runestones are counted as ord counts them', skipWithoutShared, () => {
  const counts = (name: string) => {
    const payloads = codec.payloads(codec.decodeBlock(recordedBlock(name)))
    const transactions = new Set(payloads.envelopes.map(envelope => envelope.txIndex)).size
    return { transactions, runestones: payloads.runestoneCount }
  }
  assert.deepEqual(counts('831124-250792d6'), { transactions: 260, runestones: 0 })
  assert.deepEqual(counts('951658-db9ca628'), { transactions: 85, runestones: 207 })
  const stale = [...recordedBlocks('reorg/stale-blocks.json')].map(({ height, bytes }) => {
    const { inscriptionCount, runestoneCount } = summarise(codec.decodeBlock(bytes))
    return [height, inscriptionCount, runestoneCount]
  })
  assert.ok(stale.some(([height, , runestones]) => height === 841424 && runestones === 2944))
  assert.ok(stale.some(([height, envelopes]) => height === 894070 && envelopes === 885))
})
