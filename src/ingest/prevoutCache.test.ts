/** Fees and spent amounts would be computed from the wrong outputs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withView } from '#kernel/bytes.ts'
import type { OutputBatch } from './outputBatch.ts'
import { FoundOutput, PrevoutCache } from './prevoutCache.ts'

type Tx = { readonly txid: Uint32Array; readonly height: number; readonly outputs: readonly Output[] }
type Output = { readonly valueSat: bigint; readonly scriptType: number; readonly script: Uint8Array }

function batchOf(txs: readonly Tx[]): OutputBatch {
  const outputs = txs.flatMap(tx => tx.outputs)
  const offsets = new Uint32Array(outputs.length + 1)
  outputs.forEach(({ script }, i) => {
    offsets[i + 1] = offsets[i]! + script.length
  })
  const firstOutput = new Uint32Array(txs.length + 1)
  txs.forEach((tx, i) => {
    firstOutput[i + 1] = firstOutput[i]! + tx.outputs.length
  })
  return {
    txCount: txs.length,
    txidWords: Uint32Array.from(txs.flatMap(tx => [...tx.txid])),
    height: Uint32Array.from(txs, tx => tx.height),
    timeS: Uint32Array.from(txs, tx => tx.height * 600),
    firstOutput,
    valueWords: Uint32Array.from(
      outputs.flatMap(({ valueSat }) => [Number(valueSat & 0xffffffffn), Number(valueSat >> 32n)]),
    ),
    scriptType: Uint8Array.from(outputs, ({ scriptType }) => scriptType),
    scripts: withView(Buffer.concat(outputs.map(({ script }) => script))),
    scriptOffsets: offsets,
  }
}

const found = new FoundOutput()
function find(cache: PrevoutCache, txid: Uint32Array, vout: number) {
  if (!cache.find(txid, 0, vout, found)) return undefined
  return {
    valueSat: BigInt(found.valueLow) + (BigInt(found.valueHigh) << 32n),
    scriptType: found.scriptType,
    script: [...found.scripts.u8.subarray(found.scriptStart, found.scriptEnd)],
    height: found.height,
    timeS: found.timeS,
  }
}

// Few different words, so that txids often share the words that are hashed.
const txid = fc
  .array(fc.nat({ max: 2 }), { minLength: 8, maxLength: 8 })
  .map(words => Uint32Array.from(words))
const output: fc.Arbitrary<Output> = fc.record({
  valueSat: fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n }),
  scriptType: fc.nat({ max: 9 }),
  script: fc.uint8Array({ maxLength: 40 }),
})
const tx = fc.record({ txid, outputs: fc.array(output, { maxLength: 5 }) })
/** Batches of transactions of which some come again at another height: one txid always stands for the same outputs. */
const batches = fc
  .uniqueArray(tx, { minLength: 1, maxLength: 60, selector: one => one.txid.join() })
  .chain(universe =>
    fc.array(
      fc.array(
        fc
          .record({ one: fc.constantFrom(...universe), height: fc.nat({ max: 1000 }) })
          .map(({ one, height }) => ({ ...one, height })),
        { maxLength: 20 },
      ),
      { maxLength: 30 },
    ),
  )

/** What the cache should know: the outputs of each txid, at its newest height, but for those spent or never to be. */
function modelOf() {
  const txs = new Map<string, Tx & { readonly spent: Set<number> }>()
  return {
    txs,
    add: (one: Tx) => txs.set(one.txid.join(), { ...one, spent: new Set() }),
    isSpendable: (one: Tx & { readonly spent: Set<number> }, vout: number) =>
      vout < one.outputs.length && !one.spent.has(vout) && one.outputs[vout]!.script[0] !== 0x6a,
  }
}

