import { parse as parseYaml, YAMLParseError } from 'yaml'
import { z } from 'zod'
import { zodWords } from '#kernel/zodWords.ts'
import { type Ad, isLink, parseAds } from './ads.ts'
import type { Block, Written } from './document.ts'
import { faultIn } from './errors.ts'
import { parseMarkdown } from './parseMarkdown.ts'
import type { PictureHead } from './picture.ts'

/** What an editor may write. `ads` is one text: the list of all advertisements. */
export const TEXT_KINDS = ['page', 'guide', 'report', 'gated', 'ads'] as const
export type TextKind = (typeof TEXT_KINDS)[number]

/** What a piece may need of its reader; `dashboard` opens all. */
export const GATES = ['dashboard', 'query', 'bitcoin'] as const
export type Gate = (typeof GATES)[number]

const Day = z.iso.date()
const Words = z.string().trim().min(1)

const Page = z.strictObject({
  title: Words,
  /** The one sentence that says what it is, also to search engines. */
  summary: Words,
  updated: Day,
})

const Guide = Page.extend({
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

const Source = z.strictObject({
  title: Words,
  url: z.string().refine(isLink, 'must be an https address, or a path of this site'),
})

const Report = z.strictObject({
  title: Words,
  summary: Words,
  topic: Words,
  published: Day,
  updated: Day.optional(),
  /** Feature without which only title, summary, sources and the chart are shown. */
  requires: z.enum(GATES).optional(),
  /** What it rests on besides its own figures; shown to all. */
  sources: z.array(Source).default([]),
  charts: z.array(Chart).default([]),
})

const Gated = z.strictObject({
  title: Words,
  /** Shown to all. */
  summary: Words,
  /** The page below which it stands. */
  path: z.string().regex(/^\/([A-Za-z0-9-]+(\/[A-Za-z0-9-]+)*)?$/, 'must be the path of a page of this site'),
  requires: z.enum(GATES),
  updated: Day,
})

export type PageHead = z.infer<typeof Page>
export type GuideHead = z.infer<typeof Guide>
export type ReportHead = z.infer<typeof Report>
export type GatedHead = z.infer<typeof Gated>

type Body = { readonly written: Written; readonly words: number }
export type ParsedText =
  | ({ readonly kind: 'page'; readonly head: PageHead } & Body)
  | ({ readonly kind: 'guide'; readonly head: GuideHead } & Body)
  | ({ readonly kind: 'report'; readonly head: ReportHead } & Body)
  | ({ readonly kind: 'gated'; readonly head: GatedHead } & Body)
  | { readonly kind: 'ads'; readonly ads: readonly Ad[] }

/** What a text says, as data. Throws `content.invalid` with file, line or field, and reason. */
export function parseText(
  { kind, text }: { readonly kind: TextKind; readonly text: string },
  file: string,
  pictures: readonly (PictureHead & { readonly name: string })[],
): ParsedText {
  switch (kind) {
    case 'page':
      return { kind, ...readParts(text, file, Page) }
    case 'guide':
      return { kind, ...readParts(text, file, Guide) }
    case 'report': {
      const parts = readParts(text, file, Report)
      checkCharts(file, parts.head.charts, parts.written.blocks)
      if (parts.head.requires !== undefined && parts.head.charts.length > 1)
        throw faultIn(file, 'a report that requires a feature may have one chart: everybody sees it')
      return { kind, ...parts }
    }
    case 'gated': {
      const parts = readParts(text, file, Gated)
      checkCharts(file, [], parts.written.blocks)
      return { kind, ...parts }
    }
    case 'ads':
      return { kind, ads: parseAds(text, file, pictures) }
  }
}

function readParts<Head>(text: string, file: string, schema: z.ZodType<Head>): { head: Head } & Body {
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
    // Days stay text. Aliases, which can make much of little, have no use here.
    return parseYaml(yaml, { schema: 'core', maxAliasCount: 0 })
  } catch (cause) {
    if (cause instanceof ReferenceError) throw faultIn(file, 'the head may hold no aliases')
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
