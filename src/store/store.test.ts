/** Accounts and job state would be lost when the store dies or is shared. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import pg from 'pg'
import { silentLog } from '#kernel/log.ts'
import { until } from '#kernel/until.testing.ts'
import { MIGRATIONS } from './migrations.ts'
import { openStore, type Store } from './store.ts'
import { openTestStore, STORE_KINDS } from './testing.ts'

for (const kind of STORE_KINDS)
  describe(`store: ${kind.name}`, { skip: kind.skip }, () => {
    test('processes that open it at once find its tables made once, and one of a newer release is refused', async () => {
      await using place = await kind.open()
      const open = () => openStore({ ...place, log: silentLog })
      {
        const stores = await Promise.all([open(), open(), open()])
        const [first] = stores
        const steps = await first?.query('SELECT number FROM assay.migrations ORDER BY number')
        assert.deepEqual(
          steps,
          MIGRATIONS.map((_, i) => ({ number: i + 1 })),
        )
        await first?.query("INSERT INTO assay.migrations (number, name) VALUES (999, 'later')")
        for (const store of stores) await store[Symbol.asyncDispose]()
      }
      await assert.rejects(open(), { code: 'store.newer' })
    })

    test('statements of many that run at once never mix', async () => {
      await using store = await openTestStore(kind)
      await using other = await openStore({ home: store.home, url: store.url, log: silentLog })
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          (i % 2 === 0 ? store : other).query<{ n: number; t: string }>(
            'SELECT $1::integer AS n, $2::text AS t',
            [i, `text ${i}`],
          ),
        ),
      )
      assert.deepEqual(
        answers.map(([row]) => row),
        Array.from({ length: 100 }, (_, i) => ({ n: i, t: `text ${i}` })),
      )
    })

    test('a text of several statements that fails keeps nothing of it, and the next statement is none the wiser', async () => {
      await using store = await openTestStore(kind)
      await assert.rejects(
        store.query(
          "BEGIN; INSERT INTO assay.leases VALUES ('a', 'me', now()); INSERT INTO assay.leases VALUES ('a', 'you', now()); COMMIT",
        ),
        /duplicate key/,
      )
      assert.deepEqual(await store.query('SELECT count(*)::integer AS n FROM assay.leases'), [{ n: 0 }])
      assert.deepEqual(await store.query('SELECT 1 AS a; SELECT 2 AS a'), [{ a: 1 }, { a: 2 }])
    })

    test('a transaction is one owner’s until it ends, also where that owner only goes away', async () => {
      await using store = await openTestStore(kind)
      const owner = new pg.Client(await clientOf(store))
      await owner.connect()
      await owner.query("BEGIN; INSERT INTO assay.leases VALUES ('held', 'owner', now())")
      const read = store.query('SELECT name FROM assay.leases')
      // PostgreSQL answers at once, the embedded one once the owner is gone: neither shows what was never committed.
      await owner.end()
      assert.deepEqual(await read, [])
    })
  })

async function clientOf({ home, url }: { home: string; url?: string | undefined }): Promise<pg.ClientConfig> {
  if (url !== undefined) return { connectionString: url }
  const { port, token } = await endpointOf(home)
  return { host: '127.0.0.1', port, user: 'assay', password: token, database: 'postgres' }
}

const endpointOf = async (home: string): Promise<{ port: number; pid: number; token: string }> =>
  JSON.parse(await readFile(join(home, 'store', 'endpoint.json'), 'utf8'))

const [embedded] = STORE_KINDS

/** Rows of the first answer: until then the store may say that it is down, and nothing else. */
const answered = (store: Store, sql: string): Promise<unknown[]> =>
  until('the store answers again', () =>
    store.query(sql).catch(thrown => {
      assert.equal(thrown.code, 'store.down')
      return undefined
    }),
  )

test('a store whose process is killed is there again with the next statement, with all that was committed', async () => {
  await using store = await openTestStore(embedded!)
  for (let kill = 1; kill <= 3; kill++) {
    await store.query("INSERT INTO assay.leases VALUES ($1, 'me', now())", [`lease ${kill}`])
    const { pid } = await endpointOf(store.home)
    process.kill(pid, 'SIGKILL')
    // The statement that meets the death may fail; it says so and is nobody's wrong answer.
    const rows = await answered(store, 'SELECT name FROM assay.leases ORDER BY name')
    assert.equal(rows.length, kill)
  }
})

test('a store whose process stands still is ended and started again, whoever comes to it', async () => {
  await using place = await embedded!.open()
  await using store = await openStore({ ...place, silenceMs: 1_000, log: silentLog })
  await store.query("INSERT INTO assay.leases VALUES ('kept', 'me', now())")
  const { pid } = await endpointOf(place.home)
  process.kill(pid, 'SIGSTOP')
  // A process that comes now waits for it as well, and the statement of the first one fails or is answered.
  await using other = await openStore({ ...place, silenceMs: 1_000, log: silentLog })
  const names = 'SELECT name FROM assay.leases'
  assert.deepEqual(await other.query(names), [{ name: 'kept' }])
  assert.notEqual((await endpointOf(place.home)).pid, pid)
  assert.deepEqual(await answered(store, names), [{ name: 'kept' }])
})

test('a store that cannot start fails each statement with its reason, and works once the cause is gone', async () => {
  await using place = await embedded!.open()
  const version = join(place.home, 'store', 'data', 'PG_VERSION')
  const written = await readFile(version, 'utf8')
  await writeFile(version, '1\n')
  await assert.rejects(openStore({ ...place, log: silentLog }), { code: 'store.start' })
  await writeFile(version, written)
  await using store = await openStore({ ...place, log: silentLog })
  assert.deepEqual(await store.query('SELECT 1 AS one'), [{ one: 1 }])
})

test('who does not know the word is not let in, and bytes that are no protocol end their connection', async () => {
  await using store = await openTestStore(embedded!)
  const { port } = await endpointOf(store.home)
  const stranger = new pg.Client({ host: '127.0.0.1', port, user: 'assay', password: 'guess', database: 'x' })
  await assert.rejects(stranger.connect(), /wrong password/)
  for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '\xff\xff\xff\xff\xff\xff\xff\xff', '\0\0\0\0\0\0\0\0']) {
    const socket = connect({ host: '127.0.0.1', port })
    socket.on('error', () => {})
    socket.write(Buffer.from(bytes, 'latin1'))
    await once(socket, 'close')
  }
  assert.deepEqual(await store.query('SELECT 1 AS one'), [{ one: 1 }])
})

test('a server that is not there is told with its place and without its password', async () => {
  await assert.rejects(
    openStore({ home: '/nowhere', url: 'postgres://me:hunter2@127.0.0.1:1/assay', log: silentLog }),
    (error: Error & { code?: string }) => {
      assert.equal(error.code, 'store.down')
      assert.match(error.message, /127\.0\.0\.1:1\/assay does not answer/)
      return !error.message.includes('hunter2')
    },
  )
})
