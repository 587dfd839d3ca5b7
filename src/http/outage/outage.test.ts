/** During an engine outage readers would get errors instead of the last good answer. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { outageText } from '#kernel/outageText.ts'
import { observations } from '#warehouse/tables/observations.ts'
import { openTestSite, type TestSite } from '../testing.ts'
import { withOutage } from './banner.ts'
import type { AvailabilityEvent } from './schema.ts'

let site: TestSite
let url: string
before(async () => {
  site = await openTestSite()
  url = await site.app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => site[Symbol.asyncDispose]())

async function signalEngine(signal: NodeJS.Signals): Promise<void> {
  const endpoint = await readFile(join(site.warehouse.home, 'warehouse', 'endpoint.json'), 'utf8')
  process.kill((JSON.parse(endpoint) as { pid: number }).pid, signal)
}
async function until(isUp: boolean): Promise<void> {
  const { availability } = site.warehouse
  if (availability.current().isUp === isUp) return
  const reached = Promise.withResolvers<void>()
  availability.onChange(now => now.isUp === isUp && reached.resolve())
  await reached.promise
}

/** Data of the events of that name for a page, as they come over the wire. */
async function* eventsOf(name: string, signal: AbortSignal): AsyncGenerator<unknown> {
  const answer = await fetch(`${url}/api/v1/changes?page=/`, { signal })
  let text = ''
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, named, data] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      if (named === name) yield JSON.parse(data ?? '')
    }
  }
}

const SERIES = '/api/v1/metrics/tvl.total?entity=rootstock'
const BLOCKS = '/api/v1/bitcoin/blocks?limit=2'

test('while the engine stands still, addresses served before answer with their age and open pages are told', async () => {
  await site.warehouse.insertRows(observations, [
    {
      ...{ metric: 'tvl.total', entity: 'rootstock', breakdown: '', day: '2026-01-01', amount: null },
      ...{ value: 1e8, source: 'defillama.tvl', observedAt: 1_790_000_000 },
    },
  ])
  await site.version.refresh()
  const bodies = new Map<string, string>()
  for (const path of [SERIES, BLOCKS]) {
    const answer = await fetch(url + path)
    assert.deepEqual([path, answer.status, answer.headers.get('age')], [path, 200, null])
    bodies.set(path, await answer.text())
  }
  // The data behind one of them changes right before.
  await site.warehouse.insertRows(observations, [
    {
      ...{ metric: 'tvl.total', entity: 'rootstock', breakdown: '', day: '2026-01-02', amount: null },
      ...{ value: 2e8, source: 'defillama.tvl', observedAt: 1_790_000_001 },
    },
  ])
  await site.version.refresh()
  const asOf = site.version.checkedAt()
  const gone = new AbortController()
  const events = eventsOf('availability', gone.signal)
  const told = events.next()

  await signalEngine('SIGSTOP')
  await until(false)
  for (const [path, body] of bodies) {
    const answer = await fetch(url + path, { headers: { 'if-none-match': '*' } })
    assert.deepEqual([path, answer.status, await answer.text()], [path, 200, body])
    assert.match(answer.headers.get('age') ?? '', /^\d+$/)
    assert.match(
      answer.headers.get('cache-status') ?? '',
      /^assay; hit; ttl=-?\d+; detail=engine-unavailable$/,
    )
    assert.deepEqual([answer.headers.get('cache-control'), answer.headers.get('etag')], ['no-store', null])
  }
  const away = (await told).value as AvailabilityEvent
  assert.equal(away.isUp, false)
  assert.ok(Date.parse(away.asOf ?? '') >= asOf)

  await signalEngine('SIGCONT')
  await until(true)
  assert.deepEqual((await events.next()).value, { isUp: true, asOf: null })
  gone.abort()
  const answer = await fetch(url + SERIES)
  assert.deepEqual([answer.status, answer.headers.get('age')], [200, null])
  assert.match(await answer.text(), /2026-01-02/)
})

test('a page that opens after an outage is told that it is over', async () => {
  const gone = new AbortController()
  const { value } = await eventsOf('availability', gone.signal).next()
  assert.deepEqual(value, { isUp: true, asOf: null })
  gone.abort()
})

test('after the engine was killed, what the data has become is served without a restart', async () => {
  await fetch(url + BLOCKS)
  await signalEngine('SIGKILL')
  await until(false)
  await until(true)
  const { status, headers } = await fetch(`${url}${BLOCKS}&after=100`).then(
    answer => answer,
    () => assert.fail('no answer'),
  )
  assert.ok(status < 500)
  assert.equal(headers.get('age'), null)
})

test('the banner names the time, and the day where it is another one', () => {
  const asOf = Date.parse('2026-08-05T12:04:59Z')
  const today = outageText(asOf, Date.parse('2026-08-05T23:00:00Z'))
  assert.equal(today, 'Data engine unavailable. Showing the page as of 12:04 UTC. Retrying.')
  assert.match(outageText(asOf, Date.parse('2026-08-06T00:01:00Z')), /as of 5 Aug 2026, 12:04 UTC/)
})

test('the banner is shown in the element that the shell draws, and nowhere else', () => {
  const element = '<p id="outage" class="_outage_1" role="status" hidden=""></p>'
  const shown = withOutage(`<main>${element}<p hidden=""></p></main>`, Date.now())
  assert.match(
    shown,
    /^<main><p id="outage" class="_outage_1" role="status">Data engine unavailable\. .*<\/p><p hidden=""><\/p><\/main>$/,
  )
  assert.equal(withOutage('<p>text</p>', 0), '<p>text</p>')
})
