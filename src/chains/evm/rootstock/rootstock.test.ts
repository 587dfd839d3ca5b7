/** Rootstock blocks would be accepted without their proof of work. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedEvmBlocks, recordedLines } from '#tests/recordedEvm.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { bytesOf } from '../hex.ts'
import { DecodeError, openEvmCodec, type RootstockHeader } from '../index.ts'
import { RlpWriter } from '../rlp/writer.ts'
import { rootstockFormOf, rootstockHeaderHash } from './header.ts'
import { mergedMiningOf } from './mergedMining.ts'
import { rootstockRoot } from './trie.ts'

const codec = openEvmCodec({ chainId: 30, headerForm: 'rootstock', checksumChainId: 30 })
const writer = new RlpWriter()
const mainnet = (): { raw: string; header: RootstockHeader; told: Record<string, unknown> }[] =>
  recordedLines('rootstock-mainnet-headers.jsonl.gz').map(told => ({
    raw: told.rlp,
    told,
    header: codec.decodeHeader(bytesOf(told.rlp)) as RootstockHeader,
  }))

test(
  '256 headers of the main network: hash, fields, link, and the proof that Bitcoin was mined for them',
  skipWithoutShared,
  () => {
    const headers = mainnet()
    assert.equal(headers.length, 256)
    headers.forEach(({ header, told }, at) => {
      assert.equal(header.hash, told.hash)
      assert.equal(header.number, told.number)
      assert.equal(header.timeS, told.timestamp)
      assert.equal(header.miner, told.miner)
      assert.equal(header.difficulty, BigInt(told.difficulty as string))
      assert.equal(header.paidFees, BigInt(told.paidFees as string))
      assert.equal(header.minimumGasPrice, BigInt(told.minimumGasPrice as string))
      assert.equal(header.uncleCount, told.uncleCount)
      if (at > 0) assert.equal(header.parentHash, headers[at - 1]!.header.hash)
      const proof = mergedMiningOf(header, writer)
      assert.equal(proof?.bitcoinHash, told.bitcoinHeaderHash)
      assert.equal(proof?.meetsDifficulty, true)
      assert.equal(proof?.isTagged, true)
      assert.equal(proof?.tag?.slice(0, 42), String(told.hashForMergedMining).slice(0, 42))
      // RSKIP-110: the tag ends with the number of the block.
      assert.equal(Number(`0x${proof?.tag?.slice(-8)}`), told.number)
    })
  },
)

test('a proof for another block, or too little work, is told', skipWithoutShared, () => {
  const [one, other] = mainnet()
  const swapped = { ...one!.header, bitcoinCoinbase: other!.header.bitcoinCoinbase }
  assert.equal(mergedMiningOf(swapped, writer)?.isTagged, false)
  const hard = { ...one!.header, difficulty: one!.header.difficulty * 10n ** 9n }
  const hash = rootstockHeaderHash(hard, { hasUmmRoot: true, version: 0, hasProof: false }, writer)
  assert.equal(mergedMiningOf({ ...hard, hash }, writer)?.meetsDifficulty, false)
  assert.equal(mergedMiningOf({ ...one!.header, number: 5 }, writer), null)
})

test(
  'the first header as a node answers it is known by its hash, whichever form its fork had',
  skipWithoutShared,
  () => {
    const [one] = mainnet()
    assert.deepEqual(rootstockFormOf(one!.header, writer), { hasUmmRoot: true, version: 0, hasProof: false })
    for (const { name, codec, answers } of recordedEvmBlocks) {
      if (!name.startsWith('rootstock')) continue
      const { header } = codec.readBlock(answers())
      assert.deepEqual(rootstockFormOf(header as RootstockHeader, writer), {
        hasUmmRoot: false,
        version: 0,
        hasProof: false,
      })
    }
  },
)

test(
  'headers with an extension (RSKIP-351, -535) commit to the bloom, the edges and the base event',
  skipWithoutShared,
  () => {
    const [one] = mainnet()
    const edges = { ...one!.header, edges: [2, 300] }
    const form = { hasUmmRoot: true, version: 1, hasProof: false } as const
    const hash = rootstockHeaderHash(edges, form, writer)
    assert.deepEqual(rootstockFormOf({ ...edges, hash }, writer), form)
    for (const changed of [
      { ...edges, edges: [3, 300] },
      { ...edges, logsBloom: `0x${'01'.repeat(256)}` as const },
      { ...edges, baseEvent: '0x0102' as const },
    ])
      assert.equal(rootstockFormOf({ ...changed, hash }, writer), null)
    const event = { ...edges, baseEvent: '0x0102' as const }
    const withEvent = { hasUmmRoot: true, version: 2, hasProof: false } as const
    assert.deepEqual(
      rootstockFormOf({ ...event, hash: rootstockHeaderHash(event, withEvent, writer) }, writer),
      withEvent,
    )
  },
)

test('raw headers that are none are refused with their place', skipWithoutShared, () => {
  const raw = bytesOf(mainnet()[0]!.raw)
  for (const bytes of [
    raw.subarray(0, 40),
    Buffer.concat([raw, Buffer.of(0)]),
    Buffer.of(0xc0),
    Buffer.alloc(0),
  ])
    assert.throws(() => codec.decodeHeader(bytes), DecodeError)
})

test('an empty list has the hash of the empty trie', () => {
  const empty = '56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
  assert.equal(rootstockRoot([], 'unitrie').toString('hex'), empty)
  assert.equal(rootstockRoot([], 'orchid').toString('hex'), empty)
})
