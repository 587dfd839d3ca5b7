/** A few callers could take every query slot. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns, type Turns } from './turns.ts'

const LIMITS = { perAsker: 2, inAll: 8, ofMembers: 2, sharedFrom: 2, waitMs: 60_000 }
const REFUSED = { code: 'sql.too_many_at_once' }
const takeAll = (turns: Turns, askers: readonly string[]) =>
  Promise.all(askers.map(asker => turns.take(asker)))
/** What has come of a promise once all that was due has run. */
const stateOf = async (promise: Promise<unknown>): Promise<string> => {
  let state = 'waiting'
  promise.then(() => {
    state = 'taken'
  })
  await new Promise(resolve => setImmediate(resolve))
  return state
}

test('four addresses cannot hold all slots: a newcomer runs at once', async () => {
  const turns = createTurns(LIMITS)
  const busy = ['a', 'b', 'c', 'd']
  // Each takes two where it can: who comes first takes most.
  for (const asker of busy) {
    await turns.take(asker)
    await turns.take(asker).catch(cause => assert.equal(cause.code, REFUSED.code))
  }
  for (const asker of busy) await assert.rejects(turns.take(asker), REFUSED)
  await turns.take('newcomer')
})

test('where every slot of guests is taken, who waits gets the next one in turn, and members still run', async () => {
  const turns = createTurns(LIMITS)
  const [release] = await takeAll(turns, ['a', 'b', 'c', 'd', 'e', 'f'])
  const [first, second] = [turns.take('first'), turns.take('second')]
  assert.equal(await stateOf(first), 'waiting')
  const ofMember = await turns.take('member', { isMember: true })
  ofMember()
  assert.equal(await stateOf(first), 'waiting')
  await turns.take('member', { isMember: true })
  release?.()
  release?.()
  assert.deepEqual([await stateOf(first), await stateOf(second)], ['taken', 'waiting'])
  ;(await first)()
  assert.equal(await stateOf(second), 'taken')
})

test('a slot that is released goes to who came first, once', async () => {
  const turns = createTurns({ ...LIMITS, ofMembers: 0, inAll: 1, sharedFrom: 1 })
  const release = await turns.take('a')
  const [first, second] = [turns.take('first'), turns.take('second')]
  // One that waits counts as its caller's own.
  await assert.rejects(turns.take('first'), REFUSED)
  release()
  release()
  assert.deepEqual([await stateOf(first), await stateOf(second)], ['taken', 'waiting'])
  ;(await first)()
  assert.equal(await stateOf(second), 'taken')
})

test('who gives up waiting, or waits too long, leaves no trace', async () => {
  const turns = createTurns({ ...LIMITS, ofMembers: 0, inAll: 1, sharedFrom: 1, waitMs: 5 })
  const release = await turns.take('a')
  const gone = new AbortController()
  const left = turns.take('b', { signal: gone.signal })
  gone.abort(new Error('gone'))
  await assert.rejects(left, /gone/)
  await assert.rejects(turns.take('b'), REFUSED)
  release()
  ;(await turns.take('b'))()
  await turns.take('c')
})

test('one IPv6 network counts once, and its /48 has four times as much', async () => {
  const turns = createTurns({ ...LIMITS, inAll: 100, sharedFrom: 100 })
  const network = (at: number) => `2001:db8:1:${at}::/64`
  await takeAll(turns, [network(0), network(0)])
  await assert.rejects(turns.take(network(0)), REFUSED)
  await takeAll(turns, [1, 1, 2, 2, 3, 3].map(network))
  await assert.rejects(turns.take(network(4)), REFUSED)
  await turns.take('2001:db8:2:0::/64')
})

test('an IPv6 /48 cannot hold more than half of the slots of guests', async () => {
  const turns = createTurns(LIMITS)
  const network = (at: number) => `2001:db8:1:${at}::/64`
  await takeAll(turns, [1, 2, 3].map(network))
  await assert.rejects(turns.take(network(4)), REFUSED)
  await takeAll(turns, ['a', 'b', 'c'])
})

test('in the queue a caller waits for its own queries, hears its place, and later callers may go first', async () => {
  const turns = createTurns(LIMITS)
  const places: string[] = []
  const queue = { most: 2, onChange: (at: number, reason: string) => places.push(`${at} ${reason}`) }
  const first = await turns.take('a', { queue })
  const second = turns.take('a', { queue })
  assert.equal(await stateOf(second), 'taken')
  const third = turns.take('a', { queue })
  assert.equal(await stateOf(third), 'waiting')
  assert.match(places.at(-1) ?? '', /^1 2 queries of yours are running/)
  const fourth = turns.take('a', { queue })
  await assert.rejects(turns.take('a', { queue }), REFUSED)
  ;(await turns.take('b', { queue }))()
  first()
  assert.deepEqual([await stateOf(third), await stateOf(fourth)], ['taken', 'waiting'])
  assert.match(places.at(-1) ?? '', /^1 /)
  ;(await second)()
  assert.equal(await stateOf(fourth), 'taken')
})

test('who leaves the queue is forgotten, and the others move up', async () => {
  const turns = createTurns({ ...LIMITS, ofMembers: 0, inAll: 1, sharedFrom: 1 })
  const release = await turns.take('a')
  const seen: number[] = []
  const gone = new AbortController()
  const silent = { most: 1, onChange: () => {} }
  const left = turns.take('b', { queue: silent, signal: gone.signal })
  const next = turns.take('c', { queue: { most: 1, onChange: at => seen.push(at) } })
  assert.deepEqual(seen, [2])
  gone.abort(new Error('gone'))
  await assert.rejects(left, /gone/)
  assert.deepEqual(seen, [2, 1])
  release()
  ;(await next)()
})
