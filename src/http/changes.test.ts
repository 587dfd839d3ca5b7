/** Open pages would not update, or one caller could use up all update streams. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '#kernel/until.testing.ts'
import { observations } from '#warehouse/tables/observations.ts'
import { withParts } from './cache/parts.ts'
import { openTestSite, type TestSite } from './testing.ts'

let site: TestSite
let url: string
before(async () => {
  site = await openTestSite()
  url = await site.app.listen({ port: 0, host: '127.0.0.1' })
})
after(() => site[Symbol.asyncDispose]())

/** Events of a page as they come over the wire. */
async function* changesOf(page: string, signal: AbortSignal): AsyncGenerator<string[]> {
  const answer = await fetch(`${url}/api/v1/changes?page=${encodeURIComponent(page)}`, { signal })
  assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  let text = ''
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1]
      text = text.slice(end + 2)
      if (data !== undefined) yield (JSON.parse(data) as { parts: string[] }).parts
    }
  }
}

const observe = (day: string) =>
  site.warehouse.insertRows(observations, [
    {
      metric: 'tvl.total',
      entity: 'rootstock',
      breakdown: '',
      day,
      amount: null,
      value: 1e8,
      source: 'defillama.tvl',
      observedAt: 1_790_000_000,
    },
  ])

test('a stream tells of each change, and of what was changed right before it was opened', async () => {
  await observe('2026-01-01')
  await site.version.refresh()
  const gone = new AbortController()
  const told = changesOf('/somewhere', gone.signal)
  assert.ok((await told.next()).value?.includes('any'))
  await observe('2026-01-02')
  assert.deepEqual((await told.next()).value, ['any'])
  gone.abort()
  await assert.rejects(told.next(), { name: 'AbortError' })
})

test('an answer follows a figure that was published a moment ago, and no other one is made anew', async () => {
  const newest = async () => {
    const { points } = await site.apiFor({ address: '198.51.100.9' }).series({
      id: 'tvl.total',
      entity: 'rootstock',
    })
    return points.at(-1)?.day
  }
  assert.equal(await newest(), '2026-01-02')
  const before = (await fetch(`${url}/api/v1/bitcoin/blocks?limit=2`)).headers.get('x-request-id')
  assert.notEqual(before, null)
  await observe('2026-01-03')
  await site.version.refresh()
  assert.equal(await newest(), '2026-01-03')
})

test('a page is told of the figures that it shows, and of no others', async () => {
  const { series } = site.apiFor({ address: '198.51.100.9' })
  const { parts } = await withParts(() => series({ id: 'tvl.total', entity: 'rootstock' }))
  assert.ok(parts.has('of.tvl.total') && !parts.has('bitcoin') && !parts.has('outside'))
  const { parts: ofBitcoin } = await withParts(() => series({ id: 'tx.count', entity: 'bitcoin' }))
  assert.ok(ofBitcoin.has('bitcoin') && !ofBitcoin.has('of.tvl.total') && !ofBitcoin.has('outside'))
})

test('one address opens a dozen streams and no more', async () => {
  const gone = new AbortController()
  const open = () => fetch(`${url}/api/v1/changes?page=/`, { signal: gone.signal })
  const answers = await Promise.all(Array.from({ length: 13 }, open))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(12).fill(200), 429])
  const refused = answers.find(({ status }) => status === 429)!
  assert.equal(((await refused.json()) as { code: string }).code, 'http.too_many_streams')
  gone.abort()
  await until('closed streams no longer count', async () => {
    const last = new AbortController()
    const { status } = await fetch(`${url}/api/v1/changes?page=/`, { signal: last.signal })
    last.abort()
    return status === 200
  })
})

test('a page is an address of this site', async () => {
  for (const page of ['', 'bitcoin', `/${'x'.repeat(2_001)}`])
    assert.equal((await fetch(`${url}/api/v1/changes?page=${page}`)).status, 400, page.slice(0, 20))
})
