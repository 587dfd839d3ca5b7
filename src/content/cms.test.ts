/** An editor’s text would be lost, or a draft would show to readers. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
import type { Store } from '#store/index.ts'
import { openTestStore, STORE_KINDS } from '#store/testing.ts'
import { type Cms, openCms, type TextChange } from './cms.ts'
import { ContentError } from './errors.ts'
import type { ContentFiles } from './readContent.ts'
import { PNG_20_TO_1, pngOf } from './testing.ts'

const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-11-24T12:00:00Z')
const page = (title: string, text = 'words'): string =>
  `---\ntitle: ${title}\nsummary: S\nupdated: 2026-01-02\n---\n${text}`

const FILES: ContentFiles = {
  texts: [
    { kind: 'page', key: 'About', text: page('Of the file') },
    {
      kind: 'ads',
      key: 'ads',
      text: `- id: now
  title: Now
  link: /pricing
  image: a.png
  start: 2026-11-24T12:00:00Z
  end: 2026-11-25T12:00:00Z`,
    },
  ],
  pictures: [{ name: 'a.png', bytes: PNG_20_TO_1, type: 'image/png', width: 40, height: 2 }],
  queryExamples: [],
}

describe('texts of the editor', () => {
  let store: Store
  let cms: Cms
  let changes = 0
  let clockMs = START_MS
  const fails = async (made: Promise<unknown>, code: string) =>
    assert.rejects(made, (thrown: Error) => thrown instanceof ContentError && thrown.code === code)
  const save = (change: Partial<TextChange>) =>
    cms.save({
      kind: 'page',
      key: 'About',
      text: page('Of the editor'),
      publish: 'now',
      basedOn: null,
      author: 'ann@example.org',
      ...change,
    })
  const titleOf = (name = 'About') => cms.content().pages.find(each => each.name === name)?.title

  before(async () => {
    const kind = STORE_KINDS[0]
    assert.ok(kind)
    store = await openTestStore(kind)
    cms = openCms({
      files: FILES,
      store: async () => store,
      log: silentLog,
      now: () => clockMs,
      onChange: () => {
        changes += 1
      },
    })
  })
  after(async () => {
    await cms[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  })

  test('a published version stands before the file, a draft does not, a withdrawal brings the file back', async () => {
    assert.equal(titleOf(), 'Of the file')
    const draft = await save({ publish: 'draft', text: page('A draft') })
    assert.equal(titleOf(), 'Of the file')
    assert.equal(changes, 0)
    const published = await save({ basedOn: draft.id })
    assert.equal(titleOf(), 'Of the editor')
    assert.equal(changes, 1)
    const gone = await save({ basedOn: published.id, text: null })
    assert.equal(titleOf(), 'Of the file')
    // The history keeps all, and any version can be had again.
    const { versions } = await cms.open('page', 'About')
    assert.deepEqual(
      versions.map(({ id, isWithdrawal, publishMs }) => [id, isWithdrawal, publishMs]),
      [
        [gone.id, true, START_MS],
        [published.id, false, START_MS],
        [draft.id, false, null],
      ],
    )
    assert.equal(await cms.version(draft.id), page('A draft'))
    await fails(cms.version(gone.id), 'content.unknown')
  })

  test('a version shows from its time on, and not if it was taken back before', async () => {
    const first = await save({ key: 'Soon', publish: { atMs: clockMs + DAY_MS }, text: page('Soon') })
    const other = await save({ key: 'Never', publish: { atMs: clockMs + DAY_MS }, text: page('Never') })
    await cms.unschedule(other.id)
    assert.equal(titleOf('Soon'), undefined)
    clockMs += DAY_MS - 1
    await cms.refresh()
    assert.equal(titleOf('Soon'), undefined)
    clockMs += 1
    await cms.refresh()
    assert.equal(titleOf('Soon'), 'Soon')
    assert.equal(titleOf('Never'), undefined)
    await fails(cms.unschedule(first.id), 'content.unknown')
    clockMs = START_MS
    await cms.refresh()
  })

  test('of two who save at once one hears of the other', async () => {
    const made = await Promise.allSettled([
      save({ key: 'Both', text: page('One') }),
      save({ key: 'Both', text: page('Two') }),
    ])
    assert.deepEqual(made.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    await fails(save({ key: 'Both', basedOn: 999_999 }), 'content.changed')
  })

  test('what could not be shown is not saved', async () => {
    for (const change of [
      { text: page('X', '<script>alert(1)</script>') },
      { text: page('X', '[x](javascript:alert(1))') },
      { text: page('X', '![x](https://evil.example/x.png)') },
      { text: 'no head' },
      { key: '../etc/passwd' },
      { kind: 'ads', key: 'other' },
      { kind: 'ads', key: 'ads', text: '- {id: a, title: b}' },
    ] as const)
      await fails(save({ key: 'Bad', ...change }), 'content.invalid')
    assert.ok(!(await cms.entries()).some(({ key }) => key === 'Bad'))
  })

  test('a picture is what its bytes say, and nothing but a picture is kept', async () => {
    const kept = await cms.addPicture(PNG_20_TO_1, 'A line', 'ann@example.org')
    assert.deepEqual([kept.type, kept.width, kept.height], ['image/png', 40, 2])
    assert.deepEqual((await cms.picture(kept.name))?.bytes, PNG_20_TO_1)
    assert.equal((await cms.addPicture(PNG_20_TO_1, 'Again', 'ann@example.org')).name, kept.name)
    for (const bytes of [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      Buffer.from('GIF89a'),
      Buffer.from('<!doctype html><script>1</script>'),
      Buffer.alloc(0),
      PNG_20_TO_1.subarray(0, 20),
      pngOf(9000, 2),
      Buffer.concat([PNG_20_TO_1, Buffer.alloc(1024 * 1024)]),
    ])
      await fails(cms.addPicture(bytes, 'x', 'ann@example.org'), 'content.invalid')
  })

  test('an advertisement is shown from its start until just before its end, and its events are counted by day', async () => {
    for (const [atMs, shown] of [
      [START_MS - 1, []],
      [START_MS, ['now']],
      [START_MS + DAY_MS - 1, ['now']],
      [START_MS + DAY_MS, []],
    ] as const) {
      clockMs = atMs
      assert.deepEqual(
        cms.ads().map(({ id }) => id),
        shown,
        new Date(atMs).toISOString(),
      )
    }
    clockMs = START_MS
    await Promise.all([
      cms.count('now', 'view'),
      cms.count('now', 'view'),
      cms.count('now', 'view'),
      cms.count('now', 'click'),
    ])
    await fails(cms.count('other', 'view'), 'content.unknown')
    clockMs = START_MS + DAY_MS + 3_600_000
    await fails(cms.count('now', 'view'), 'content.unknown')
    clockMs = START_MS
    assert.deepEqual(await cms.counts(), [
      { ad: 'now', day: '2026-11-24', event: 'click', times: 1 },
      { ad: 'now', day: '2026-11-24', event: 'view', times: 3 },
    ])
  })

  test('without its store the files are shown', async () => {
    await using alone = openCms({
      files: FILES,
      store: async () => Promise.reject(new Error('down')),
      log: silentLog,
      now: () => clockMs,
    })
    await alone.refresh()
    assert.equal(alone.content().pages[0]?.title, 'Of the file')
    await assert.rejects(alone.count('now', 'view'))
  })
})
