/** An upload would be incomplete, mix two versions or be lost after a crash of the server or its engine. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import process from 'node:process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createRandom } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { seedOf } from '#kernel/seed.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { createUploads } from '#queries/index.ts'
import { openStore } from '#store/index.ts'
import { STORE_KINDS, type StoreKind } from '#store/testing.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { killOne } from './killOne.ts'
import { OWNER } from './queriesServer.ts'

const isDrill = process.env.ASSAY_DRILL === '1'
/** Set `KILLS` to run only part of the drill. */
const KILLS = isDrill ? Number(process.env.KILLS ?? 200) : 2
const CHANGES_OF_CHILD = 12
const kind = STORE_KINDS[0] as StoreKind

/** Rows of an upload by the change that wrote them. */
type Content = Readonly<Record<number, number>>
type Change = { change: number; name: string; mode: string; rows: number }
type Told = Change | { change: number; isDone: true }

test(`each upload of a server that is killed ${KILLS} times while it writes is whole or absent`, {
  timeout: 3_600_000,
}, async t => {
  const seed = seedOf(t)
  const random = createRandom(seed)
  await using place = await kind.open()
  const schema = { tables: [], baseViews: [], fills: [], views: [] }
  await using warehouse = await openTestWarehouse({ home: place.home, schema })
  await using store = await openStore({ ...place, log: silentLog })
  /** Queries the engine, with retries because it may be restarting after a kill. */
  const rowsOf = <T>(query: string): Promise<T[]> =>
    until(`the engine answers ${query}`, () =>
      warehouse.writer
        .query({ query, format: 'JSONEachRow' })
        .then(answer => answer.json<T>())
        .catch(() => undefined),
    )
  let known = new Map<string, Content>()
  const outcomes: Record<string, number> = {}
  let kills = 0
  for (let round = 0; kills < KILLS; round++) {
    assert.ok(round < 3 * KILLS + 10, `${round - kills} servers had ended before they were killed`)
    const child = fork(
      fileURLToPath(new URL('./uploadsChild.ts', import.meta.url)),
      [place.home, place.url ?? '', String(seed + round), String(round * CHANGES_OF_CHILD)],
      { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
    )
    let open: Change | undefined
    child.on('message', message => {
      const told = message as Told
      if ('isDone' in told) {
        if (open !== undefined) known = changed(known, open)
        open = undefined
      } else open = told
    })
    const kill = await killOne(child, place.home, random, {
      most: 4,
      withinMs: 150,
      counts: message => !('isDone' in (message as Told)),
    })
    if (kill !== undefined) kills++
    const found = await contents()
    const isMade = open !== undefined && isSame(found, changed(known, open))
    if (!isMade) assert.deepEqual(found, known, `seed ${seed}, ${kill?.moment}, ${JSON.stringify(open)}`)
    const outcome = open === undefined ? 'between two' : `${open.mode} ${isMade ? 'made' : 'not made'}`
    if (kill !== undefined) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    known = found
  }
  t.diagnostic(`${kills} kills: ${JSON.stringify(outcomes)}`)
  const later = () => Date.now() + 2 * 3_600_000
  const uploads = createUploads({
    warehouse,
    store,
    drafts: undefined as never,
    log: silentLog,
    now: later,
  })
  await uploads.sweep()
  const databases = await rowsOf<{ name: string }>(
    "SELECT name FROM system.databases WHERE startsWith(name, 'uploads_') ORDER BY name",
  )
  const listed = await store.query<{ name: string }>(
    'SELECT database AS name FROM assay.uploads ORDER BY database',
  )
  assert.deepEqual(databases, listed)

  /** Contents of each upload, by the change that wrote them. Each change numbers its rows from 0. */
  async function contents(): Promise<Map<string, Content>> {
    const all = new Map<string, Content>()
    const listed = await store.query<{ name: string; database: string; row_count: string }>(
      'SELECT name, database, row_count FROM assay.uploads WHERE owner = $1 ORDER BY name',
      [OWNER.owner],
    )
    for (const { name, database, row_count } of listed) {
      const parts = await rowsOf<{ change: number; rows: number; isWhole: number }>(
        `SELECT toFloat64(change) AS change, toFloat64(count()) AS rows, uniqExact(row) = count() AND min(row) = 0 AND max(row) = count() - 1 AS isWhole FROM ${database}.${name} GROUP BY change ORDER BY change`,
      )
      assert.ok(
        parts.every(({ isWhole }) => Boolean(isWhole)),
        `seed ${seed}, ${name}: ${JSON.stringify(parts)}`,
      )
      assert.equal(
        parts.reduce((sum, { rows }) => sum + rows, 0),
        Number(row_count),
      )
      all.set(name, Object.fromEntries(parts.map(({ change, rows }) => [change, rows])))
    }
    return all
  }
})

/** The uploads after a change. */
function changed(before: ReadonlyMap<string, Content>, { change, name, mode, rows }: Change) {
  const after = new Map(before)
  if (mode === 'remove') after.delete(name)
  else after.set(name, { ...(mode === 'append' ? before.get(name) : {}), [change]: rows })
  return new Map([...after].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const isSame = (a: ReadonlyMap<string, Content>, b: ReadonlyMap<string, Content>): boolean =>
  JSON.stringify([...a]) === JSON.stringify([...b])
