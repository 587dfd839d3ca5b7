/** With several servers, queries would run without limits, get lost with a server, or be out of reach of the others. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { ClickHouseError } from '@clickhouse/client'
import { sentenceOf } from '#kernel/errors.ts'
import { silentLog } from '#kernel/log.ts'
import { until } from '#kernel/until.testing.ts'
import type { Store } from '#store/index.ts'
import { openTestStore, STORE_KINDS } from '#store/testing.ts'
import { schemaOf, type Warehouse } from '#warehouse/index.ts'
import { createExecutor, EXECUTION_LIMITS } from '../execute.ts'
import { openQueryTool, type QueryTool } from '../openQueryTool.ts'
import { createSharedTurns, type QueueStore, type SharedTurns } from './sharedTurns.ts'
import type { DailyUsage } from './usage.ts'

const LIMITS = { ...EXECUTION_LIMITS.turns, inAll: 4, ofMembers: 1, ofGuests: 1, waitMs: 500 }
const ENDLESS = 'SELECT endless'
const of = (name: string, role: 'guest' | 'member' = 'guest') =>
  ({ owner: name, caller: name, role, hasHistory: false }) as const
const never = new AbortController().signal

/** A block of one column and row in the format Native. */
const ONE_ROW = Buffer.from('\x01\x01\x03one\x05UInt8\x01', 'latin1')

/** An engine whose queries run until they are stopped, but for `SELECT 1` and `SELECT wrong`. */
const exec = ({ query, abort_signal }: { query: string; abort_signal: AbortSignal }) => {
  if (query.includes('endless'))
    return new Promise((_, reject) =>
      abort_signal.addEventListener('abort', () => reject(abort_signal.reason)),
    )
  if (query.includes('wrong'))
    return Promise.reject(
      new ClickHouseError({ message: 'Unknown wrong', code: '47', type: 'UNKNOWN_IDENTIFIER' }),
    )
  return Promise.resolve({ stream: Readable.from([ONE_ROW]), response_headers: {} })
}
const warehouse = {
  guest: { exec },
  member: { exec },
  kill: async () => false,
  progressOf: async () => undefined,
} as unknown as Warehouse

type TestServer = AsyncDisposable & {
  readonly tool: QueryTool
  readonly turns: SharedTurns
  /** As if the process was killed: its claims end with their lease. */
  vanish(): void
}

