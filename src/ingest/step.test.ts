/** The ingest would follow the wrong branch or miss blocks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Effect, step } from './step.ts'

/** A chain as a list of hashes, lowest first; `from` is the height of the first. */
type Chain = { readonly from: number; readonly hashes: readonly string[] }

const chain = (from: number, text: string): Chain => ({
  from,
  hashes: [...text].map((name, i) => `${name}${from + i}`),
})
const at = ({ from, hashes }: Chain, height: number): string | null => hashes[height - from] ?? null
const tipOf = (of: Chain) => ({ height: of.from + of.hashes.length - 1, hash: of.hashes.at(-1)! })

/** Answers what `step` asks until it decides; each block weighs one. Returns the decision and the heights asked about. */
function settle(
  held: Chain,
  source: Chain,
  options: { allowDeepReorg?: boolean; knowsWork?: boolean } = {},
): { effect: Effect; asked: number[] } {
  const asked = new Map<number, { held: string | null; source: string | null }>()
  const weighed = new Map<number, { held: bigint; source: bigint | null }>()
  while (true) {
    const effect = step({
      fromHeight: held.from,
      heldTip: held.hashes.length === 0 ? undefined : tipOf(held),
      sourceTip: tipOf(source),
      asked,
      weighed,
      allowDeepReorg: options.allowDeepReorg ?? false,
      sourceFromHeight: source.from - 1,
    })
    if (effect.type === 'ask')
      asked.set(effect.height, { held: at(held, effect.height), source: at(source, effect.height) })
    else if (effect.type === 'weigh')
      weighed.set(effect.forkHeight, {
        held: BigInt(tipOf(held).height - effect.forkHeight),
        source: options.knowsWork === false ? null : BigInt(tipOf(source).height - effect.forkHeight),
      })
    else return { effect, asked: [...asked.keys()] }
  }
}

const decide = (held: string, source: string, options?: Parameters<typeof settle>[2]): Effect =>
  settle(chain(0, held), chain(0, source), options).effect

test('an empty run takes everything from its first height on', () => {
  assert.deepEqual(decide('', 'aaaa'), { type: 'append', fromHeight: 0, toHeight: 3 })
  const later = settle({ from: 2, hashes: [] }, chain(0, 'aaaa')).effect
  assert.deepEqual(later, { type: 'append', fromHeight: 2, toHeight: 3 })
  assert.deepEqual(settle({ from: 9, hashes: [] }, chain(0, 'aaaa')).effect, { type: 'idle', why: 'behind' })
})

test('a source that has grown is followed from the block above the tip', () => {
  assert.deepEqual(decide('aaa', 'aaaaa'), { type: 'append', fromHeight: 3, toHeight: 4 })
})

test('the same tip asks for nothing', () => {
  const { effect, asked } = settle(chain(0, 'aaa'), chain(0, 'aaa'))
  assert.deepEqual(effect, { type: 'idle', why: 'same' })
  assert.deepEqual(asked, [])
})

test('a source behind us on our own chain takes nothing back', () => {
  assert.deepEqual(decide('aaaaa', 'aaa'), { type: 'idle', why: 'behind' })
})

test('a branch with more work replaces ours from the fork on', () => {
  assert.deepEqual(decide('aaa', 'aabb'), { type: 'reorg', forkHeight: 1, depth: 1, toHeight: 3 })
  assert.deepEqual(decide('aaaaaaa', 'aabbbbbb'), { type: 'reorg', forkHeight: 1, depth: 5, toHeight: 7 })
})

test('a branch with the same or less work waits for the next block', () => {
  assert.deepEqual(decide('aaa', 'aab'), { type: 'idle', why: 'less_work' })
  assert.deepEqual(decide('aaaa', 'aab'), { type: 'idle', why: 'less_work' })
})

test('where work is unknown the height decides', () => {
  assert.equal(decide('aaa', 'aabb', { knowsWork: false }).type, 'reorg')
  assert.deepEqual(decide('aaa', 'aab', { knowsWork: false }), { type: 'idle', why: 'less_work' })
})

test('a reorg of 100 blocks is followed, one of 101 halts until it is allowed', () => {
  const held = (depth: number) => `a${'a'.repeat(depth)}`
  const source = (depth: number) => `a${'b'.repeat(depth + 1)}`
  assert.equal(decide(held(100), source(100)).type, 'reorg')
  assert.deepEqual(decide(held(101), source(101)), {
    type: 'halt',
    reason: 'deep_reorg',
    forkHeight: 0,
    depth: 101,
  })
  assert.equal(decide(held(101), source(101), { allowDeepReorg: true }).type, 'reorg')
})

test('another genesis block is another chain, whatever is allowed', () => {
  const effect = decide('aa', 'bbbb', { allowDeepReorg: true })
  assert.deepEqual(effect, { type: 'halt', reason: 'other_chain', forkHeight: -1, depth: 2 })
})

test('a run that begins above genesis may be replaced whole', () => {
  const { effect } = settle(chain(5, 'aa'), chain(0, 'bbbbbbbb'))
  assert.deepEqual(effect, { type: 'reorg', forkHeight: 4, depth: 2, toHeight: 7 })
})

test('the fork is found wherever it lies, with few questions', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.nat({ max: 400 }),
      fc.nat({ max: 400 }),
      (shared, ours, theirs) => {
        const held = chain(0, 'a'.repeat(shared + ours))
        const source = chain(0, 'a'.repeat(shared) + 'b'.repeat(theirs))
        const { effect, asked } = settle(held, source, { allowDeepReorg: true })
        assert.ok(
          asked.length <= 2 * Math.ceil(Math.log2(shared + ours + theirs)) + 2,
          `${asked.length} questions`,
        )
        if (ours === 0 && theirs === 0) assert.deepEqual(effect, { type: 'idle', why: 'same' })
        else if (theirs === 0) assert.deepEqual(effect, { type: 'idle', why: 'behind' })
        else if (ours === 0)
          assert.deepEqual(effect, { type: 'append', fromHeight: shared, toHeight: shared + theirs - 1 })
        else if (theirs <= ours) assert.deepEqual(effect, { type: 'idle', why: 'less_work' })
        else
          assert.deepEqual(effect, {
            type: 'reorg',
            forkHeight: shared - 1,
            depth: ours,
            toHeight: shared + theirs - 1,
          })
      },
    ),
  )
})
