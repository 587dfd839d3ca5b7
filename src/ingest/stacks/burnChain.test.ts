/** A Bitcoin reorg would leave Stacks blocks on the branch that lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BurnChain } from './burnChain.ts'

const told = (height: number, hash = `old ${height}`, parentHash: string | null = null) => ({
  height,
  hash,
  parentHash,
})

function chainTo(height: number): BurnChain {
  const chain = new BurnChain()
  for (let at = 100; at <= height; at++) chain.add(told(at))
  return chain
}

const lostOf = (chain: BurnChain): number[] =>
  [...chain.nodes()].flatMap(({ hash, height }) => (chain.isOrphaned(hash) ? [height] : []))

test('a height told again with another hash loses everything from there on', () => {
  const chain = chainTo(110)
  assert.equal(chain.add(told(108, 'new')), true)
  assert.deepEqual(lostOf(chain), [108, 109, 110])
  assert.equal(chain.tip, 108)
  assert.equal(chain.isOrphaned('never told of'), false)
})

test('messages that come twice or late change nothing', () => {
  const chain = chainTo(110)
  chain.add(told(108, 'new'))
  for (const late of [told(108), told(109), told(108, 'new'), told(107)]) assert.equal(chain.add(late), false)
  assert.deepEqual(lostOf(chain), [108, 109, 110])
})

test('a branch that lost comes back with a new block on it, whether nodes name parents or not', () => {
  const named = chainTo(110)
  named.add(told(108, 'new'))
  named.add(told(109, 'newer'))
  named.add(told(111, 'old 111', 'old 110'))
  assert.deepEqual(
    [named.isOrphaned('new'), named.isOrphaned('newer'), named.isOrphaned('old 109')],
    [true, true, false],
  )

  const held = chainTo(110)
  held.add(told(108, 'new'))
  const guessing = new BurnChain()
  guessing.reset(
    [...held.nodes()].map(node => ({ ...node, parentHash: null })),
    held.canonical,
  )
  for (let at = 108; at <= 111; at++) guessing.add(told(at))
  assert.deepEqual(lostOf(guessing), [108])
  assert.equal(guessing.isOrphaned('new'), true)
  assert.equal(guessing.tip, 111)
})

test('blocks that arrive in any order make the same chain where none of them compete', () => {
  const chain = new BurnChain()
  for (const at of [105, 103, 104, 100, 102, 101]) chain.add(told(at))
  assert.deepEqual([...chain.canonical].sort(), [...chainTo(105).canonical].sort())
})

test('what is settled is forgotten, and only what lost is reported', () => {
  const chain = chainTo(110)
  chain.add(told(103, 'new 103'))
  for (let at = 104; at <= 110; at++) chain.add(told(at, `new ${at}`))
  assert.deepEqual(
    chain.settle(105).map(({ hash }) => hash),
    ['old 103', 'old 104'],
  )
  assert.equal(chain.floor, 105)
  assert.equal(
    [...chain.nodes()].every(({ height }) => height >= 105),
    true,
  )
})
