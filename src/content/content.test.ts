/** Texts would be drawn wrongly, or a link in one could send readers to another site. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import paths from '#kernel/localPath.fixture.json' with { type: 'json' }
import { wordsOf } from './document.ts'
import { ContentError } from './errors.ts'
import { parseMarkdown } from './parseMarkdown.ts'
import { publicPartOf, readContent } from './readContent.ts'
import { PNG_20_TO_1, pngOf } from './testing.ts'
import { toHtml } from './toHtml.ts'

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
      ['![x](/a.png)', /a picture must be one of our own/],
      ['![](/api/cms/media/a.png)', /a picture needs words/],
      ['# Title', /headings begin with ##/],
      ['x\n\n[^a]: never called', /nothing calls the note \[\^a\]/],
      [':figure{metric=fees.total entity=bitcoin day=10.8.2026 published=1}', /:figure day/],
      [':figure{metric=fees.total entity=bitcoin day=2026-08-10 published=much}', /:figure published/],
      [':figure{metric=fees.total day=2026-08-10 published=1}', /:figure entity is missing/],
      ['::map{id=x}', /::map is not known/],
    ] as const)
      assert.match(faultOf(text), reason, text)
  })

  test('a link that a browser could take to another host is refused', () => {
    // Within `<…>` any text but a line break is the target; a backslash is doubled to stay one.
    const written = paths.hostile.filter(text => text.startsWith('/') && !/[\0\n\r]/.test(text))
    assert.ok(written.length > 8)
    for (const text of written)
      assert.match(
        faultOf(`[x](<${text.replaceAll('\\', '\\\\')}>)`),
        /a link may lead/,
        JSON.stringify(text),
      )
    for (const text of ['https://evil.example\\', 'https:\\\\evil.example', 'mailto:a@b\\c'])
      assert.match(faultOf(`[x](<${text.replaceAll('\\', '\\\\')}>)`), /a link may lead/, text)
    for (const text of paths.local)
      assert.equal(parseMarkdown(`[x](<${text}>)`, 'x.md').blocks.length, 1, text)
  })
})

describe('a folder of texts', () => {
  async function folder(files: Readonly<Record<string, string>>) {
    const dir = await mkdtemp(join(tmpdir(), 'assay-content-'))
    for (const part of ['pages', 'reports', 'gated', 'ads']) await mkdir(join(dir, part))
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
      [`---\n${HEAD}\ntopics: a\n---\nx`, /has unknown fields: topics/],
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
      gated: [],
      ads: [],
      queryExamples: [],
    })
  })

  const GATED = 'title: T\nsummary: S\npath: /bitcoin\nrequires: query\nupdated: 2026-01-02'
  const AD = `- id: a
  title: A
  link: https://example.org/a
  image: a.png
  start: 2026-01-01T00:00:00Z
  end: 2026-02-01T00:00:00+02:00`

  test('gated pieces and advertisements are told with file, line and reason where they cannot be', async () => {
    for (const [file, text, reason] of [
      [
        'gated/g.md',
        `---\n${GATED.replace('query', 'money')}\n---\nx`,
        /content\/gated\/g\.md: requires must be one of/,
      ],
      [
        'gated/g.md',
        `---\n${GATED.replace('/bitcoin', 'https://a.example')}\n---\nx`,
        /g\.md: path must be the path/,
      ],
      ['gated/g.md', `---\n${GATED}\n---\n::chart{id=a}`, /::chart\{id=a\} is not declared/],
      ['reports/r.md', `---\n${HEAD}\nrequires: all\n---\nx`, /r\.md: requires must be one of dashboard/],
      [
        'reports/r.md',
        `---\n${HEAD}\nsources: [{title: x, url: 'javascript:1'}]\n---\nx`,
        /r\.md: sources\.0\.url/,
      ],
      ['ads.yaml', AD.replace('https', 'http'), /content\/ads\.yaml, line 3: link must be an https address/],
      ['ads.yaml', AD.replace('https://example.org/a', '//example.org'), /line 3: link/],
      ['ads.yaml', AD.replace('https://example.org/a', 'javascript:alert(1)'), /line 3: link/],
      ['ads.yaml', AD.replace('https://example.org/a', 'https://a:b@example.org'), /line 3: link/],
      ['ads.yaml', AD.replace('a.png', 'b.png'), /line 4: image b\.png is no picture/],
      ['ads.yaml', AD.replace('2026-01-01T00:00:00Z', 'soon'), /line 5: start must be a time/],
      ['ads.yaml', AD.replace('2026-02-01', '2025-02-01'), /line 6: end must be later than start/],
      ['ads.yaml', `${AD}\n${AD}`, /line 7: id a is there twice/],
      ['ads.yaml', `${AD}\n  colour: red`, /has unknown fields: colour/],
      ['ads.yaml', 'a: [', /content\/ads\.yaml, line 1: it is no YAML/],
      ['ads/b.svg', '<svg/>', /content\/ads\/b\.svg: a picture is called/],
      ['ads/b.png', '<svg/>', /content\/ads\/b\.png: is no PNG, JPEG or WebP/],
    ] as const) {
      await using made = await folder({ [file]: text })
      await writeFile(join(made.dir, 'ads/a.png'), PNG_20_TO_1)
      await assert.rejects(readContent(made.dir), (thrown: Error) => {
        assert.match(thrown.message, reason)
        return thrown instanceof ContentError
      })
    }
    await using square = await folder({ 'ads.yaml': AD })
    await writeFile(join(square.dir, 'ads/a.png'), pngOf(40, 40))
    await assert.rejects(
      readContent(square.dir),
      /line 4: image is 40 × 40; it must be 20 times as wide as high/,
    )
    await using sound = await folder({ 'ads.yaml': AD, 'gated/g.md': `---\n${GATED}\n---\nx` })
    await writeFile(join(sound.dir, 'ads/a.png'), PNG_20_TO_1)
    const { ads, gated } = await readContent(sound.dir)
    assert.equal(ads[0]?.endMs, Date.parse('2026-01-31T22:00:00Z'))
    assert.equal(gated[0]?.requires, 'query')
  })

  test('of a report that needs a feature all may read the chart, and no word of the text', async () => {
    const charts = `charts:\n  - {id: c, kind: line, title: C, lines: [{metric: fees.total, entity: bitcoin}]}`
    await using made = await folder({
      'reports/r.md': `---\n${HEAD}\nrequires: bitcoin\n${charts}\n---\nhidden one[^n]\n\n::chart{id=c}\n\nhidden two\n\n[^n]: hidden three`,
    })
    const [report] = (await readContent(made.dir)).reports
    assert.ok(report)
    assert.match(JSON.stringify(report), /hidden one.*hidden two.*hidden three/s)
    const told = publicPartOf(report)
    assert.doesNotMatch(JSON.stringify(told), /hidden/)
    assert.deepEqual(told.blocks, [{ type: 'chart', chart: 'c' }])
    const second = charts.replace('charts:', '').replaceAll('id: c', 'id: d')
    await using two = await folder({
      'reports/r.md': `---\n${HEAD}\nrequires: bitcoin\n${charts}${second}\n---\n::chart{id=c}\n\n::chart{id=d}`,
    })
    await assert.rejects(readContent(two.dir), /may have one chart/)
  })
})

test('HTML of a text is ours: words of its author are escaped', () => {
  const written = parseMarkdown(
    '## A & "B"\n\na `<i>` **b** [c](/x?a=1&b="2") \\<script>[^n]\n\n| h |\n| --- |\n| 1 |\n\n1. x\n\n> q\n\n![a "b"](/api/cms/media/a.png)\n\n[^n]: N',
    'x.md',
  )
  const html = toHtml(written)
  assert.ok(html.includes('<h2 id="a-b">A &amp; &quot;B&quot;</h2>'), html)
  assert.ok(html.includes('<code>&lt;i&gt;</code> <strong>b</strong>'), html)
  assert.ok(html.includes('&lt;script&gt;<sup><a href="#note-1">1</a></sup>'), html)
  assert.ok(html.includes('<td>1</td>') && html.includes('<ol><li><p>x</p></li></ol>'), html)
  assert.ok(html.includes('<img src="/api/cms/media/a.png" alt="a &quot;b&quot;">'), html)
  assert.doesNotMatch(html, /<script|<i>|"2"/)
})
