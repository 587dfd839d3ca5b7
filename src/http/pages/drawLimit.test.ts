import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDrawLimit, PAST_DRAWS, TEXT_DRAWS } from './drawLimit.ts'

const codeOf = (result: PromiseSettledResult<unknown>): string =>
  result.status === 'fulfilled' ? 'drawn' : (result.reason as { code: string }).code

test('one caller has two drawings at a time, and others are not kept out by it', async () => {
  const draws = createDrawLimit(PAST_DRAWS)
  const gate = Promise.withResolvers<void>()
  const own = Array.from({ length: 10 }, () => draws('a', () => gate.promise))
  const other = draws('b', async () => 'b')
  gate.resolve()
  assert.deepEqual((await Promise.allSettled(own)).map(codeOf), [
    ...['drawn', 'drawn'],
    ...Array<string>(8).fill('http.past_often'),
  ])
  assert.equal(await other, 'b')
  // What has ended counts no more, also where it failed.
  await assert.rejects(
    draws('a', () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  assert.equal(await draws('a', async () => 'again'), 'again')
})

test('of many callers two are drawn at once and twelve wait; the rest hear when to come back', async () => {
  const draws = createDrawLimit(PAST_DRAWS)
  const gate = Promise.withResolvers<void>()
  let [running, most] = [0, 0]
  const all = Array.from({ length: 20 }, (_, at) =>
    draws(`caller ${at}`, async () => {
      running += 1
      most = Math.max(most, running)
      await gate.promise
      running -= 1
    }),
  )
  const refused = all.slice(14)
  for (const one of refused)
    await assert.rejects(one, { code: 'http.past_busy', status: 503, retryAfterSeconds: 15 })
  gate.resolve()
  await Promise.all(all.slice(0, 14))
  assert.equal(most, 2)
})

test('the networks of one /48 have half of all places together', async () => {
  const draws = createDrawLimit(PAST_DRAWS)
  const gate = Promise.withResolvers<void>()
  const all = Array.from({ length: 10 }, (_, at) => draws(`2001:db8:0:${at}::/64`, () => gate.promise))
  gate.resolve()
  assert.equal((await Promise.allSettled(all)).map(codeOf).filter(code => code === 'drawn').length, 7)
})

test('a caller who fills the queue of searches leaves most places to others', async () => {
  const draws = createDrawLimit(TEXT_DRAWS)
  const gate = Promise.withResolvers<void>()
  const own = Array.from({ length: 40 }, () => draws('a', () => gate.promise))
  const refused = await Promise.allSettled(own.slice(TEXT_DRAWS.perCaller))
  assert.deepEqual([...new Set(refused.map(codeOf))], ['http.draws_often'])
  assert.ok(TEXT_DRAWS.perCaller * 2 < TEXT_DRAWS.atOnce + TEXT_DRAWS.maxWaiting)
  const others = Array.from({ length: 40 }, (_, at) => draws(`caller ${at}`, async () => at))
  gate.resolve()
  assert.equal((await Promise.all(others)).length, 40)
  await Promise.all(own.slice(0, TEXT_DRAWS.perCaller))
})
