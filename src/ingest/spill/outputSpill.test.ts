/** Fees would be wrong after outputs moved from memory to disk. */
import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { withView } from '#kernel/bytes.ts'
import { silentLog } from '#kernel/log.ts'
import { until } from '#kernel/until.testing.ts'
import { smallDisk } from '#warehouse/testing.ts'
import type { OutputBatch } from '../outputBatch.ts'
import { FoundOutput, PrevoutCache } from '../prevoutCache.ts'
import type { Recalled } from '../prevouts.ts'
import { OutputSpill } from './outputSpill.ts'

type Tx = { readonly txid: Uint32Array; readonly height: number; readonly scripts: readonly Uint8Array[] }

/** So little that a few dozen transactions drive each other out. */
const TINY_BYTES = 4_000

function batchOf(txs: readonly Tx[]): OutputBatch {
  const scripts = txs.flatMap(tx => tx.scripts)
  const scriptOffsets = Uint32Array.from([0, ...scripts.map(({ length }) => length)])
  for (let i = 1; i < scriptOffsets.length; i++) scriptOffsets[i]! += scriptOffsets[i - 1]!
  const firstOutput = Uint32Array.from([0, ...txs.map(tx => tx.scripts.length)])
  for (let i = 1; i < firstOutput.length; i++) firstOutput[i]! += firstOutput[i - 1]!
  return {
    txCount: txs.length,
    txidWords: Uint32Array.from(txs.flatMap(({ txid }) => [...txid])),
    height: Uint32Array.from(txs, ({ height }) => height),
    timeS: Uint32Array.from(txs, ({ height }) => height * 600),
    firstOutput,
    valueWords: Uint32Array.from(scripts.flatMap((script, i) => [script.length, i & 1])),
    scriptType: Uint8Array.from(scripts, script => script.length % 9),
    scripts: withView(Buffer.concat(scripts)),
    scriptOffsets,
  }
}

/** Inputs that look for these outpoints, as a chunk holds them. */
function wanting(outpoints: readonly { txid: Uint32Array; vout: number }[]): Recalled {
  const prevTxid = new Uint8Array(Uint32Array.from(outpoints.flatMap(({ txid }) => [...txid])).buffer)
  const inputs = { prevTxid, prevVout: Uint32Array.from(outpoints, ({ vout }) => vout) }
  // Of a chunk the spill reads the outpoints alone.
  return { chunk: { inputs }, wanted: Uint32Array.from(outpoints, (_, row) => row) } as unknown as Recalled
}

type Answer = { height: number; timeS: number; scriptType: number; script: number[]; valueLow: number }

const answerOf = (found: FoundOutput): Answer => ({
  height: found.height,
  timeS: found.timeS,
  scriptType: found.scriptType,
  script: [...found.scripts.u8.subarray(found.scriptStart, found.scriptEnd)],
  valueLow: found.valueLow,
})

function spilled(spill: OutputSpill, outpoints: readonly { txid: Uint32Array; vout: number }[]) {
  const answers = new Map<number, Answer>()
  const half = outpoints.length >>> 1
  spill.find([wanting(outpoints.slice(0, half)), wanting(outpoints.slice(half))], (chunk, row, found) => {
    const i = chunk * half + row
    assert.ok(!answers.has(i), 'each outpoint is answered once')
    answers.set(i, answerOf(found))
  })
  return answers
}

