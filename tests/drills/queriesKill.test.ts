/** A query whose engine or server was killed would have no outcome, or half a result. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createRandom } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { seedOf } from '#kernel/seed.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { openResultFiles } from '#queries/results/resultFiles.ts'
import { openStore } from '#store/index.ts'
import { STORE_KINDS, type StoreKind } from '#store/testing.ts'
import { openWarehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { killEngine } from './killOne.ts'
import { OWNER, openQueriesServer } from './queriesServer.ts'

const isDrill = process.env.ASSAY_DRILL === '1'
/** `KILLS` makes a part of the drill. */
const KILLS = isDrill ? Number(process.env.KILLS ?? 200) : 2
const never = new AbortController().signal
const kind = STORE_KINDS[0] as StoreKind
/** An engine that was killed so often counts as one that cannot run, and waits longer each time. */
const KILLS_OF_ENGINE = 4

test(`each run of a server that is killed ${KILLS} times ends with a stated outcome and a whole result`, {
  timeout: 3_600_000,
}, async t => {
  const seed = seedOf(t)
  const random = createRandom(seed)
  await using place = await kind.open()
  await using warehouse = await openTestWarehouse({ home: place.home })
  await using store = await openStore({ ...place, log: silentLog })
  await using other = await openQueriesServer({ home: place.home, warehouse, store })
  const runs = new Map<string, number>()
  let kills = 0
  for (let round = 0; kills < KILLS; round++) {
    assert.ok(round < 3 * KILLS + 10, `${round - kills} servers had ended before they were killed`)
    const child = fork(
      fileURLToPath(new URL('./queriesChild.ts', import.meta.url)),
      [place.home, place.url ?? '', String(seed + round)],
      { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
    )
    const exited = once(child, 'exit')
    const steps = 1 + Math.floor(random() * 10)
    const isDue = new Promise<void>(resolve => {
      let seen = 0
      child.on('message', message => {
        const { id, rows } = message as { id: string; rows: number }
        runs.set(id, rows)
        if (++seen === steps) resolve()
      })
    })
    await Promise.race([isDue, exited])
    await delay(random() * 40)
    if (child.exitCode === null) {
      child.kill('SIGKILL')
      kills++
    }
    await exited
  }
  const outcomes: Record<string, number> = {}
  const results: string[] = []
  for (const [id, rows] of runs) {
    const run = await until(`run ${id} ends`, async () => {
      const found = await other.runs.get(id, OWNER.owner)
      // Of one owner 200 runs are kept: those before have ended long ago.
      if (found === undefined) return { state: 'forgotten', result: null, problem: null } as const
      return found.state === 'queued' || found.state === 'running' ? undefined : found
    })
    const code = run.state === 'failed' ? codeOf(run) : ''
    const outcome = `${run.state} ${code}`.trim()
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    assert.ok(['succeeded', 'forgotten', 'failed sql.server_ended'].includes(outcome), outcome)
    if (run.result === null) continue
    assert.equal(run.result.rowCount, rows)
    results.push(run.result.hash)
  }
  t.diagnostic(`${kills} kills, ${runs.size} runs: ${JSON.stringify(outcomes)}`)
  const folder = await resultFolder(place.home)
  await using files = await openResultFiles(folder, 4 * 2 ** 30, silentLog)
  for (const hash of results) assert.ok(await files.find(hash), `${hash} is stored`)
  for (const name of await readdir(folder)) {
    const hash = /^([0-9a-f]{64})\.json$/.exec(name)?.[1]
    if (hash === undefined) continue
    const { bytes, rowCount } = JSON.parse(await readFile(join(folder, name), 'utf8'))
    assert.equal((await stat(files.rowsOf(hash))).size, bytes, `${hash} is whole`)
    const { matchingRows } = await other.results.page(
      hash,
      {},
      { offset: 0, limit: 1 },
      {
        caller: 'drill',
        signal: never,
      },
    )
    assert.equal(matchingRows, rowCount)
  }
  assert.deepEqual(
    (await readdir(folder)).filter(name => name.endsWith('.draft')),
    [],
  )
})

test(`each run ends with a stated outcome while the engine is killed ${KILLS} times`, {
  timeout: 3_600_000,
}, async t => {
  const seed = seedOf(t)
  const random = createRandom(seed)
  await using place = await kind.open()
  await using store = await openStore({ ...place, log: silentLog })
  await (await openTestWarehouse({ home: place.home }))[Symbol.asyncDispose]()
  const outcomes: Record<string, number> = {}
  let runs = 0
  for (let kills = 0; kills < KILLS; ) {
    await using warehouse = await openWarehouse({
      home: place.home,
      memoryBytes: 512 * 2 ** 20,
      log: silentLog,
    })
    await using server = await openQueriesServer({ home: place.home, warehouse, store })
    for (let ofThis = 0; ofThis < KILLS_OF_ENGINE && kills < KILLS; ofThis++, kills++) {
      const started = await Promise.all(
        [0, 1].map(at =>
          server.runs.start(
            {
              sql: `SELECT sum(sipHash64(number, ${runs + at})) AS s FROM numbers(${20_000_000 + Math.floor(random() * 40_000_000)})`,
              parameters: {},
              isFresh: true,
            },
            OWNER,
          ),
        ),
      )
      runs += started.length
      await delay(random() * 150)
      await killEngine(place.home)
      for (const { id } of started) {
        const run = await server.runs.settle(id, OWNER.owner, 120_000, never)
        assert.ok(run !== undefined && run.state !== 'running' && run.state !== 'queued', `${run?.state}`)
        const outcome = `${run.state} ${run.state === 'failed' ? codeOf(run) : ''}`.trim()
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        assert.ok(
          ['succeeded', 'failed sql.engine_restarted', 'failed sql.unavailable'].includes(outcome),
          `${outcome}: ${run.error}`,
        )
        if (run.state === 'succeeded') assert.equal(run.result?.rowCount, 1)
      }
    }
  }
  t.diagnostic(`${KILLS} kills, ${runs} runs: ${JSON.stringify(outcomes)}`)
})

const codeOf = ({ error, problem }: { error?: unknown; problem?: unknown }): string =>
  ((problem ?? error) as { code?: string } | null)?.code ?? 'none'

async function resultFolder(home: string): Promise<string> {
  const found = (await readdir(home, { recursive: true, withFileTypes: true })).find(entry =>
    /^[0-9a-f]{64}\.native$/.test(entry.name),
  )
  assert.ok(found, 'results are stored')
  return found.parentPath
}
