/** One caller could block all queries of others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Slots } from './queue.ts'

const never = new AbortController().signal

test('no more run at once than there are places', async () => {
  const slots = new Slots({ running: 2, waiting: 10 })
  let running = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const slot = await slots.take('a', never)
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running--
      slot.release()
    }),
  )
  assert.equal(most, 2)
})

test('an asker with many statements does not hold up another with one', async () => {
  const slots = new Slots({ running: 1, waiting: 10 })
  const order: string[] = []
  const first = await slots.take('many', never)
  const run = async (asker: string, name: string) => {
    const slot = await slots.take(asker, never)
    order.push(name)
    slot.release()
  }
  const all = [run('many', 'm1'), run('many', 'm2'), run('many', 'm3'), run('one', 'o1')]
  first.release()
  await Promise.all(all)
  assert.deepEqual(order, ['m1', 'o1', 'm2', 'm3'])
})

test('who comes to a full queue is refused at once', async () => {
  const slots = new Slots({ running: 1, waiting: 1 })
  const held = await slots.take('a', never)
  const waiting = slots.take('b', never)
  await assert.rejects(slots.take('c', never), { code: 202, status: 503 })
  held.release()
  const next = await waiting
  next.release()
  const free = await slots.take('c', never)
  free.release()
})

test('who gives up waiting leaves the queue, and the place goes to the next', async () => {
  const slots = new Slots({ running: 1, waiting: 2 })
  const held = await slots.take('a', never)
  const patience = new AbortController()
  const impatient = slots.take('b', patience.signal)
  const patient = slots.take('c', never)
  patience.abort()
  await assert.rejects(impatient, { code: 394 })
  held.release()
  const slot = await patient
  slot.release()
})

test('a place given back twice is given back once', async () => {
  const slots = new Slots({ running: 1, waiting: 0 })
  const held = await slots.take('a', never)
  held.release()
  held.release()
  await slots.take('a', never)
  await assert.rejects(slots.take('a', never), { code: 202 })
})
