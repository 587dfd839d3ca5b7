/** A publisher’s bad answer would enter the figures, or a good one would be lost. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { silentLog } from '#kernel/log.ts'
import type { LiveSource } from '#sources/live.ts'
import type { Store } from '#store/index.ts'
import { openTestStore, STORE_KINDS } from '#store/testing.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { body, DAYS, FAULTS, good, VALUE_FAULTS } from './faults.testing.ts'
import { boundRuns } from './jobs.ts'
import { prepareJobs } from './prepareJobs.ts'
import { readSourceStates } from './readStates.ts'
import { createRunner } from './runner.ts'
import { json, openPublisher, type Publisher, testSource } from './testing.ts'

let warehouse: Warehouse
before(async () => {
  warehouse = await openTestWarehouse()
})
after(() => warehouse[Symbol.asyncDispose]())

const ROOTSTOCK = { source: 'test.tvl', about: 'rootstock' }
const DAY_MS = 86_400_000
const NOON = Date.parse('2026-03-10T12:00:00Z')
let cases = 0

/** A runner on a store, with a clock, a host and a source of its own, so that tests share store and warehouse. */
async function openCase(store: Store, publisher: Publisher, more: Partial<LiveSource> = {}) {
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

for (const kind of STORE_KINDS)
  describe(`asking publishers, with the store ${kind.name}`, { skip: kind.skip }, () => {
    let store: Store
    let publisher: Publisher
    before(async () => {
      store = await openTestStore(kind)
      publisher = await openPublisher()
    })
    after(async () => {
      await store?.[Symbol.asyncDispose]()
      await publisher?.[Symbol.asyncDispose]()
    })

    test('a publisher that has no figures of whom it lists is heard, and takes nothing back', async () => {
      const { run, rows, clock, state } = await openCase(store, publisher, { mayBeEmpty: true })
      publisher.answer = json({ days: [] })
      assert.deepEqual([(await run()).outcome, (await state()).failures], ['same', 0])
      clock.ms += 3_600_000
      publisher.answer = good
      assert.equal((await run()).figures, 4)
      clock.ms += 3_600_000
      publisher.answer = json({ days: [] })
      assert.equal((await run()).outcome, 'same')
      assert.equal((await rows('observations')).length, 3)
    })

    test('figures come once, a revision stays beside what it revises, and the source is known to live', async () => {
      const { run, rows, clock, state } = await openCase(store, publisher)
      publisher.answer = good
      const first = await run()
      assert.deepEqual([first.outcome, first.figures], ['figures', 4])
      clock.ms += 3_600_000
      const second = await run()
      assert.deepEqual([second.outcome, second.figures], ['same', 0])
      clock.ms += 3_600_000
      publisher.answer = json({
        days: [...DAYS.slice(0, 2), { date: '2026-03-09', tvl: 121e6 }],
        close: 70_000,
      })
      const third = await run()
      assert.deepEqual([third.outcome, third.figures], ['figures', 1])
      assert.deepEqual(
        (await rows('observations')).map(({ day, value, observed_at: at }) => [day, value, at]),
        [
          ['2026-03-07', 100e6, '2026-03-10 12:00:00'],
          ['2026-03-08', 110e6, '2026-03-10 12:00:00'],
          ['2026-03-09', 120e6, '2026-03-10 12:00:00'],
          ['2026-03-09', 121e6, '2026-03-10 14:00:00'],
        ],
      )
      const [price] = await rows('prices')
      assert.deepEqual([price?.asset, price?.close], ['RBTC', 70_000])
      assert.equal((await rows('sources')).at(-1)?.recorded_at, '2026-03-10 14:00:00')
      const known = await state()
      assert.equal(known.lastSuccess?.toISOString(), '2026-03-10T14:00:00.000Z')
      assert.equal(known.nextRun.toISOString(), '2026-03-10T14:57:00.000Z')
    })

    test('an answer of which nothing fits is refused whole, whatever is wrong with it; the figures that are held stay', async () => {
      for (const [name, answer, outcome, code, field] of FAULTS) {
        const { run, rows, state, refusals, clock } = await openCase(store, publisher)
        publisher.answer = good
        await run()
        const before = [await rows('observations'), await rows('prices'), await rows('sources')]
        publisher.answer = answer
        // Only a publisher that never answers whole runs into the limit, however busy the machine is.
        if (code === 'sources.timeout') clock.timeoutMs = 200
        const faulty = await run()
        clock.timeoutMs = 60_000
        assert.deepEqual([faulty.outcome, faulty.code, faulty.figures], [outcome, code, 0], name)
        assert.ok(faulty.reason && faulty.reason.length > 15, name)
        const known = await state()
        assert.deepEqual([known.outcome, known.failures, known.reason], [outcome, 1, faulty.reason], name)
        assert.equal(known.lastSuccess?.getTime(), NOON, name)
        const kept = await refusals()
        if (outcome === 'failed') assert.deepEqual(kept, [], name)
        else {
          assert.deepEqual(
            kept.map(each => each.code),
            [code],
            name,
          )
          assert.ok(kept[0]!.kept <= 65_536 && kept[0]!.kept <= kept[0]!.size, name)
          if (field !== undefined) assert.equal(kept[0]!.field, field, name)
        }
        assert.deepEqual(
          [await rows('observations'), await rows('prices'), await rows('sources')],
          before,
          name,
        )
        publisher.answer = good
        const again = await run()
        assert.deepEqual([again.outcome, again.failures], ['same', 0], name)
      }
    })

    test('one bad value is refused and named, and the others are used', async () => {
      for (const [name, bad, field] of VALUE_FAULTS) {
        const { run, rows, state, refusals, clock } = await openCase(store, publisher)
        publisher.answer = json({ days: [...DAYS, ...bad] })
        const { outcome, figures, failures, refused } = await run()
        assert.deepEqual([outcome, failures, refused?.map(each => each.field)], ['figures', 0, [field]], name)
        assert.equal(figures, 3, name)
        assert.deepEqual(
          (await rows('observations')).map(({ day, value }) => [day, value]),
          DAYS.map(({ date, tvl }) => [date, tvl]),
          name,
        )
        const known = await state()
        assert.deepEqual([known.outcome, known.refusedValues], ['figures', 1], name)
        assert.ok(known.refusedNamed[0]?.includes(field), name)
        assert.deepEqual(await refusals(), [], name)
        // Its state stays through an answer that does not come, and ends with the next good one.
        clock.ms += 3_600_000
        publisher.answer = body('oops', 500)
        await run()
        assert.equal((await state()).refusedValues, 1, name)
        publisher.answer = good
        await run()
        assert.deepEqual([(await state()).refusedValues, (await state()).refusedNamed], [0, []], name)
      }
    })

    test('one series that is a hundred times off is left out whole and soon asked again; the others are used', async () => {
      const { run, rows, clock, state } = await openCase(store, publisher)
      publisher.answer = good
      await run()
      clock.ms += DAY_MS
      const next = { date: '2026-03-10', tvl: 130e6 }
      publisher.answer = json({ days: [...DAYS, next], close: 7_100_000 })
      for (const outcome of ['figures', 'same'] as const) {
        const jumped = await run()
        assert.deepEqual(
          [jumped.outcome, jumped.refused?.map(({ field }) => field)],
          [outcome, ['price RBTC USD 2026-03-10']],
        )
        assert.equal((jumped.nextDue.getTime() - clock.ms) / 1000, 855)
        assert.equal((await rows('observations')).at(-1)?.value, 130e6)
        assert.equal((await rows('prices')).length, 1)
        clock.ms += 900_000
      }
      // The third answer in a row that gives it is accepted.
      assert.equal((await run()).figures, 1)
      assert.equal((await state()).refusedValues, 0)
      assert.equal((await rows('prices')).at(-1)?.close, 7_100_000)
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

    test('where an address is gone its older or newer one answers, and that it does is told; what is only ill is waited for', async () => {
      const older = await openPublisher()
      try {
        const { run, rows, clock, state, id } = await openCase(store, publisher, {
          requests: () => [
            {
              about: 'rootstock',
              url: `${publisher.origin.replace('localhost', `127.0.2.${cases + 1}`)}/new`,
              otherwise: [`${older.origin.replace('localhost', `127.0.3.${cases + 1}`)}/old`],
            },
          ],
        })
        older.answer = json({ days: DAYS.slice(0, 2) }, { etag: '"old"' })
        publisher.answer = body('gone', 410)
        const { outcome, reason, figures } = await run()
        assert.deepEqual([outcome, figures], ['figures', 2])
        assert.match(reason ?? '', /status 410\. 127\.0\.3\..* answered in place of 127\.0\.2\./)
        assert.equal((await state()).reason, reason)
        // The marks of one address are never sent to the other.
        clock.ms += 3_600_000
        publisher.answer = good
        assert.deepEqual([(await run()).figures, (await state()).reason], [2, null])
        assert.equal(publisher.seen.at(-1)?.['if-none-match'], undefined)
        const asked = older.seen.length
        for (const ill of [body('', 500), body('slow down', 429), body('<html>')]) {
          clock.ms += 3_600_000
          publisher.answer = ill
          assert.notEqual((await run()).outcome, 'figures')
        }
        assert.equal(older.seen.length, asked)
        clock.ms += 3_600_000
        publisher.answer = body('', 404)
        older.answer = body('', 503, { 'retry-after': '7200' })
        const gone = await run()
        assert.deepEqual([gone.outcome, gone.code, gone.status], ['failed', 'sources.status', 404])
        assert.ok(gone.nextDue.getTime() >= clock.ms + 7_200_000, `${id} asks again too soon`)
        assert.equal((await rows('observations')).length, 3)
      } finally {
        await older[Symbol.asyncDispose]()
      }
    })

    test('what a publisher calls a token is kept with who said it, and of a supply beyond all only the supply is refused', async () => {
      const word = {
        contract: `SP000000000000000000002Q6VF78.t${cases}`,
        name: 'T',
        symbol: 'T',
        decimals: 6,
      }
      let totalSupply = 2n ** 128n - 1n
      const { run, id, clock } = await openCase(store, publisher, {
        read: () => ({
          observations: [],
          prices: [],
          tokenWords: [{ ...word, totalSupply, imageUrl: null }],
        }),
      })
      publisher.answer = json({})
      assert.equal((await run()).outcome, 'same')
      totalSupply += 1n
      clock.ms += 3_600_000
      const { outcome, refused } = await run()
      assert.deepEqual(
        [outcome, refused?.map(({ field }) => field)],
        ['same', [`${word.contract} totalSupply`]],
      )
      const answer = await warehouse.reader.query({
        query:
          'SELECT contract, symbol, toString(total_supply) AS supply FROM stx_token_metadata WHERE source = {id:String} ORDER BY asked_at DESC LIMIT 1',
        query_params: { id },
        format: 'JSONEachRow',
      })
      // The supply is unknown now, the rest of the word stays.
      assert.deepEqual(await answer.json(), [{ contract: word.contract, symbol: 'T', supply: null }])
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

    test('what was a hundred times off is taken when three answers in a row say so, and not when they differ', async () => {
      const { run, rows } = await openCase(store, publisher)
      publisher.answer = good
      await run()
      const jump = (tvl: number) => json({ days: [...DAYS, { date: '2026-03-10', tvl }] })
      for (const [tvl, outcome] of [
        [120e9, 'refused'],
        [900e9, 'refused'],
        [905e9, 'refused'],
        [910e9, 'figures'],
      ] as const) {
        publisher.answer = jump(tvl)
        assert.equal((await run()).outcome, outcome, String(tvl))
      }
      assert.equal((await rows('observations')).at(-1)?.value, 910e9)
      // A good answer in between is the end of the doubt.
      publisher.answer = jump(910e6)
      assert.equal((await run()).outcome, 'refused')
      publisher.answer = jump(910e9)
      assert.equal((await run()).outcome, 'same')
      publisher.answer = jump(910e6)
      assert.equal((await run()).outcome, 'refused')
      assert.equal((await run()).outcome, 'refused')
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

test('a publisher whose certificate nobody vouches for is not believed', async () => {
  await using store = await openTestStore(STORE_KINDS[0]!)
  const dir = mkdtempSync(join(tmpdir(), 'assay-cert-'))
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=localhost',
      '-keyout',
      'k',
      '-out',
      'c',
    ],
    { cwd: dir, stdio: 'pipe' },
  )
  await using publisher = await openPublisher(
    listener =>
      createSecureServer({ key: readFileSync(join(dir, 'k')), cert: readFileSync(join(dir, 'c')) }, listener),
    'https',
  )
  rmSync(dir, { recursive: true })
  publisher.answer = good
  const { run, rows } = await openCase(store, publisher)
  const { outcome, code } = await run()
  assert.deepEqual([outcome, code], ['failed', 'sources.certificate'])
  assert.deepEqual(await rows('observations'), [])
})

test('a source that is not declared is told as that', async () => {
  await using store = await openTestStore(STORE_KINDS[0]!)
  await using publisher = await openPublisher()
  const { runner } = await openCase(store, publisher)
  await assert.rejects(runner.run(ROOTSTOCK, { isManual: true }), { code: 'sources.unknown_job' })
})
