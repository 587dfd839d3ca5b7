/** Publishers would be asked too often, with the wrong key, or never again after a failure. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { silentLog } from '#kernel/log.ts'
import type { Store } from '#store/index.ts'
import { STORE_KINDS } from '#store/testing.ts'
import { body, DAYS, good } from './faults.testing.ts'
import { boundRuns } from './jobs.ts'
import { createRunner } from './runner.ts'
import { DAY_MS, NOON, openCase, openPlace, warehouse } from './sharedRunner.testing.ts'
import { json, openPublisher, type Publisher, testSource } from './testing.ts'

for (const kind of STORE_KINDS)
  describe(`the pace of asking publishers, with the store ${kind.name}`, { skip: kind.skip }, () => {
    let store: Store
    let publisher: Publisher
    before(async () => {
      const place = await openPlace(kind)
      store = place.store
      publisher = place.publisher
    })

    test('a rest that a publisher asks for, in seconds or as a date, is kept by every request to its host', async () => {
      for (const header of ['7200', new Date(NOON + 7_200_000).toUTCString()])
        for (const status of [429, 503]) {
          const { run, runner, id, state } = await openCase(store, publisher)
          publisher.answer = body('', status, { 'retry-after': header })
          const { nextDue, outcome } = await run()
          assert.equal(outcome, 'failed')
          assert.equal(nextDue.getTime(), NOON + 7_200_000, `${status} ${header}`)
          const sent = publisher.seen.length
          // The other request of the host is put off too, also where a person asks for it.
          assert.equal(await runner.run({ source: id, about: 'bob' }, { isManual: true }), undefined)
          assert.equal(publisher.seen.length, sent)
          assert.equal((await state()).nextRun.getTime(), nextDue.getTime())
        }
    })

    test('failures in a row are asked again later and later', async () => {
      const { run, clock } = await openCase(store, publisher)
      publisher.answer = body('', 500)
      const waits: number[] = []
      for (let i = 0; i < 9; i++) {
        const { nextDue } = await run()
        waits.push((nextDue.getTime() - clock.ms) / 1000)
        clock.ms = nextDue.getTime()
      }
      assert.deepEqual(waits, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
    })

    test('a host that cannot be reached rests for all its requests', async () => {
      const gone = await openPublisher()
      const { origin } = gone
      await gone[Symbol.asyncDispose]()
      const { runner, id, clock, run } = await openCase(store, { ...gone, origin })
      const { code } = await run()
      assert.equal(code, 'sources.unreachable')
      assert.equal(await runner.run({ source: id, about: 'bob' }, { isManual: false }), undefined)
      clock.ms += 16_000
      assert.equal((await runner.run({ source: id, about: 'bob' }, { isManual: false }))?.outcome, 'failed')
    })

    test('marks of an answer are sent with the next question; “not modified” is a success', async () => {
      const { run, clock, state } = await openCase(store, publisher)
      publisher.answer = json(
        { days: DAYS },
        { etag: '"a"', 'last-modified': 'Tue, 10 Mar 2026 00:00:00 GMT' },
      )
      await run()
      clock.ms += DAY_MS
      publisher.answer = body('', 304)
      const { outcome } = await run()
      assert.equal(outcome, 'unchanged')
      assert.equal(publisher.seen.at(-1)?.['if-none-match'], '"a"')
      assert.equal(publisher.seen.at(-1)?.['if-modified-since'], 'Tue, 10 Mar 2026 00:00:00 GMT')
      assert.equal((await state()).lastSuccess?.getTime(), clock.ms)
      // An answer that is refused leaves no mark: it would be “not modified” for ever.
      publisher.answer = json({ days: [] }, { etag: '"b"' })
      await run()
      await run()
      assert.equal(publisher.seen.at(-1)?.['if-none-match'], '"a"')
    })

    test('a key goes to its publisher after its scheme, where it has one', async () => {
      const { run, keys } = await openCase(store, publisher, {
        key: { variable: 'TEST_API_KEY', header: 'authorization', scheme: 'Bearer', isDemanded: true },
      })
      keys.TEST_API_KEY = 'hunter2'
      publisher.answer = good
      await run()
      assert.equal(publisher.seen.at(-1)?.authorization, 'Bearer hunter2')
    })

    test('a key goes to its publisher in its header', async () => {
      const { run, keys } = await openCase(store, publisher, {
        key: { variable: 'TEST_API_KEY', header: 'x-test-key', isDemanded: true },
      })
      keys.TEST_API_KEY = 'hunter2'
      publisher.answer = good
      await run()
      assert.equal(publisher.seen.at(-1)?.['x-test-key'], 'hunter2')
    })

    test('requests to a host keep their distance, whichever process sends them', async () => {
      const { runner, id, origin } = await openCase(store, publisher, { requestsPerMinute: 600 })
      const catalog = await testCatalog()
      const source = testSource(origin, { id: `${id}.other`, requestsPerMinute: 60_000 })
      const other = createRunner({
        ...{ warehouse, store, log: silentLog, catalog, sources: [source], keys: {}, now: () => NOON },
        holder: 'another',
      })
      publisher.answer = good
      // Their clocks stand still, so that the turns add up: 0, 100, … ms after noon.
      const runs = await Promise.all(
        ['rootstock', 'bob'].flatMap(about => [
          runner.run({ source: id, about }, { isManual: false }),
          other.run({ source: source.id, about }, { isManual: false }),
        ]),
      )
      assert.ok(runs.every(run => run?.outcome === 'figures'))
      const [host] = await store.query<{ free: Date }>(
        'SELECT next_free AS free FROM assay.source_hosts WHERE host = $1',
        [new URL(origin).host],
      )
      assert.equal(host?.free.getTime(), NOON + 400)
    })

    test('one request is with one process at a time', async () => {
      const { runner, id } = await openCase(store, publisher)
      publisher.answer = good
      await store.query("INSERT INTO assay.leases VALUES ($1, 'another', now() + interval '1 hour')", [
        `ask ${id} bob`,
      ])
      const sent = publisher.seen.length
      assert.equal(await runner.run({ source: id, about: 'bob' }, { isManual: true }), undefined)
      assert.equal(publisher.seen.length, sent)
      const free = await runner.run({ source: id, about: 'rootstock' }, { isManual: false })
      assert.equal(free?.outcome, 'figures')
    })

    test('refused answers and history are kept up to their bounds', async () => {
      const { run, refusals } = await openCase(store, publisher)
      publisher.answer = json({ days: [], filler: 'x'.repeat(100_000) })
      for (let i = 0; i < 7; i++) await run()
      const kept = await refusals()
      assert.equal(kept.length, 5)
      assert.ok(kept.every(each => each.kept === 65_536 && each.size > 100_000))
      await store.query(`INSERT INTO assay.source_runs (source, about, started_at, took_ms, outcome, bytes, figures, is_manual)
SELECT 'old', 'one', now(), 1, 'same', 1, 0, false FROM generate_series(1, 51000)`)
      await boundRuns(store)
      const [count] = await store.query<{ n: number }>('SELECT count(*)::integer AS n FROM assay.source_runs')
      assert.ok(count!.n <= 50_000)
    })
  })
