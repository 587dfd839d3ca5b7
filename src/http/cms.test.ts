/** A text for members would leak to everyone, or members could not read it. */
import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openAccounts } from '#accounts/index.ts'
import { PNG_20_TO_1 } from '#content/testing.ts'
import { silentLog } from '#kernel/log.ts'
import type { Person } from '#kernel/people.ts'
import type { Store } from '#store/index.ts'
import { openTestStore, STORE_KINDS } from '#store/testing.ts'
import type { AdCounts, AdItem, GatedItem, OpenedText, PageItem, Problem, Report } from './contract.ts'
import { CONTENT_DIR, openTestSite, type TestSite } from './testing.ts'

/** Stands in the private parts of texts, and nowhere else. */
const SECRET = 'zebrafinch'
const START_MS = Date.parse('2026-11-24T12:00:00Z')

const REPORT = `---
title: For members
summary: Open summary
topic: Test
published: 2026-01-02
requires: query
sources: [{title: A source, url: 'https://example.org/'}]
charts:
  - {id: c, kind: line, title: Open chart, lines: [{metric: fees.total, entity: bitcoin}]}
---
## ${SECRET} one

${SECRET} two :figure{metric=fees.total entity=bitcoin day=2009-01-12 published=4711}[^n]

::chart{id=c}

[^n]: ${SECRET} three
`
const PIECE = `---
title: A piece
summary: Open words
path: /bitcoin
requires: bitcoin
updated: 2026-01-02
---
${SECRET} four
`
const ADS = `- {id: shown, title: Shown, link: /pricing, image: a.png, start: 2026-11-24T12:00:00Z, end: 2026-11-25T12:00:00Z}
- {id: later, title: Later, link: /pricing, image: a.png, start: 2026-11-25T12:00:00Z, end: 2026-11-26T12:00:00Z}`

const person = (id: string): Person => ({
  kind: 'account',
  id,
  email: `${id}@example.org`,
  name: id,
  scopes: new Set(['read:private']),
  via: 'token',
})

