import assert from 'node:assert/strict'
import { after } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { silentLog } from '#kernel/log.ts'
import type { LiveSource } from '#sources/live.ts'
import type { Store } from '#store/index.ts'
import { openTestStore, type StoreKind } from '#store/testing.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { prepareJobs } from './prepareJobs.ts'
import { readSourceStates } from './readStates.ts'
import { createRunner } from './runner.ts'
import { openPublisher, type Publisher, testSource } from './testing.ts'

export const warehouse = await openTestWarehouse()

after(() => warehouse[Symbol.asyncDispose]())

export const ROOTSTOCK = { source: 'test.tvl', about: 'rootstock' }

export const DAY_MS = 86_400_000

export const NOON = Date.parse('2026-03-10T12:00:00Z')

export let cases = 0

/** A runner on a store, with a clock, a host and a source of its own, so that tests share store and warehouse. */
export async function openCase(store: Store, publisher: Publisher, more: Partial<LiveSource> = {}) {
  const id = `test.case${++cases}`
  const origin = publisher.origin.replace('http://localhost', `http://127.0.1.${cases}`)
  const source = testSource(origin, { id, ...more })
  const clock = { ms: NOON, timeoutMs: 60_000 }
  const catalog = await testCatalog()
  const keys: Record<string, string> = {}
  const deps = { warehouse, store, log: silentLog, catalog, sources: [source], keys, now: () => clock.ms }
  const runner = createRunner({
    ...deps,
    holder: id,
    random: () => 0,
    get timeoutMs() {
      return clock.timeoutMs
    },
  })
  await prepareJobs(store, { sources: [source], catalog, jobs: runner.jobs, now: new Date(clock.ms) })
  const rows = async (table: 'observations' | 'prices' | 'sources') => {
    const answer = await warehouse.reader.query({
      query: `SELECT * FROM ${table} WHERE ${table === 'sources' ? 'id' : 'source'} = {id:String} ORDER BY ALL`,
      query_params: { id },
      format: 'JSONEachRow',
    })
    return await answer.json<Record<string, string | number | null>>()
  }
  return {
    id,
    origin,
    clock,
    keys,
    runner,
    rows,
    run: async (isManual = false) => {
      const run = await runner.run({ source: id, about: 'rootstock' }, { isManual })
      assert.ok(run)
      return run
    },
    state: async () => {
      const { jobs } = await readSourceStates(store)
      const job = jobs.find(({ source: of, about }) => of === id && about === 'rootstock')
      assert.ok(job)
      return job
    },
    refusals: () =>
      store.query<{ code: string; field: string; size: number; kept: number }>(
        `SELECT code, field, body_bytes AS size, length(body) AS kept
FROM assay.source_refusals WHERE source = $1 ORDER BY id`,
        [id],
      ),
  }
}

const places = new Map<string, Promise<{ store: Store; publisher: Publisher }>>()

/** A store of that kind and a publisher, opened once in a process. */
export function openPlace(kind: StoreKind): Promise<{ store: Store; publisher: Publisher }> {
  const place =
    places.get(kind.name) ??
    Promise.all([openTestStore(kind), openPublisher()]).then(([store, publisher]) => ({ store, publisher }))
  places.set(kind.name, place)
  return place
}

after(async () => {
  for (const place of places.values()) {
    const { store, publisher } = await place
    await store[Symbol.asyncDispose]()
    await publisher[Symbol.asyncDispose]()
  }
})
