import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse as parseYaml, YAMLParseError } from 'yaml'
import { z } from 'zod'
import { zodWords } from '#kernel/zodWords.ts'
import type { Block, Written } from './document.ts'
import { ContentError } from './errors.ts'
import { parseMarkdown } from './parseMarkdown.ts'

const Day = z.iso.date()
const Words = z.string().trim().min(1)

const PageHead = z.strictObject({
  title: Words,
  /** The one sentence that says what it is, also to search engines. */
  summary: Words,
  updated: Day,
})

const GuideHead = PageHead.extend({
  /** Its place among the others. */
  order: z.int().nonnegative(),
})

const Chart = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be lower-case words joined by hyphens'),
  kind: z.enum(['line', 'area', 'bars', 'stacked']),
  title: Words,
  note: Words.optional(),
  lines: z
    .array(
      z.strictObject({
        metric: Words,
        entity: Words,
        label: Words.optional(),
        keys: z.array(z.string()).optional(),
        isSum: z.boolean().optional(),
      }),
    )
    .min(1),
  /** Of ranges longer than a quarter. */
  grain: z.enum(['week', 'month']).optional(),
})
export type ReportChart = z.infer<typeof Chart>

const ReportHead = z.strictObject({
  title: Words,
  summary: Words,
  topic: Words,
  published: Day,
  updated: Day.optional(),
  charts: z.array(Chart).default([]),
})

export type Page = z.infer<typeof PageHead> & { readonly name: string } & Written
/** A chapter of the documentation. */
export type Guide = Page & { readonly order: number }
export type Report = z.infer<typeof ReportHead> & {
  readonly key: string
  /** At 230 words a minute, at least one. */
  readonly minutes: number
} & Written

/** All that editors wrote. */
export type Content = {
  /** By their names, which are their addresses: `About` is at `/About`. */
  readonly pages: readonly Page[]
  /** Chapters of the documentation, in their order. */
  readonly guides: readonly Guide[]
  /** The newest first. */
  readonly reports: readonly Report[]
}

const NAME = /^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/

/**
 * Reads `pages/*.md`, `documentation/*.md` and `reports/*.md` of a folder: a head of YAML between two lines of `---`, then Markdown. Throws
 * `content.invalid` with file, line or field, and reason of the first fault.
 */
export async function readContent(dir: string): Promise<Content> {
  const [pages, guides, reports] = await Promise.all([
    readFolder(dir, 'pages', PageHead),
    readFolder(dir, 'documentation', GuideHead),
    readFolder(dir, 'reports', ReportHead),
  ])
  return {
    pages: pages.map(({ name, head, written }) => ({ name, ...head, ...written })),
    guides: guides
      .map(({ name, head, written }) => ({ name, ...head, ...written }))
      .sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1)),
    reports: reports
      .map(({ name, file, head, written, words }) => {
        checkCharts(file, head.charts, written.blocks)
        return { key: name, ...head, ...written, minutes: Math.max(1, Math.round(words / 230)) }
      })
      .sort((a, b) =>
        a.published === b.published ? (a.key < b.key ? -1 : 1) : a.published < b.published ? 1 : -1,
      ),
  }
}

type ReadFile<Head> = { name: string; file: string; head: Head; written: Written; words: number }

async function readFolder<Head>(
  dir: string,
  folder: string,
  schema: z.ZodType<Head>,
): Promise<ReadFile<Head>[]> {
  const entries = await readdir(join(dir, folder)).catch((cause: NodeJS.ErrnoException) => {
    // A site without reports has no such folder.
    if (cause.code === 'ENOENT') return []
    throw cause
  })
  return Promise.all(
    entries
      .filter(entry => entry.endsWith('.md'))
      .sort()
      .map(async entry => {
        const file = `content/${folder}/${entry}`
        const name = entry.slice(0, -3)
        if (!NAME.test(name))
          throw faultIn(file, 'the name of the file is its address: letters, digits and hyphens')
        return { name, file, ...readParts(await readFile(join(dir, folder, entry), 'utf8'), file, schema) }
      }),
  )
}

function readParts<Head>(
  text: string,
  file: string,
  schema: z.ZodType<Head>,
): { head: Head; written: Written; words: number } {
  const found = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text)
  if (found === null) throw faultIn(file, 'it must begin with a head between two lines of ---')
  const read = schema.safeParse(headOf(found[1] ?? '', file), { error: zodWords })
  if (!read.success) {
    const [issue] = read.error.issues
    throw faultIn(file, `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'cannot be read'}`.trim())
  }
  const body = text.slice(found[0].length)
  return {
    head: read.data,
    written: parseMarkdown(body, file, found[0].split('\n').length),
    words: body.split(/\s+/).length,
  }
}

function headOf(yaml: string, file: string): unknown {
  try {
    // Days stay text.
    return parseYaml(yaml, { schema: 'core' })
  } catch (cause) {
    if (!(cause instanceof YAMLParseError)) throw cause
    const line = (cause.linePos?.[0].line ?? 0) + 1
    throw faultIn(file, `line ${line}: the head is no YAML: ${cause.message.split('\n')[0]}`)
  }
}

/** A chart is declared once and stands in the text. */
function checkCharts(file: string, charts: readonly ReportChart[], blocks: readonly Block[]): void {
  const drawn = blocks.flatMap(block => (block.type === 'chart' ? [block.chart] : []))
  const declared = charts.map(({ id }) => id)
  for (const id of drawn)
    if (!declared.includes(id)) throw faultIn(file, `::chart{id=${id}} is not declared in its head`)
  for (const id of declared)
    if (drawn.filter(each => each === id).length !== 1)
      throw faultIn(file, `the chart ${id} must stand in the text once`)
}

const faultIn = (file: string, reason: string): ContentError =>
  new ContentError('content.invalid', `${file}: ${reason}`, { facts: { file } })
