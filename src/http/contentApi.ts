import {
  type Content,
  type Gated,
  type Page,
  publicPartOf,
  type Report as Written,
  type Figure as WrittenFigure,
} from '#content/index.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { ApiError, problemOf } from './apiError.ts'
import { restsOn } from './cache/parts.ts'
import type {
  Api,
  ContentApi,
  GatedItem,
  Report,
  ReportFigure,
  Series,
  SeriesQuery,
  WrittenPage,
} from './contract.ts'
import { didYouMean } from './didYouMean.ts'

type Deps = {
  readonly content: () => Content
  readonly series: Api['series']
}

/** What editors wrote, its numbers beside what the metrics say now. Texts that need a feature come without their text. */
export function createContentApi({ content, series }: Deps): ContentApi & {
  /** With the text of a report that needs a feature: for who has it. */
  wholeReport(key: string): Promise<Report>
} {
  const published = (): Content => {
    restsOn(['texts'])
    return content()
  }
  const reportNamed = (key: string): Written => {
    const { reports } = published()
    const found = reports.find(report => report.key === key)
    if (found !== undefined) return found
    throw unknown(
      'http.report',
      'report',
      key,
      reports.map(report => report.key),
    )
  }
  const answerOf = async (report: Written, isWhole: boolean): Promise<Report> => ({
    ...headOf(report),
    isWhole,
    sources: copied(report.sources),
    blocks: copied(report.blocks),
    notes: copied(report.notes),
    figures: await Promise.all(report.figures.map(each => nowOf(each, series))),
    charts: report.charts.map(({ note, grain, lines, ...chart }) => ({
      ...chart,
      note: note ?? null,
      grain: grain ?? null,
      lines: lines.map(({ label, keys, isSum, ...line }) => ({
        ...line,
        label: label ?? null,
        keys: keys ?? null,
        isSum: isSum ?? false,
      })),
    })),
  })
  return {
    page: async name => pageNamed(published().pages, name),
    guides: async () => ({
      items: published().guides.map(({ name, title, summary }) => ({ name, title, summary })),
    }),
    guide: async name => pageNamed(published().guides, name),
    reports: async () => ({ items: published().reports.map(headOf) }),
    report: async key => {
      const found = reportNamed(key)
      return answerOf(publicPartOf(found), found.requires === undefined)
    },
    wholeReport: async key => answerOf(reportNamed(key), true),
    adWindows: async () =>
      published()
        .ads.filter(({ endMs }) => endMs > Date.now())
        .map(({ startMs, endMs }) => [startMs, endMs] as const),
    gated: async () => published().gated.map(gatedHeadOf),
    queryExamples: async () => copied(published().queryExamples),
  }
}

/** What all may know of a piece for who has a feature. */
export const gatedHeadOf = ({ key, path, title, summary, requires }: Gated): GatedItem => ({
  key,
  path,
  title,
  summary,
  requires,
})

function pageNamed(pages: readonly Page[], name: string): WrittenPage {
  const found = pages.find(page => page.name === name)
  if (found === undefined)
    throw unknown(
      'http.page',
      'page of text',
      name,
      pages.map(page => page.name),
    )
  const { title, summary, updated, blocks, notes } = found
  return { name, title, summary, updated, blocks: copied(blocks), notes: copied(notes) }
}

const headOf = ({ key, title, summary, topic, published, updated, minutes, requires }: Written) => ({
  key,
  title,
  summary,
  topic,
  published,
  updated: updated ?? null,
  minutes,
  requires: requires ?? null,
})

/** Read-only lists are what the room has; the answer is of whoever asked. */
const copied = <T>(value: T): Mutable<T> => structuredClone(value) as Mutable<T>
type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T

/** A number as published beside what its metric says now; what fails says nothing, and the rest of the text stands. */
async function nowOf(
  { metric, entity, of, day, grain, key, published }: WrittenFigure,
  series: Api['series'],
): Promise<ReportFigure> {
  const ask = (span: Pick<SeriesQuery, 'from' | 'to' | 'range'>) =>
    series({ id: metric, entity, grain, ...span }).catch(() => undefined)
  const [then, lately] = await Promise.all([
    ask({ from: day, to: day }),
    ask({ range: grain === 'day' ? '30d' : '1y' }),
  ])
  const newestDay = lately?.points.findLast(({ state, value }) => state === 'whole' && value !== null)?.day
  const ofDay = (which: string | undefined, found: Series | undefined) =>
    found === undefined
      ? null
      : valueFrom(
          found.points.filter(point => point.day === which),
          key,
        )
  return {
    metric,
    entity,
    of: of ?? null,
    name: then?.metric.name ?? lately?.metric.name ?? metric,
    unit: then?.unit ?? lately?.unit ?? '',
    key: key ?? null,
    grain,
    day,
    published,
    now: ofDay(day, then),
    newestDay: newestDay ?? null,
    newest: ofDay(newestDay, lately),
  }
}

function valueFrom(points: Series['points'], key: string | undefined): number | string | null {
  const meant = key === undefined ? points : points.filter(point => point.key === key)
  const [only] = meant
  if (meant.length <= 1) return only?.value ?? null
  return meant.reduce((sum, { value }) => sum + Number(value ?? 0), 0)
}

const unknown = (
  code: 'http.page' | 'http.report',
  what: string,
  name: string,
  names: readonly string[],
): ApiError =>
  new ApiError(
    problemOf(code, `There is no ${what} "${name.slice(0, 60)}".`, didYouMean(nearestNames(name, names))),
  )