function withFolder(run: (folder: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-spill-'))
    try {
      await run(folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

// Few different first words, so that many records share their key; the rest tells them apart.
const txs = fc.uniqueArray(
  fc.record({
    first: fc.oneof(fc.nat({ max: 5 }), fc.constant(2 ** 32 - 1), fc.nat({ max: 2 ** 32 - 1 })),
    second: fc.nat({ max: 1_000 }),
    scripts: fc.array(
      fc.uint8Array({ maxLength: 60 }).map(script => Uint8Array.of(0x51, ...script)),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
  }),
  { minLength: 40, maxLength: 400, selector: ({ first, second }) => `${first} ${second}` },
)

test(
  'what was made and not spent is found in memory or on disk, each output once and as it was made',
  withFolder(async folder => {
    await fc.assert(
      fc.asyncProperty(
        txs,
        fc.infiniteStream(fc.double({ min: 0, max: 0.99, noNaN: true })),
        async (made, chance) => {
          await using spill = new OutputSpill(folder, silentLog)
          const cache = new PrevoutCache(TINY_BYTES, 7, spill)
          const found = new FoundOutput()
          const unspent = new Map<string, { txid: Uint32Array; vout: number; answer: Answer }>()
          let height = 0
          const draw = (): number => chance.next().value!
          for (let from = 0; from < made.length; from += 10) {
            const batch = made.slice(from, from + 10).map(({ first, second, scripts }) => ({
              txid: Uint32Array.of(first, second, 0, 0, 0, 0, second, first),
              height: ++height,
              scripts,
            }))
            cache.add(batchOf(batch))
            for (const { txid, height, scripts } of batch)
              scripts.forEach((script, vout) => {
                const answer = {
                  height,
                  timeS: height * 600,
                  scriptType: script.length % 9,
                  script: [...script],
                  valueLow: script.length,
                }
                unspent.set(`${txid.join()}:${vout}`, { txid, vout, answer })
              })
            const spends = [...unspent].filter(() => draw() < 0.2)
            const rest: { txid: Uint32Array; vout: number; answer: Answer }[] = []
            for (const [key, one] of spends) {
              unspent.delete(key)
              if (cache.find(one.txid, 0, one.vout, found)) {
                assert.deepEqual(answerOf(found), one.answer)
                cache.spend(found)
              } else rest.push(one)
            }
            const stranger = { txid: Uint32Array.of(3, 1_001, 0, 0, 0, 0, 0, 0), vout: 0 }
            const answers = spilled(spill, [...rest, stranger])
            assert.equal(answers.size, rest.length)
            rest.forEach(({ answer }, i) => {
              assert.deepEqual(answers.get(i), answer)
            })
            // Merges go on between two groups.
            await turn()
          }
          assert.equal(cache.wholeFrom, 0)
        },
      ),
      { numRuns: 60 },
    )
  }),
)

test(
  'many runs become few, without what was found',
  withFolder(async folder => {
    await using spill = new OutputSpill(folder, silentLog)
    const cache = new PrevoutCache(TINY_BYTES, 7, spill)
    const made = Array.from({ length: 4_000 }, (_, i) => ({
      txid: Uint32Array.of(Math.imul(i, 0x9e3779b1), i, 0, 0, 0, 0, i, i),
      height: i,
      scripts: [Uint8Array.of(0x51, i & 255), Uint8Array.of(0x52)],
    }))
    for (let from = 0; from < made.length; from += 20) {
      cache.add(batchOf(made.slice(from, from + 20)))
      await turn()
    }
    await until('fewer than 40 runs are left', () => spill.runCount < 40)
    const old = made.slice(0, 3_000).map(({ txid }) => ({ txid, vout: 1 }))
    assert.equal(spilled(spill, old).size, old.length)
    assert.equal(
      spilled(
        spill,
        old.map(({ txid }) => ({ txid, vout: 0 })),
      ).size,
      old.length,
    )
  }),
)

const CHAIN = async (height: number): Promise<string> => `block ${height}`
const blockAt = (height: number) => ({ height, hash: `block ${height}` })

/** Transactions of one output each, ten a block. */
const chainOf = (count: number): Tx[] =>
  Array.from({ length: count }, (_, i) => ({
    txid: Uint32Array.of(Math.imul(i, 0x9e3779b1), i, 0, 0, 0, 0, i, i),
    height: Math.floor(i / 10),
    scripts: [Uint8Array.of(0x51, i & 255)],
  }))
const outpointsOf = (made: readonly Tx[]) => made.map(({ txid }) => ({ txid, vout: 0 }))

test(
  'what is not committed is forgotten, also while runs are being merged',
  withFolder(async folder => {
    await using spill = new OutputSpill(folder, silentLog)
    const cache = new PrevoutCache(TINY_BYTES, 7, spill)
    const made = chainOf(2_000)
    cache.add(batchOf(made))
    assert.ok(spilled(spill, outpointsOf(made)).size > 1_000)
    cache.clear()
    assert.equal(spilled(spill, outpointsOf(made)).size, 0)
    await turn()
    cache.add(batchOf(made.slice(0, 500)))
    spill.committed(blockAt(49))
    const held = spilled(spill, outpointsOf(made)).size
    cache.add(batchOf(made.slice(500)))
    cache.clear()
    const again = spilled(spill, outpointsOf(made))
    assert.ok(again.size >= held && [...again.keys()].every(i => i < 500), `${again.size} of ${held}`)
    spill.forkedAt(blockAt(20))
    assert.ok([...spilled(spill, outpointsOf(made)).keys()].every(i => i < 210))
  }),
)

test(
  'the runs of committed blocks are there after a stop, of the same chain alone, and damaged ones are left out',
  withFolder(async folder => {
    const made = chainOf(3_000)
    const found = async (hashAt: (height: number) => Promise<string | null>): Promise<number[]> => {
      await using spill = new OutputSpill(folder, silentLog)
      await spill.open(hashAt)
      return [...spilled(spill, outpointsOf(made)).keys()]
    }
    let held: number
    {
      await using spill = new OutputSpill(folder, silentLog)
      const cache = new PrevoutCache(TINY_BYTES, 7, spill)
      for (let from = 0; from < 2_000; from += 20) {
        cache.add(batchOf(made.slice(from, from + 20)))
        spill.committed(blockAt(from / 10 + 1))
        await turn()
      }
      held = spilled(spill, outpointsOf(made)).size
      // Not committed: must not be there again.
      cache.add(batchOf(made.slice(2_000)))
    }
    const after = await found(CHAIN)
    assert.ok(after.length >= held && Math.max(...after) < 2_000, `${after.length} of ${held}`)
    assert.deepEqual(await found(CHAIN), after, 'and after one more stop')

    const runs = readdirSync(join(folder, 'outputs')).filter(name => name.endsWith('.run'))
    assert.ok(runs.length >= 2)
    truncateSync(join(folder, 'outputs', runs[0]!), 4_000)
    writeFileSync(join(folder, 'outputs', '99.run.part'), 'cut off')
    const less = await found(CHAIN)
    assert.ok(less.length > 0 && less.length < after.length)

    // Its records are gone while what stands behind them is whole.
    const path = join(folder, 'outputs', runs[1]!)
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0, 0, bytes.length >>> 1))
    assert.ok((await found(CHAIN)).length < less.length)

    assert.deepEqual(await found(async height => `another block ${height}`), [])
    assert.deepEqual(await found(CHAIN), [], 'a run of another chain is no longer there')
  }),
)

test('a full disk is told in a sentence', async t => {
  using disk = smallDisk(1)
  if (disk === undefined) return t.skip('mounting a small disk needs root')
  await using spill = new OutputSpill(disk.path, silentLog)
  const cache = new PrevoutCache(400_000, 7, spill)
  const made = Array.from({ length: 60_000 }, (_, i) => ({
    txid: Uint32Array.of(i, i, 0, 0, 0, 0, i, i),
    height: i,
    scripts: [new Uint8Array(60).fill(0x51)],
  }))
  assert.throws(
    () => {
      for (let i = 0; i < 10; i++)
        cache.add(batchOf(made.map(one => ({ ...one, txid: one.txid.map(word => word + i * 60_000) }))))
    },
    { code: 'ingest.disk_full', message: /^The disk that holds .* is full\.$/ },
  )
  // What is committed is committed: where that cannot be written down, only a stop makes a difference.
  assert.ok(spill.runCount > 0)
  assert.throws(
    () => {
      for (;;) appendFileSync(join(disk.path, 'filler'), Buffer.alloc(4096))
    },
    { code: 'ENOSPC' },
  )
  spill.committed(blockAt(1))
})
