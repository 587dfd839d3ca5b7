/** A killed sync of sources would lose or double figures. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openPublisher } from '#ingest/sources/testing.ts'
import { createRandom } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { seedOf } from '#kernel/seed.testing.ts'
import { openStore } from '#store/index.ts'
import { STORE_KINDS } from '#store/testing.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { killOne } from './killOne.ts'
import { ABOUT } from './sourcesAbout.ts'

const isDrill = process.env.ASSAY_DRILL === '1'
const KILLS = isDrill ? 100 : 5
const FIRST_DAY = Date.parse('2026-01-01T00:00:00Z')
const DAY_MS = 86_400_000

type Figure = { readonly date: string; readonly tvl: number }

/** What the publisher says in a round: a day more each time, and another figure for the day before the newest. */
const daysOf = (round: number): Figure[] =>
  Array.from({ length: round + 2 }, (_, i) => ({
    date: new Date(FIRST_DAY + i * DAY_MS).toISOString().slice(0, 10),
    tvl: 1e8 + i * 1000 + (i === round ? 1 : i < round ? 2 : 0),
  }))

const closeOf = (round: number): number => 70_000 + round

for (const kind of isDrill ? STORE_KINDS : STORE_KINDS.slice(0, 1))
  test(`killed ${KILLS} times at any point, asking publishers loses nothing and doubles nothing: store ${kind.name}`, {
    timeout: 3_600_000,
    ...(kind.skip !== undefined && { skip: kind.skip }),
  }, async t => {
    const seed = seedOf(t)
    const random = createRandom(seed)
    await using place = await kind.open()
    await using publisher = await openPublisher()
    let round = 0
    publisher.answer = (_, response) =>
      void response.end(JSON.stringify({ days: daysOf(round), close: closeOf(round) }))
    const start = (): ChildProcess =>
      fork(
        fileURLToPath(new URL('./sourcesChild.ts', import.meta.url)),
        [place.home, publisher.origin, String(FIRST_DAY + (round + 2) * DAY_MS), place.url ?? ''],
        { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
      )
    const killedAt: string[] = []
    for (; killedAt.length < KILLS; round++) {
      const kill = await killOne(start(), place.home, random)
      if (kill === undefined) continue
      killedAt.push(kill.moment)
      if (random() < 0.3) await killStore(place.home)
    }
    t.diagnostic(`killed ${killedAt.join(', ')}; ${round - KILLS} more rounds had ended before`)
    const [code] = await once(start(), 'exit')
    assert.equal(code, 0, 'a run that is not killed ends by itself')

    await using warehouse = await openTestWarehouse({ home: place.home })
    await using store = await openStore({ ...place, log: silentLog })
    const read = async <Row>(query: string): Promise<Row[]> => {
      const answer = await warehouse.reader.query({ query, format: 'JSONEachRow' })
      return await answer.json<Row>()
    }
    const newest = await read<{ entity: string; date: string; tvl: number }>(
      `SELECT entity, toString(day) AS date, argMax(value, observed_at) AS tvl
FROM observations WHERE source = 'test.tvl' GROUP BY entity, day ORDER BY entity, day`,
    )
    for (const entity of ABOUT)
      assert.deepEqual(
        newest.filter(row => row.entity === entity).map(({ date, tvl }) => ({ date, tvl })),
        daysOf(round),
        entity,
      )
    // The publisher never says again what it has taken back: the same figure twice would have been written twice.
    assert.deepEqual(
      await read(
        `SELECT entity, day, value FROM observations WHERE source = 'test.tvl'
GROUP BY entity, day, value HAVING count() > 1`,
      ),
      [],
    )
    assert.deepEqual(
      await read(
        "SELECT day, close FROM prices WHERE source = 'test.tvl' GROUP BY day, close HAVING count() > 1",
      ),
      [],
    )
    const jobs = await store.query<{ outcome: string; failures: number }>(
      'SELECT outcome, failures FROM assay.source_jobs ORDER BY about',
    )
    assert.equal(jobs.length, ABOUT.length)
    for (const { outcome, failures } of jobs) {
      assert.ok(['figures', 'same'].includes(outcome), outcome)
      assert.equal(failures, 0)
    }
  })

async function killStore(home: string): Promise<void> {
  const endpoint = await readFile(join(home, 'store', 'endpoint.json'), 'utf8').catch(() => undefined)
  if (endpoint === undefined) return
  const { pid } = JSON.parse(endpoint) as { pid: number }
  // One that has ended by itself may have left its number to another process.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  if (command.includes('store/engine')) process.kill(pid, 'SIGKILL')
}
