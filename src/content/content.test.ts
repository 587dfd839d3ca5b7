import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { wordsOf } from './document.ts'
import { ContentError } from './errors.ts'
import { parseMarkdown } from './parseMarkdown.ts'
import { readContent } from './readContent.ts'

const faultOf = (text: string): string => {
  try {
    parseMarkdown(text, 'content/pages/x.md', 5)
  } catch (thrown) {
    if (thrown instanceof ContentError) return thrown.message
    throw thrown
  }
  throw new Error('no fault was found')
}

describe('Markdown becomes data', () => {
  test('headings have anchors of their own, notes are numbered as they are called, figures as they come', () => {
    const { blocks, notes, figures } = parseMarkdown(
      `## What it *is*

Fees were :figure{metric=fees.total entity=bitcoin day=2026-08-10 published=3500} then[^b], and again[^a][^b].

## What it is

::chart{id=fees}

[^a]: Second **note**.
[^b]: First.
`,
      'x.md',
    )
    assert.deepEqual(
      blocks.map(block => (block.type === 'heading' ? block.id : block.type)),
      ['what-it-is', 'paragraph', 'what-it-is-2', 'chart'],
    )
    assert.deepEqual(notes.map(wordsOf), ['First.', 'Second note.'])
    assert.deepEqual(figures, [
      {
        metric: 'fees.total',
        entity: 'bitcoin',
        day: '2026-08-10',
        grain: 'day',
        key: undefined,
        of: undefined,
        published: 3500,
      },
    ])
  })

  test('tables, lists and links keep what is in them', () => {
    const { blocks } = parseMarkdown(
      '| a | b |\n| --- | --- |\n| 1 | [two](/bitcoin) |\n\n1. x\n   - y',
      'x.md',
    )
    const [table, list] = blocks
    assert.ok(table?.type === 'table' && list?.type === 'list')
    assert.deepEqual(table.rows[0]?.map(wordsOf), ['1', 'two'])
    assert.equal(list.isOrdered, true)
    assert.equal(list.items[0]?.[1]?.type, 'list')
  })

  test('what a page could not draw, or should not, is refused with its line', () => {
    for (const [text, reason] of [
      ['ok\n\n<script>alert(1)</script>', /^content\/pages\/x\.md, line 7: HTML cannot be drawn here$/],
      ['a <b>bold</b>', /line 5: HTML/],
      ['[x](javascript:alert(1))', /line 5: a link may lead to \/ or https:\/\//],
      ['[x](//evil.example)', /a link may lead/],
      ['[x](http://plain.example)', /a link may lead/],
      ['![x](/a.png)', /a picture/],
      ['# Title', /headings begin with ##/],
      ['x\n\n[^a]: never called', /nothing calls the note \[\^a\]/],
      [':figure{metric=fees.total entity=bitcoin day=10.8.2026 published=1}', /:figure day/],
      [':figure{metric=fees.total entity=bitcoin day=2026-08-10 published=much}', /:figure published/],
      [':figure{metric=fees.total day=2026-08-10 published=1}', /:figure entity is missing/],
      ['::map{id=x}', /::map is not known/],
    ] as const)
      assert.match(faultOf(text), reason, text)
  })
})

describe('a folder of texts', () => {
  async function folder(files: Readonly<Record<string, string>>) {
    const dir = await mkdtemp(join(tmpdir(), 'assay-content-'))
    for (const part of ['pages', 'reports']) await mkdir(join(dir, part))
    for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text)
    return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) }
  }
  const HEAD = 'title: T\nsummary: S\ntopic: Fees\npublished: 2026-01-02'

  test('reports come the newest first, with the minutes that they take', async () => {
    await using made = await folder({
      'reports/old.md': `---\n${HEAD}\n---\nx`,
      'reports/new.md': `---\n${HEAD.replace('01-02', '03-04')}\n---\n${'word '.repeat(700)}`,
      'pages/About.md': '---\ntitle: A\nsummary: S\nupdated: 2026-01-02\n---\ntext',
    })
    const { reports, pages } = await readContent(made.dir)
    assert.deepEqual(
      reports.map(({ key, minutes }) => [key, minutes]),
      [
        ['new', 3],
        ['old', 1],
      ],
    )
    assert.equal(pages[0]?.name, 'About')
  })

  test('a fault is told with file, field and reason', async () => {
    for (const [text, reason] of [
      ['no head', /content\/reports\/r\.md: it must begin with a head/],
      [`---\n${HEAD.replace('2026-01-02', 'soon')}\n---\nx`, /content\/reports\/r\.md: published/],
      ['---\ntitle: [\n---\nx', /r\.md: line \d+: the head is no YAML/],
      [`---\n${HEAD}\ntopics: a\n---\nx`, /holds what is not known: topics/],
      [`---\n${HEAD}\n---\n::chart{id=a}`, /::chart\{id=a\} is not declared/],
      [`---\n${HEAD}\n---\nline\n\n<i>x</i>`, /r\.md, line 9: HTML/],
    ] as const) {
      await using made = await folder({ 'reports/r.md': text })
      await assert.rejects(readContent(made.dir), (thrown: Error) => {
        assert.match(thrown.message, reason)
        return thrown instanceof ContentError
      })
    }
  })

  test('a site without texts has none', async () => {
    assert.deepEqual(await readContent(join(tmpdir(), 'assay-nothing-here')), {
      pages: [],
      guides: [],
      reports: [],
    })
  })
})