for (const kind of STORE_KINDS)
  describe(`several servers on one store, ${kind.name}`, { skip: kind.skip ?? false }, () => {
    const stack = new AsyncDisposableStack()
    let store: Store
    before(async () => {
      store = stack.use(await openTestStore(kind))
    })
    after(() => stack.disposeAsync())

    async function openServer(leaseMs = 2_000): Promise<TestServer> {
      await using opening = new AsyncDisposableStack()
      const home = await mkdtemp(join(tmpdir(), 'assay-queue-'))
      opening.defer(() => rm(home, { recursive: true, force: true }))
      let hasVanished = false
      const reached: QueueStore = {
        query: (text, values) => (hasVanished ? new Promise(() => {}) : store.query(text, values)),
      }
      const turns = createSharedTurns({ store: reached, limits: LIMITS, leaseMs, log: silentLog })
      opening.defer(() => (hasVanished ? undefined : turns[Symbol.asyncDispose]()))
      const executor = createExecutor({ warehouse, knownSql: () => [], log: silentLog, shared: turns })
      const tool = opening.use(
        await openQueryTool({
          reader: { home, memoryBytes: 256 * 2 ** 20 },
          resultBytes: 64 * 2 ** 20,
          executor,
          turns,
          warehouse,
          schema: schemaOf({ evm: [], stacksApps: [] }),
          data: { version: () => '1', asOf: async () => [] },
          store: reached,
          problemOf: thrown => ({ detail: sentenceOf(thrown) }),
          log: silentLog,
        }),
      )
      const opened = opening.move()
      return {
        tool,
        turns,
        vanish() {
          hasVanished = true
        },
        [Symbol.asyncDispose]: () => opened.disposeAsync(),
      }
    }

    const start = (server: TestServer, caller: ReturnType<typeof of>, sql = ENDLESS) =>
      server.tool.runs.start({ sql, parameters: {}, isFresh: true }, caller)
    const stateOf = async (server: TestServer, id: string, owner: string) =>
      (await server.tool.runs.get(id, owner))?.state

    test('a run is seen, followed and canceled from another server, and of nobody else', async () => {
      await using one = await openServer()
      await using two = await openServer()
      const { id } = await start(one, of('a'))
      await until('the other server sees it run', async () => (await stateOf(two, id, 'a')) === 'running')
      assert.equal(await two.tool.runs.get(id, 'b'), undefined)
      assert.equal(await two.tool.runs.cancel(id, 'b'), undefined)
      assert.equal(await stateOf(one, id, 'a'), 'running')
      const followed: string[] = []
      const following = (async () => {
        for await (const { state } of (await two.tool.runs.follow(id, 'a', never)) ?? []) followed.push(state)
      })()
      assert.equal((await two.tool.runs.cancel(id, 'a'))?.state, 'cancelled')
      await following
      assert.equal(followed.at(-1), 'cancelled')
      assert.equal(await stateOf(one, id, 'a'), 'cancelled')
      // The end of a run is there with its result.
      const quick = await start(one, of('a'), 'SELECT 1 AS one')
      const ended = await two.tool.runs.settle(quick.id, 'a', 30_000, never)
      assert.deepEqual([ended?.state, ended?.result?.rowCount], ['succeeded', 1])
      const wrong = await start(one, of('a'), 'SELECT wrong')
      const failed = await two.tool.runs.settle(wrong.id, 'a', 30_000, never)
      assert.match(JSON.stringify(failed?.problem), /wrong/)
    })

    test('limits of a caller and of all hold across servers, and a free slot is given to who waits', async () => {
      await using one = await openServer()
      await using two = await openServer()
      const first = await start(one, of('a'))
      await until('one runs', async () => (await stateOf(one, first.id, 'a')) === 'running')
      const second = await start(two, of('a'))
      await until('two run', async () => (await stateOf(two, second.id, 'a')) === 'running')
      const third = await start(two, of('a'))
      await until('the third waits', async () =>
        /2 queries of yours are running/.test((await two.tool.runs.get(third.id, 'a'))?.queue?.reason ?? ''),
      )
      // Of four slots guests leave one to members.
      const other = await start(one, of('b'))
      const full = await start(two, of('c'))
      await until('all slots of guests are taken', async () =>
        /All query slots/.test((await two.tool.runs.get(full.id, 'c'))?.queue?.reason ?? ''),
      )
      // Who runs nothing goes before who came first and runs two.
      await until(
        'it is the next',
        async () => (await two.tool.runs.get(full.id, 'c'))?.queue?.position === 1,
      )
      const member = await start(two, of('m', 'member'))
      await until('a member runs', async () => (await stateOf(two, member.id, 'm')) === 'running')
      await assert.rejects(
        two.tool.executor.run(
          { sql: 'SELECT 1' },
          {
            caller: 'a',
            role: 'guest',
            settings: {},
            maxRows: 10,
            overflow: 'throw',
            take: async () => ({}),
          },
        ),
        { code: 'sql.too_many_at_once' },
      )
      await one.tool.runs.cancel(first.id, 'a')
      await until('who had nothing runs', async () => (await stateOf(two, full.id, 'c')) === 'running')
      assert.equal(await stateOf(two, third.id, 'a'), 'queued')
      for (const [id, owner] of [
        [third.id, 'a'],
        [second.id, 'a'],
        [other.id, 'b'],
        [full.id, 'c'],
        [member.id, 'm'],
      ] as const)
        assert.equal((await one.tool.runs.cancel(id, owner))?.state, 'cancelled')
      await until('no slot is taken', async () => {
        const rows = await store.query('SELECT FROM assay.query_queue WHERE occupies')
        return rows.length === 0
      })
    })

    test('a run of a server that ended runs again on another, once', async () => {
      const one = await openServer(500)
      await using two = await openServer(500)
      const once = await start(one, of('a'), ENDLESS)
      await until('it runs', async () => (await stateOf(two, once.id, 'a')) === 'running')
      one.vanish()
      await until('the other server has it', async () => {
        const [row] = await store.query<{ server: string }>(
          'SELECT server::text FROM assay.query_queue WHERE id = $1',
          [once.id],
        )
        return row?.server === two.turns.server
      })
      const [row] = await store.query<{ attempts: number }>(
        'SELECT attempts FROM assay.query_queue WHERE id = $1',
        [once.id],
      )
      assert.equal(row?.attempts, 2)
      await until('it runs again', async () => (await stateOf(two, once.id, 'a')) === 'running')
      two.vanish()
      await using three = await openServer(500)
      await until('it failed', async () => (await stateOf(three, once.id, 'a')) === 'failed')
      assert.match(
        sentenceOf((await three.tool.runs.get(once.id, 'a'))?.error),
        /server ended while the query ran/,
      )
      await one[Symbol.asyncDispose]()
    })

    test('the quota of a day holds over all servers, is told before it is used up, and leaves others alone', async () => {
      const quotas = () => ({ runs: 2, seconds: 100, rows: 1e9, bytes: 1e9 })
      const [one, two] = [0, 1].map(() => createSharedTurns({ store, quotas, log: silentLog }))
      await using _one = one
      await using _two = two
      const take = async (turns: SharedTurns | undefined, asker: string) => {
        let usage: DailyUsage | undefined
        const id = randomUUID()
        const release = await turns?.take(asker, {
          claim: {
            id,
            queryId: id,
            isCounted: true,
            onCancel() {},
            onClaim(known) {
              usage = known
            },
          },
        })
        release?.()
        return usage?.runs.used
      }
      const asker = '2001:db8:7:1::/64'
      assert.equal(await take(one, asker), 1)
      assert.equal(await take(two, asker), 2)
      const refused = take(one, asker)
      await assert.rejects(refused, { code: 'sql.quota' })
      await refused.catch(({ message, facts }) => {
        assert.match(
          message,
          /quota of \d[\d,]* queries is used up\. It resets at \d{4}-\d\d-\d\d 00:00 UTC\./,
        )
        assert.ok(facts.retryAfterSeconds > 0 && facts.retryAfterSeconds <= 86_400)
      })
      // The networks of a /48 have four times as much as one of them.
      for (const network of [2, 3, 4])
        for (const nth of [1, 2]) assert.equal(await take(two, `2001:db8:7:${network}::/64`), nth)
      await assert.rejects(take(one, '2001:db8:7:9::/64'), { code: 'sql.quota' })
      assert.equal(await take(one, 'account:x'), 1)
      one?.spend('account:x', { ms: 100_001, rows: 5, bytes: 6 })
      await until('what was used is counted', async () => {
        const usage = await two?.usageOf('account:x', true)
        return usage?.seconds.used === 100 && usage.rows.used === 5 && usage.bytes.used === 6
      })
      await assert.rejects(take(two, 'account:x'), /execution time is used up/)
    })

    test('who used less of the day goes first, and nobody waits for ever', async () => {
      await using one = await openServer()
      const others = [await start(one, of('x')), await start(one, of('y')), await start(one, of('z'))]
      one.turns.spend('heavy', { ms: 60_000, rows: 0, bytes: 0 })
      await until(
        'the use is counted',
        async () => (await one.turns.usageOf('heavy', false))?.seconds.used === 60,
      )
      const heavy = await start(one, of('heavy'))
      const light = await start(one, of('light'))
      const places = async () => [
        (await one.tool.runs.get(heavy.id, 'heavy'))?.queue?.position,
        (await one.tool.runs.get(light.id, 'light'))?.queue?.position,
      ]
      await until('the light one is ahead', async () => (await places()).join() === '2,1')
      await store.query(
        "UPDATE assay.query_queue SET changed_at = changed_at - interval '1 minute' WHERE id = $1",
        [heavy.id],
      )
      await until('it has waited long enough', async () => (await places()).join() === '1,2')
      for (const [id, owner] of [
        ...others.map(({ id, owner }) => [id, owner] as const),
        [heavy.id, 'heavy'],
        [light.id, 'light'],
      ] as const)
        await one.tool.runs.cancel(id, owner)
      await until('no slot is taken', async () => {
        const rows = await store.query('SELECT FROM assay.query_queue WHERE occupies')
        return rows.length === 0
      })
    })

    test('without the store, queries run with the limits of one server', async () => {
      await using away = createSharedTurns({
        store: { query: () => Promise.reject(new Error('away')) },
        limits: LIMITS,
        log: silentLog,
      })
      const releases = [await away.take('a'), await away.take('a')]
      await assert.rejects(away.take('a'), { code: 'sql.too_many_at_once' })
      for (const release of releases) release()
      ;(await away.take('a'))()
    })
  })
