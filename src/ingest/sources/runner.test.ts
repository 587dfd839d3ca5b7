/** A publisher’s bad answer would enter the figures, or a good one would be lost. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createSecureServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { Store } from '#store/index.ts'
import { openTestStore, STORE_KINDS } from '#store/testing.ts'
import { body, DAYS, FAULTS, good, VALUE_FAULTS } from './faults.testing.ts'
import { cases, DAY_MS, NOON, openCase, openPlace, ROOTSTOCK, warehouse } from './sharedRunner.testing.ts'
import { json, openPublisher, type Publisher } from './testing.ts'

for (const kind of STORE_KINDS)
  describe(`asking publishers, with the store ${kind.name}`, { skip: kind.skip }, () => {
    let store: Store
    let publisher: Publisher
    before(async () => {
      const place = await openPlace(kind)
      store = place.store
      publisher = place.publisher
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
