import { z } from 'zod'
import { GATES } from '#content/index.ts'
import { figureValue } from './common.ts'

const leaf = z.strictObject({ type: z.enum(['text', 'code']), text: z.string() })
const part = z.strictObject({
  type: z.enum(['strong', 'emphasis']),
  get children() {
    return z.array(inline)
  },
})
const link = z.strictObject({
  type: z.literal('link'),
  href: z.string(),
  get children() {
    return z.array(inline)
  },
})
export const inline: z.ZodType<Inline> = z
  .union([
    leaf,
    part,
    link,
    z.strictObject({ type: z.literal('break') }),
    z.strictObject({ type: z.literal('picture'), src: z.string(), alt: z.string() }),
    z.strictObject({ type: z.literal('figure'), figure: z.int().describe('place in `figures`') }),
    z.strictObject({ type: z.literal('note'), note: z.int().describe('place in `notes`') }),
  ])
  .meta({ id: 'Inline', description: 'A part of a line of text.' })

/** A part of a line of text. */
export type Inline =
  | { type: 'text' | 'code'; text: string }
  | { type: 'strong' | 'emphasis'; children: Inline[] }
  | { type: 'link'; href: string; children: Inline[] }
  | { type: 'break' }
  | { type: 'picture'; src: string; alt: string }
  | { type: 'figure'; figure: number }
  | { type: 'note'; note: number }

/** A part of a text. */
export type Block =
  | { type: 'heading'; depth: 2 | 3; id: string; children: Inline[] }
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'list'; isOrdered: boolean; items: Block[][] }
  | { type: 'quote'; children: Block[] }
  | { type: 'code'; text: string }
  | { type: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { type: 'chart'; chart: string }

export const block: z.ZodType<Block> = z
  .union([
    z.strictObject({
      type: z.literal('heading'),
      depth: z.union([z.literal(2), z.literal(3)]),
      id: z.string().describe('its anchor'),
      children: z.array(inline),
    }),
    z.strictObject({ type: z.literal('paragraph'), children: z.array(inline) }),
    z.strictObject({
      type: z.literal('list'),
      isOrdered: z.boolean(),
      get items() {
        return z.array(z.array(block))
      },
    }),
    z.strictObject({
      type: z.literal('quote'),
      get children() {
        return z.array(block)
      },
    }),
    z.strictObject({ type: z.literal('code'), text: z.string() }),
    z.strictObject({
      type: z.literal('table'),
      head: z.array(z.array(inline)),
      rows: z.array(z.array(z.array(inline))),
    }),
    z.strictObject({ type: z.literal('chart'), chart: z.string().describe('id of one of `charts`') }),
  ])
  .meta({ id: 'Block', description: 'A part of a text: pages draw it, no HTML is sent.' })

const told = {
  title: z.string(),
  summary: z.string(),
}
const body = {
  blocks: z.array(block),
  notes: z.array(z.array(inline)),
}

export const writtenPage = z
  .strictObject({ name: z.string(), ...told, updated: z.string(), ...body })
  .meta({ id: 'WrittenPage', description: 'A page of text.' })

export const guideList = z.strictObject({
  items: z.array(
    z
      .strictObject({ name: z.string(), ...told })
      .meta({ id: 'Guide', description: 'A chapter of the documentation.' }),
  ),
})

const reportFigure = z
  .strictObject({
    metric: z.string(),
    entity: z.string(),
    of: z.string().nullable().describe('what the text calls the entity; null where its id is its name'),
    name: z.string().describe('of the metric'),
    unit: z.string(),
    key: z.string().nullable().describe('value of the breakdown; null for the sum of all, or without one'),
    grain: z.enum(['day', 'week', 'month']),
    day: z.string(),
    published: z.number().describe('value of the metric for the day when the report was published'),
    now: figureValue.describe('current value for that day; null if no longer available'),
    newestDay: z.string().nullable(),
    newest: figureValue.describe('value for the latest day'),
  })
  .meta({ id: 'ReportFigure', description: 'A number in a report, as published beside now.' })

const reportChart = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['line', 'area', 'bars', 'stacked']),
    title: z.string(),
    note: z.string().nullable(),
    grain: z.enum(['week', 'month']).nullable().describe('of ranges longer than a quarter'),
    lines: z.array(
      z.strictObject({
        metric: z.string(),
        entity: z.string(),
        label: z.string().nullable(),
        keys: z.array(z.string()).nullable(),
        isSum: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'ReportChart', description: 'A chart of a report: figures of the registry.' })

const head = {
  key: z.string(),
  ...told,
  topic: z.string(),
  published: z.string(),
  updated: z.string().nullable(),
  minutes: z.int().describe('to read it, minutes'),
  requires: z
    .enum(GATES)
    .nullable()
    .describe('feature that its text needs (`dashboard` opens all); null where it is open to all'),
}
export const reportList = z.strictObject({
  items: z.array(z.strictObject(head).meta({ id: 'ReportHead', description: 'A report in a list.' })),
})

export const report = z
  .strictObject({
    ...head,
    ...body,
    isWhole: z.boolean().describe('false if only title, summary, sources and chart are included'),
    sources: z.array(z.strictObject({ title: z.string(), url: z.string() })),
    figures: z.array(reportFigure),
    charts: z.array(reportChart),
  })
  .meta({ id: 'Report', description: 'A report with verifiable figures.' })

export type WrittenPage = z.infer<typeof writtenPage>
export type GuideList = z.infer<typeof guideList>
export type Report = z.infer<typeof report>
export type ReportFigure = z.infer<typeof reportFigure>
export type ReportList = z.infer<typeof reportList>