describe('texts and advertisements over HTTP', () => {
  const parts = new AsyncDisposableStack()
  let site: TestSite
  let store: Store
  let folder: string
  let clockMs = START_MS

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-cms-'))
    await cp(CONTENT_DIR, folder, { recursive: true })
    for (const part of ['gated', 'ads']) await mkdir(join(folder, part), { recursive: true })
    await writeFile(join(folder, 'reports/members.md'), REPORT)
    await writeFile(join(folder, 'gated/piece.md'), PIECE)
    await writeFile(join(folder, 'ads.yaml'), ADS)
    await writeFile(join(folder, 'ads/a.png'), PNG_20_TO_1)
    const kind = STORE_KINDS[0]
    assert.ok(kind)
    store = await openTestStore(kind)
    const accounts = openAccounts({
      store,
      config: {
        publicUrl: 'http://localhost:4400',
        audience: 'x',
        operators: [],
        trialDays: 0,
        asignaOrigins: [],
        hubHosts: [],
      },
      log: silentLog,
      now: Date.now,
    })
    parts.use(accounts)
    site = await openTestSite({
      content: folder,
      store: async () => store,
      nowMs: () => clockMs,
      // Whoever names itself is who it says: what proves it is tested with the accounts.
      accounts: {
        ...accounts,
        identify: async headers => {
          const name = headers['x-test-person']
          return typeof name === 'string' ? person(name) : undefined
        },
        features: async ({ id }) => Object.fromEntries(id.split('+').map(name => [name, true])),
        isOperator: ({ id }) => id === 'operator',
      },
    })
  })
  after(async () => {
    await site[Symbol.asyncDispose]()
    await parts.disposeAsync()
    await store[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const ask = (url: string, who?: string) =>
    site.app.inject({ url, headers: who === undefined ? {} : { 'x-test-person': who } })
  const send = (url: string, body: unknown, who?: string, method: 'POST' | 'DELETE' = 'POST') =>
    site.app.inject({
      url,
      method,
      payload: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(who !== undefined && { 'x-test-person': who }) },
    })

  test('the private part of a text leaves for nobody without the feature, by any address', async () => {
    const addresses = [
      '/api/v1/reports/members',
      '/api/v1/cms/reports/members',
      '/api/v1/cms/gated/piece',
      '/api/v1/reports',
      '/api/cms/content/gated',
      '/api/cms/content/pages',
      `/api/v1/search?q=${SECRET}`,
      '/api/v1/search?q=members',
      '/api/v1/cms/texts/report/members',
      '/api/v1/pages/members',
      '/api/v1/documentation/members',
      '/reports/feed.xml',
    ]
    for (const url of addresses)
      for (const who of [undefined, 'nothing', 'other']) {
        const answer = await ask(url, who)
        // A search repeats what was asked.
        const body = answer.body.replaceAll(`"asked":"${SECRET}"`, '')
        assert.ok(!body.includes(SECRET) && !body.includes('4711'), `${url} to ${who}: ${body.slice(0, 300)}`)
      }
    const open = (await ask('/api/v1/reports/members')).json<Report>()
    assert.deepEqual(
      [open.title, open.summary, open.requires, open.isWhole, open.sources.length, open.charts.length],
      ['For members', 'Open summary', 'query', false, 1, 1],
    )
    assert.deepEqual(open.blocks, [{ type: 'chart', chart: 'c' }])
  })

  test('who lacks the feature hears what is missing, who has it reads, and dashboard opens all', async () => {
    for (const [url, feature] of [
      ['/api/v1/cms/reports/members', 'query'],
      ['/api/v1/cms/gated/piece', 'bitcoin'],
    ] as const) {
      assert.equal((await ask(url)).statusCode, 401)
      const refused = await ask(url, feature === 'query' ? 'bitcoin' : 'query')
      assert.deepEqual([refused.statusCode, refused.json<Problem>().code], [403, 'http.feature'])
      for (const who of [feature, 'dashboard', `other+${feature}`]) {
        const answer = await ask(url, who)
        assert.equal(answer.statusCode, 200)
        assert.ok(answer.body.includes(SECRET))
        assert.equal(answer.headers['cache-control'], 'no-store')
      }
    }
    assert.equal((await ask('/api/v1/cms/gated/none', 'dashboard')).statusCode, 404)
    assert.equal((await ask('/api/v1/cms/reports/none', 'dashboard')).statusCode, 404)
  })

  test('the list of what is closed holds what this asker cannot open', async () => {
    const keys = async (who?: string) =>
      (await ask('/api/cms/content/gated', who)).json<GatedItem[]>().map(({ key }) => key)
    assert.deepEqual(await keys(), ['piece', 'report-members'])
    assert.deepEqual(await keys('query'), ['piece'])
    assert.deepEqual(await keys('bitcoin'), ['report-members'])
    assert.deepEqual(await keys('dashboard'), [])
    const [first] = (await ask('/api/cms/content/gated')).json<GatedItem[]>()
    assert.deepEqual(first, {
      key: 'piece',
      path: '/bitcoin',
      title: 'A piece',
      summary: 'Open words',
      requires: 'bitcoin',
    })
  })

  test('pages come as HTML of ours', async () => {
    const items = (await ask('/api/cms/content/pages')).json<PageItem[]>()
    assert.deepEqual(
      items.map(({ key }) => key),
      ['About', 'Contact', 'Privacy', 'Terms'],
    )
    for (const { html, updatedAt } of items) {
      assert.match(html, /^<(p|h2)/)
      assert.doesNotMatch(html, /<script|<style| on\w+=/)
      assert.equal(new Date(updatedAt).toISOString(), updatedAt)
    }
  })

  test('advertisements are those of now, for who has no feature, with a picture of our own', async () => {
    const ads = async (who?: string) => (await ask('/api/cms/ads', who)).json<AdItem[]>()
    const ids = async (who?: string) => (await ads(who)).map(({ _id }) => _id)
    assert.deepEqual(await ads(), [
      {
        _id: 'shown',
        start: '2026-11-24T12:00:00.000Z',
        end: '2026-11-25T12:00:00.000Z',
        link: '/pricing',
        image: '/api/cms/media/a.png',
        title: 'Shown',
      },
    ])
    assert.deepEqual(await ids('bitcoin'), [])
    clockMs = START_MS - 1
    assert.deepEqual(await ids(), [])
    clockMs = START_MS + 86_400_000
    assert.deepEqual(await ids(), ['later'])
    clockMs = START_MS
    const picture = await ask('/api/cms/media/a.png')
    assert.deepEqual([picture.statusCode, picture.headers['content-type']], [200, 'image/png'])
    assert.deepEqual(picture.rawPayload, PNG_20_TO_1)
    assert.equal(picture.headers['x-content-type-options'], 'nosniff')
    for (const name of ['b.png', '..%2fads.yaml', 'a.svg'])
      assert.ok([400, 404].includes((await ask(`/api/cms/media/${name}`)).statusCode), name)
  })

  test('an event is counted once and says nothing of who met it; anything else is refused', async () => {
    for (const event of ['view', 'view', 'click', 'cancel']) {
      const answer = await send('/api/cms/ads/events', { id: 'shown', event })
      assert.deepEqual([answer.statusCode, answer.body], [204, ''])
    }
    for (const body of [
      { id: 'shown', event: 'buy' },
      { id: 'later', event: 'view' },
      { id: 'none', event: 'view' },
      { id: 'x'.repeat(500), event: 'view' },
      { id: 'shown' },
      { id: 'shown', event: 'view', more: 1 },
      [],
    ]) {
      const { statusCode } = await send('/api/cms/ads/events', body)
      assert.ok(statusCode === 400 || statusCode === 404, JSON.stringify(body))
    }
    const { items } = (await ask('/api/v1/cms/ads/counts', 'operator')).json<AdCounts>()
    assert.deepEqual(items, [
      {
        ad: 'shown',
        title: 'Shown',
        view: 2,
        click: 1,
        cancel: 1,
        days: [{ day: '2026-11-24', view: 2, click: 1, cancel: 1 }],
      },
      { ad: 'later', title: 'Later', view: 0, click: 0, cancel: 0, days: [] },
    ])
  })

  test('nobody drives the counts up: events of one address are limited', async () => {
    const view = (remoteAddress: string) =>
      site.app.inject({
        url: '/api/cms/ads/events',
        method: 'POST',
        payload: { id: 'shown', event: 'view' },
        remoteAddress,
      })
    const before = await viewsOf()
    for (let i = 0; i < 120; i++) assert.equal((await view('192.0.2.1')).statusCode, 204)
    const limited = await view('192.0.2.1')
    assert.deepEqual([limited.statusCode, limited.json<Problem>().code], [429, 'accounts.too_many'])
    assert.ok(Number(limited.headers['retry-after']) > 0)
    assert.equal((await view('192.0.2.2')).statusCode, 204)
    assert.equal((await viewsOf()) - before, 121)
  })

  const viewsOf = async () =>
    (await ask('/api/v1/cms/ads/counts', 'operator'))
      .json<AdCounts>()
      .items.reduce((sum, { view }) => sum + view, 0)

  test('the editor is for operators alone', async () => {
    const draft = { text: 'x', publish: 'now', basedOn: null }
    for (const who of [undefined, 'dashboard']) {
      const status = who === undefined ? 401 : 403
      for (const url of ['texts', 'texts/page/About', 'versions/1', 'pictures', 'ads/counts'])
        assert.equal((await ask(`/api/v1/cms/${url}`, who)).statusCode, status, url)
      for (const url of ['texts/page/About', 'texts/page/About/preview', 'pictures?title=x'])
        assert.equal((await send(`/api/v1/cms/${url}`, draft, who)).statusCode, status, url)
      assert.equal((await send('/api/v1/cms/versions/1/schedule', {}, who, 'DELETE')).statusCode, status)
    }
    assert.equal((await ask('/api/v1/pages/About')).json<{ title: string }>().title, 'About Us')
  })

  test('an operator previews, publishes and restores; readers and the search see it at once', async () => {
    const address = '/api/v1/cms/texts/page/About'
    const opened = (await ask(address, 'operator')).json<OpenedText>()
    assert.deepEqual([opened.shown, opened.newest], ['file', null])
    const faulty = await send(`${address}/preview`, { text: `${opened.text}\n\n<b>x</b>` }, 'operator')
    assert.deepEqual([faulty.statusCode, faulty.json<Problem>().code], [400, 'content.invalid'])
    assert.match(faulty.json<Problem>().detail, /line \d+: HTML cannot be drawn here/)
    const text = opened.text.replace('title: About Us', 'title: About the Penguins')
    const saved = await send(address, { text, publish: 'now', basedOn: null }, 'operator')
    assert.equal(saved.statusCode, 200, saved.body)
    await site.version.refresh()
    const title = async () => (await ask('/api/v1/pages/About')).json<{ title: string }>().title
    assert.equal(await title(), 'About the Penguins')
    assert.equal((await send(address, { text, publish: 'now', basedOn: null }, 'operator')).statusCode, 409)
    const { id } = saved.json<{ id: number }>()
    assert.equal(
      (await send(address, { text: null, publish: 'now', basedOn: id }, 'operator')).statusCode,
      200,
    )
    await site.version.refresh()
    assert.equal(await title(), 'About Us')
    const { versions } = (await ask(address, 'operator')).json<OpenedText>()
    assert.deepEqual(
      versions.map(({ author, isWithdrawal }) => [author, isWithdrawal]),
      [
        ['operator@example.org', true],
        ['operator@example.org', false],
      ],
    )
  })

  test('what operators publish, schedule, take back and add is in the log, with who did it', async () => {
    const address = '/api/v1/cms/texts/page/Terms'
    const { text } = (await ask(address, 'operator')).json<OpenedText>()
    const lines = () =>
      store.query<{ event: string; person: string; asker: string; facts: Record<string, unknown> }>(
        'SELECT event, person, asker, facts FROM assay.audit_log ORDER BY id',
      )
    const { length } = await lines()
    const later = new Date(clockMs + 3_600_000).toISOString()
    let basedOn: number | null = null
    const ids: number[] = []
    for (const [words, publish] of [
      [text, 'draft'],
      [text, later],
      [text, 'now'],
      [null, 'now'],
    ] as const) {
      const saved = await send(address, { text: words, publish, basedOn }, 'operator')
      basedOn = saved.json<{ id: number }>().id
      ids.push(basedOn)
    }
    assert.equal((await send(address, { text, publish: 'now', basedOn: null }, 'operator')).statusCode, 409)
    const [, scheduled] = ids
    await send(`/api/v1/cms/versions/${scheduled}/schedule`, {}, 'operator', 'DELETE')
    assert.equal(
      (await send(`/api/v1/cms/versions/${scheduled}/schedule`, {}, 'operator', 'DELETE')).statusCode,
      404,
    )
    const kept = await site.app.inject({
      url: '/api/v1/cms/pictures?title=A%20line',
      method: 'POST',
      payload: PNG_20_TO_1,
      headers: { 'content-type': 'image/png', 'x-test-person': 'operator' },
    })
    const now = new Date(clockMs).toISOString()
    const of = (version: number | undefined, publish: string | null, isWithdrawal = false) => ({
      text: 'page/Terms',
      version,
      publish,
      isWithdrawal,
    })
    const told = (await lines()).slice(length)
    assert.deepEqual(
      told.map(({ event, facts }) => [event, facts]),
      [
        ['text drafted', of(ids[0], null)],
        ['text scheduled', of(ids[1], later)],
        ['text published', of(ids[2], now)],
        ['text published', of(ids[3], now, true)],
        ['text unscheduled', { version: scheduled }],
        ['picture added', { picture: kept.json<{ name: string }>().name }],
      ],
    )
    for (const { person, asker } of told) assert.deepEqual([person, asker], ['account:operator', '127.0.0.1'])
  })

  test('pictures are taken by their bytes, whatever they are called', async () => {
    const upload = (payload: Buffer, type: string) =>
      site.app.inject({
        url: '/api/v1/cms/pictures?title=A%20line',
        method: 'POST',
        payload,
        headers: { 'content-type': type, 'x-test-person': 'operator' },
      })
    const kept = await upload(PNG_20_TO_1, 'application/octet-stream')
    assert.equal(kept.statusCode, 200, kept.body)
    const { url } = kept.json<{ url: string }>()
    assert.equal((await ask(url)).headers['content-type'], 'image/png')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
    assert.equal((await upload(svg, 'image/png')).statusCode, 400)
    assert.equal((await upload(Buffer.alloc(2 * 1024 * 1024), 'image/png')).statusCode, 413)
  })
})