test('the cache never gives a wrong answer, however small it is and whatever was spent', () => {
  fc.assert(
    fc.property(batches, fc.integer({ min: 2_000, max: 12_000 }), fc.integer(), (list, bytes, seed) => {
      const cache = new PrevoutCache(bytes, seed)
      const model = modelOf()
      let next = seed >>> 0
      for (const batch of list) {
        cache.add(batchOf(batch))
        for (const one of batch) model.add(one)
        for (const one of model.txs.values())
          for (let vout = 0; vout < 6; vout++) {
            const answer = find(cache, one.txid, vout)
            if (answer === undefined) continue
            assert.ok(model.isSpendable(one, vout), 'gone')
            const expected = one.outputs[vout]!
            assert.deepEqual(answer, {
              valueSat: expected.valueSat,
              scriptType: expected.scriptType,
              script: [...expected.script],
              height: one.height,
              timeS: one.height * 600,
            })
            next = (Math.imul(next, 1_103_515_245) + 12_345) >>> 0
            if (next % 3 > 0) continue
            cache.spend(found)
            one.spent.add(vout)
          }
      }
    }),
  )
})

test('a cache that is large enough answers for every output that can be spent', () => {
  fc.assert(
    fc.property(batches, fc.integer(), (list, seed) => {
      const cache = new PrevoutCache(1_000_000, seed)
      const model = modelOf()
      for (const batch of list) {
        cache.add(batchOf(batch))
        for (const one of batch) model.add(one)
      }
      for (const one of model.txs.values())
        for (let vout = 0; vout < 6; vout++)
          assert.equal(find(cache, one.txid, vout) !== undefined, model.isSpendable(one, vout))
    }),
  )
})

const made = (name: number, outputCount: number): Tx => ({
  txid: Uint32Array.of(name, 1, 2, 3, 4, 5, name * 7, name * 13),
  height: name,
  outputs: Array.from({ length: outputCount }, (_, i) => ({
    valueSat: BigInt(i),
    scriptType: 1,
    script: Uint8Array.of(i, name & 0xff),
  })),
})

test('what is unspent stays in reach from the number on that the cache names', () => {
  const cache = new PrevoutCache(40_000, 1)
  for (let name = 0; name < 5_000; name++) {
    cache.add(batchOf([made(name, 2)]))
    if (name % 100 > 0) continue
    for (let other = 0; other <= name; other++)
      if (other >= cache.wholeFrom) assert.ok(find(cache, made(other, 2).txid, 1), `${other} after ${name}`)
  }
  assert.ok(cache.wholeFrom > 4_000 && cache.wholeFrom < 5_000, `whole from ${cache.wholeFrom}`)
  assert.equal(find(cache, made(0, 2).txid, 0), undefined)
})

test('spent outputs make room before anything unspent goes', () => {
  const cache = new PrevoutCache(40_000, 1)
  cache.add(batchOf([made(0, 2)]))
  for (let name = 1; name < 5_000; name++) {
    cache.add(batchOf([made(name, 2)]))
    for (const vout of [0, 1]) {
      assert.ok(find(cache, made(name, 2).txid, vout))
      cache.spend(found)
      assert.equal(find(cache, made(name, 2).txid, vout), undefined)
    }
  }
  assert.equal(cache.wholeFrom, 0)
  assert.ok(find(cache, made(0, 2).txid, 0))
})

test('a transaction too large to hold stays out, and the number says so', () => {
  const cache = new PrevoutCache(20_000, 1)
  cache.add(batchOf([made(1, 2), made(2, 100_000), made(3, 2)]))
  assert.equal(cache.wholeFrom, 2)
  assert.equal(find(cache, made(2, 1).txid, 0), undefined)
  assert.ok(find(cache, made(3, 2).txid, 0))
})

test('after clear nothing answers', () => {
  const cache = new PrevoutCache(20_000, 1)
  cache.add(batchOf([made(1, 2)]))
  cache.clear()
  assert.equal(find(cache, made(1, 2).txid, 0), undefined)
  assert.equal(cache.outputCount, 0)
})
