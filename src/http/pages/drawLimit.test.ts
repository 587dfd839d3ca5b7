/** One caller could take all page rendering and keep others waiting. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerNetwork } from '#kernel/callerNetwork.ts'
import { createDrawBudget } from './drawBudget.ts'
import { createDrawLimit, createPageDrawLimits, PAGE_DRAWS, PAST_DRAWS } from './drawLimit.ts'

const { choice: CHOICE_DRAWS, text: TEXT_DRAWS } = PAGE_DRAWS

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

test('one caller draws a burst of new pages, then as many as come back; who waits and the others are served', async () => {
  let nowMs = 0
  const draws = createDrawLimit(CHOICE_DRAWS, () => nowMs)
  let drawn = 0
  const ask = (caller: string) =>
    draws(caller, async () => {
      drawn += 1
    })
  for (let n = 0; n < CHOICE_DRAWS.burst; n++) await ask('a')
  // A refused request uses nothing of the budget, however often it is repeated.
  for (let n = 0; n < 1_000; n++)
    await assert.rejects(ask('a'), { code: 'http.draws_often', status: 429, retryAfterSeconds: 1 })
  assert.equal(drawn, CHOICE_DRAWS.burst)
  await ask('b')
  nowMs += 1_000
  await ask('a')
  await assert.rejects(ask('a'), { code: 'http.draws_often' })
  // A caller who comes back later has the whole burst again, and no more.
  nowMs += 3_600_000
  for (let n = 0; n < CHOICE_DRAWS.burst; n++) await ask('a')
  await assert.rejects(ask('a'), { code: 'http.draws_often' })
})

test('a reader who clicks a control each second for an hour is never refused', async () => {
  let nowMs = 0
  const draws = createDrawLimit(CHOICE_DRAWS, () => nowMs)
  for (let n = 0; n < 3_600; n++) {
    await draws('reader', async () => n)
    nowMs += 1_000
  }
})

test('addresses of one /64 share a budget, and those of one /48 have four times as much together', async () => {
  const draws = createDrawLimit(CHOICE_DRAWS, () => 0)
  const drawnBy = async (caller: (n: number) => string): Promise<number> => {
    let drawn = 0
    for (let n = 0; n < CHOICE_DRAWS.burst * 6; n++)
      await draws(callerNetwork(caller(n)), async () => {
        drawn += 1
      }).catch(() => {})
    return drawn
  }
  assert.equal(await drawnBy(n => `2001:db8:1:1::${n.toString(16)}`), CHOICE_DRAWS.burst)
  assert.equal(await drawnBy(n => `2001:db8:2:${n.toString(16)}::1`), CHOICE_DRAWS.burst * 4)
  // A mapped address is the IPv4 address that it carries.
  assert.equal(await drawnBy(n => (n % 2 ? '192.0.2.1' : '::ffff:192.0.2.1')), CHOICE_DRAWS.burst)
})

test('paging through lists leaves the budget and the places of searches alone, and the other way round', async () => {
  for (const [used, free] of [
    ['navigation', 'text'],
    ['text', 'navigation'],
    ['choice', 'navigation'],
  ] as const) {
    const limits = createPageDrawLimits(() => 0)
    for (let n = 0; n < PAGE_DRAWS[used].burst; n++) await limits[used]('a', async () => n)
    await assert.rejects(
      limits[used]('a', async () => 0),
      { code: 'http.draws_often' },
    )
    assert.equal(await limits[free]('a', async () => 'drawn'), 'drawn')
  }
})

test('callers who are gone take no memory', () => {
  let nowMs = 0
  const budget = createDrawBudget({ burst: 10, perMinute: 60 }, () => nowMs)
  for (let n = 0; n < 100_000; n++) {
    budget.charge([{ key: `caller ${n}`, share: 1 }])
    nowMs += 100
  }
  // Each is full again after a second, so ten are not at any time.
  assert.ok(budget.size <= 1_001, `${budget.size}`)
})

test('what was drawn before is drawn anew without a share of the budget, and takes a place', async () => {
  const draws = createDrawLimit({ ...PAST_DRAWS, burst: 1, perMinute: 1 }, () => 0)
  assert.equal(await draws('a', async () => 'new'), 'new')
  await assert.rejects(
    draws('a', async () => 'new'),
    { code: 'http.past_often' },
  )
  for (let time = 0; time < 5; time++) assert.equal(await draws('a', async () => 'known', true), 'known')
  const gate = Promise.withResolvers<void>()
  const open = Array.from({ length: 3 }, () => draws('a', () => gate.promise, true))
  gate.resolve()
  assert.deepEqual((await Promise.allSettled(open)).map(codeOf), ['drawn', 'drawn', 'http.past_often'])
})
