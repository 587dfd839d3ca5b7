/** A user could not load the chain from the block files of a node. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Network } from '#kernel/bitcoin.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { NodeError } from '../../node/errors.ts'
import { openBlkSet } from './blkSource.ts'
import { readHeader } from './header.ts'

const MAGIC = Buffer.from('f9beb4d9', 'hex')

function recordsOf(path: string): Buffer[] {
  const file = readFileSync(path)
  const records: Buffer[] = []
  for (let at = 0; at < file.length; ) {
    const end = at + 8 + file.readUInt32LE(at + 4)
    records.push(file.subarray(at, end))
    at = end
  }
  return records
}

const firstRecords = (count: number): Buffer[] =>
  recordsOf(shared('data/bitcoin/runs/blk-0-4312.dat')).slice(0, count)

async function inFolder<T>(
  files: Readonly<Record<string, Uint8Array>>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-blk-'))
  try {
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const open = (paths: readonly string[], network: Network = 'mainnet') =>
  openBlkSet({ paths, network, heightOf: async () => null })

async function hashesOf(set: Awaited<ReturnType<typeof open>>): Promise<string[]> {
  const [chain] = set.chains
  const hashes: string[] = []
  if (chain)
    for await (const { height, hash, bytes } of chain.blocks(chain.fromHeight, chain.toHeight)) {
      assert.equal(height, hashes.length + chain.fromHeight)
      assert.equal(readHeader(bytes).hash, hash)
      hashes.push(hash)
    }
  return hashes
}

async function blocksOf(set: Awaited<ReturnType<typeof open>>): Promise<Buffer[]> {
  const blocks: Buffer[] = []
  for (const { blocks: read, fromHeight, toHeight } of set.chains)
    for await (const { bytes } of read(fromHeight, toHeight)) blocks.push(Buffer.from(bytes))
  return blocks
}

const hashesIn = (records: readonly Buffer[]): string[] =>
  records.map(record => readHeader(record.subarray(8)).hash)

test('the real run of 4313 blocks is one chain from genesis', skipWithoutShared, async () => {
  await using set = await open([shared('data/bitcoin/runs/blk-0-4312.dat')])
  assert.deepEqual(set.defects, [])
  assert.equal(set.chains.length, 1)
  const hashes = await hashesOf(set)
  assert.equal(hashes.length, 4313)
  assert.equal(hashes.at(-1), '00000000a9da635727dce622d78361b153ce3334e6a60d4377fad529abfc7863')
})

test(
  'blocks in any order, in any files, with padding and repeats are the same chain',
  skipWithoutShared,
  async () => {
    const records = firstRecords(120)
    const expected = hashesIn(records)
    const bodies = records.map(record => record.subarray(8))
    const order = fc.shuffledSubarray(
      records.map((_, i) => i),
      { minLength: 120 },
    )
    const layout = fc.array(fc.nat({ max: 3 }), { minLength: 120, maxLength: 120 })
    const paddings = fc.array(fc.nat({ max: 200 }), { minLength: 4, maxLength: 4 })
    const key = fc.oneof(fc.constant(undefined), fc.uint8Array({ minLength: 8, maxLength: 8 }))
    await fc.assert(
      fc.asyncProperty(order, layout, paddings, key, async (indexes, fileOf, padding, xor) => {
        const parts: Buffer[][] = [[], [], [], []]
        indexes.forEach((index, i) => {
          parts[fileOf[i]!]!.push(records[index]!)
        })
        // One block twice, as a node that was stopped hard leaves it.
        parts[0]!.push(records[5]!)
        const files: Record<string, Uint8Array> = xor ? { 'xor.dat': xor } : {}
        parts.forEach((part, i) => {
          const body = Buffer.concat(part)
          const scrambled = xor ? body.map((byte, at) => byte ^ xor[at % 8]!) : body
          // Zeros on disk, scrambled or not: space that the node has allocated ahead.
          files[`blk0000${i}.dat`] = Buffer.concat([scrambled, Buffer.alloc(padding[i]!)])
        })
        await inFolder(files, async folder => {
          await using set = await open([folder])
          assert.deepEqual(set.defects, [])
          assert.deepEqual(await hashesOf(set), expected)
          assert.deepEqual(await blocksOf(set), bodies)
        })
      }),
      { numRuns: 25 },
    )
  },
)

test(
  'of two branches the one with more work is the chain, the other one is stale',
  skipWithoutShared,
  async () => {
    const paths = ['blk-0-to-4', 'blk-3A', 'blk-4A', 'blk-5A'].map(name =>
      shared(`data/bitcoin/reorg/${name}.dat`),
    )
    const { files } = JSON.parse(readFileSync(shared('data/bitcoin/reorg/reorg.json'), 'utf8'))
    const [trunk, ...branch] = files.map(({ blocks }: { blocks: { hash: string }[] }) =>
      blocks.map(({ hash }) => hash),
    )
    for (const order of [paths, paths.toReversed()]) {
      await using set = await open(order)
      assert.deepEqual(await hashesOf(set), [...trunk.slice(0, 3), ...branch.flat()])
      assert.deepEqual(
        set.stale.map(({ height, hash }) => [height, hash]),
        [
          [3, trunk[3]],
          [4, trunk[4]],
        ],
      )
    }
    await using without = await open(paths.slice(0, 3))
    assert.deepEqual(await hashesOf(without), trunk, 'equal work: what came first stays')
  },
)

test(
  'blocks whose parent is nowhere keep no place, unless somebody knows their height',
  skipWithoutShared,
  async () => {
    const records = firstRecords(12)
    await inFolder({ 'blk00000.dat': Buffer.concat(records.slice(5)) }, async folder => {
      await using unknown = await open([folder])
      assert.deepEqual(unknown.chains, [])
      assert.deepEqual(
        unknown.unplaced.map(({ hashes }) => hashes.length),
        [7],
      )
      await using known = await openBlkSet({ paths: [folder], network: 'mainnet', heightOf: async () => 5 })
      assert.deepEqual([known.chains[0]?.fromHeight, known.chains[0]?.toHeight], [5, 11])
      assert.equal(await known.chains[0]?.hashAt(4), hashesIn(records)[4])
      assert.equal(await known.chains[0]?.hashAt(3), null)
      assert.equal(await known.chains[0]?.workAbove(9), 2n * 0x100010001n)
    })
  },
)

test('files of another network are refused by name', skipWithoutShared, async () => {
  await assert.rejects(open([shared('data/bitcoin/runs/blk-0-4312.dat')], 'testnet4'), thrown => {
    assert.ok(thrown instanceof NodeError)
    assert.equal(thrown.code, 'node.magic')
    assert.match(thrown.message, /holds blocks of mainnet, but Assay is set to testnet4/)
    return true
  })
  await inFolder({ 'blk00000.dat': Buffer.from('this is no block file at all') }, async folder => {
    await assert.rejects(open([folder]), /the magic of no network we know/)
  })
})

test('a scrambled file without its key is refused with a hint at the key', skipWithoutShared, async () => {
  const scrambled = firstRecords(3)[0]!.map((byte, at) => byte ^ [1, 2, 3, 4, 5, 6, 7, 8][at % 8]!)
  await inFolder({ 'blk00000.dat': scrambled }, async folder => {
    await assert.rejects(
      open([folder]),
      thrown => thrown instanceof NodeError && /xor\.dat/.test(thrown.hint ?? ''),
    )
  })
})

test(
  'a file cut short, and rubbish between records, are reported and cost no other block',
  skipWithoutShared,
  async () => {
    const records = firstRecords(10)
    const rubbish = Buffer.from('rubbish!')
    const body = Buffer.concat([...records.slice(0, 4), rubbish, ...records.slice(4)])
    await inFolder({ 'blk00000.dat': body.subarray(0, body.length - 20) }, async folder => {
      await using set = await open([folder])
      assert.deepEqual(await hashesOf(set), hashesIn(records.slice(0, 9)))
      assert.deepEqual(
        set.defects.map(({ reason }) => reason),
        ['8 bytes that are no record', 'the last record states 215 bytes, the file holds 195 of them'],
      )
    })
    const absurd = Buffer.concat([MAGIC, Buffer.from([0xff, 0xff, 0xff, 0x7f]), ...records])
    await inFolder({ 'blk00000.dat': absurd }, async folder => {
      await using set = await open([folder])
      assert.deepEqual(await hashesOf(set), hashesIn(records))
      assert.match(set.defects[0]?.reason ?? '', /a record that states 2147483647 bytes/)
    })
  },
)

test('a folder stands for its block files alone', skipWithoutShared, async () => {
  await inFolder({ 'rev00000.dat': Buffer.from('undo'), 'notes.txt': Buffer.from('x') }, async folder => {
    await cp(shared('data/bitcoin/reorg/blk-0-to-4.dat'), join(folder, 'blk00007.dat'))
    await using set = await open([folder])
    assert.equal((await hashesOf(set)).length, 5)
  })
})
