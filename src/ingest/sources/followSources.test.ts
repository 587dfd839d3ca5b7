/** Publishers would be polled twice, or not at all after a server stops. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { until } from '#kernel/until.testing.ts'
import { openStore, type Store } from '#store/index.ts'
import { openTestStore, STORE_KINDS } from '#store/testing.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { followSources } from './followSources.ts'
import { createRunner } from './runner.ts'
import { json, openPublisher, testSource } from './testing.ts'

let warehouse: Warehouse
before(async () => {
  warehouse = await openTestWarehouse()
})
after(() => warehouse[Symbol.asyncDispose]())

const leaderOf = async (store: Store): Promise<string | undefined> => {
  const [lease] = await store.query<{ holder: string }>(
    "SELECT holder FROM assay.leases WHERE name = 'lead sources' AND held_until > clock_timestamp()",
  )
  return lease?.holder
}

for (const kind of STORE_KINDS)
  describe(`following sources, with the store ${kind.name}`, { skip: kind.skip }, () => {
    test('of two that follow one leads; each request is asked once; when the leader goes the other takes over', async () => {
      await using store = await openTestStore(kind)
      await using publisher = await openPublisher()
      publisher.answer = json({ days: [{ date: '2026-03-09', tvl: 1e8 }] })
      const source = testSource(publisher.origin, { id: `test.${kind.name}`, requestsPerMinute: 600 })
      const catalog = await testCatalog()
      const follow = async (holder: string, stop: AbortSignal) => {
        await using own = await openStore({ home: store.home, url: store.url, log: silentLog })
        const deps = {
          warehouse,
          store: own,
          log: silentLog,
          catalog,
          sources: [source],
          keys: {},
          now: Date.now,
        }
        const runner = createRunner({ ...deps, holder })
        await followSources({ ...deps, runner, tickMs: 100, leadMs: 1_500 }, stop)
      }
      await using ending = new AsyncDisposableStack()
      const stops = { one: new AbortController(), other: new AbortController() }
      const running = {
        one: follow('one', stops.one.signal),
        other: follow('other', stops.other.signal),
      }
      ending.defer(async () => {
        for (const stop of Object.values(stops)) stop.abort()
        await Promise.allSettled(Object.values(running))
      })
      const runs = await until('both requests are answered', async () => {
        const found = await store.query<{ about: string; outcome: string }>(
          'SELECT about, outcome FROM assay.source_runs ORDER BY about',
        )
        return found.length >= 2 ? found : undefined
      })
      assert.deepEqual(runs, [
        { about: 'bob', outcome: 'figures' },
        { about: 'rootstock', outcome: 'figures' },
      ])
      const first = (await until('one leads', () => leaderOf(store))) as 'one' | 'other'
      const second = first === 'one' ? 'other' : 'one'
      stops[first].abort()
      await running[first]
      await until('the other leads', async () => (await leaderOf(store)) === second)
      // What the new leader finds is what the old one left: nothing is due, so nothing is asked twice.
      await store.query("UPDATE assay.source_jobs SET next_due = now() WHERE about = 'bob'")
      await until('the request that is due again is answered', async () => {
        const [count] = await store.query<{ n: number }>(
          "SELECT count(*)::integer AS n FROM assay.source_runs WHERE about = 'bob'",
        )
        return count?.n === 2
      })
      stops[second].abort()
      await running[second]
      const asked = await store.query<{ about: string; n: number }>(
        'SELECT about, count(*)::integer AS n FROM assay.source_runs GROUP BY about ORDER BY about',
      )
      assert.deepEqual(asked, [
        { about: 'bob', n: 2 },
        { about: 'rootstock', n: 1 },
      ])
      assert.equal(publisher.seen.length, 3)
    })
  })
