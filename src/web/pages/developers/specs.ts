import type { Ecosystem } from '#http/contract.ts'
import type { ChartSpec } from '../../blocks/chart/chartSpec.ts'
import type { FigurePage } from '../chain/loadFigures.server.ts'

/** Everybody together, each person once. */
export const ALL = 'ecosystems'
export const PATH = '/developer-activity'
export const QUESTION = 'Who builds what, and does it last?'

/** What a day is on the page of developers. */
export const DAYS = {
  words:
    'Days are UTC days by the commit author’s clock, or the committer’s clock if the author’s is implausible. A day is complete once every active history extends past it. Until then its figure is dashed and excluded from changes. If a recording is missing earlier history, its first year is hollow.',
}

const RAW = [{ name: 'raw', label: 'What is counted', off: 'cleaned', on: 'raw' }] as const

const TENURE = { first: 'up to a year', second: 'one to two years', longer: 'longer' }
const REASONS = { merges: 'merges', programs: 'programs', copies: 'copies', clocks: 'wrong clocks' }

type Named = Pick<Ecosystem, 'id' | 'name'>

/** Figures of the page, of all ecosystems or of one. */
export function developers(ecosystems: readonly Named[], shown: string): FigurePage {
  const isAll = shown === ALL
  return {
    question: QUESTION,
    kpis: [
      { metric: 'dev.monthly', label: 'Monthly developers' },
      { metric: 'dev.full_time', label: 'Full-time' },
      { metric: 'dev.part_time', label: 'Part-time' },
      { metric: 'dev.new_monthly', label: 'New within 28 days' },
      { metric: 'dev.retained', label: 'Retained at six months' },
      { metric: 'dev.repos', label: 'Active repositories' },
    ],
    charts: [
      {
        id: 'monthly',
        title: 'Developers within 28 days, and day by day',
        kind: 'line',
        wide: true,
        lines: [
          { metric: 'dev.monthly', label: 'within 28 days' },
          { metric: 'dev.daily', label: 'of the day', isBars: true },
        ],
        switches: RAW,
        note: 'The line looks back 28 days and forgets as late; the bars do not. Paid programs, listed below, are bands.',
      },
      ...(isAll ? [byEcosystem(ecosystems)] : []),
      {
        id: 'commitment',
        title: 'Full-time, part-time, one-time',
        kind: 'stacked',
        lines: [
          { metric: 'dev.full_time', label: 'full-time' },
          { metric: 'dev.part_time', label: 'part-time' },
          { metric: 'dev.one_time', label: 'one-time' },
        ],
        switches: RAW,
        note: 'Full-time: commits on at least 10 of 28 days. Part-time: on at least 10 of 84 days but not of 28. One-time: on fewer. They add up to monthly developers.',
      },
      {
        id: 'flow',
        title: 'Newcomers against leavers',
        kind: 'line',
        lines: [
          { metric: 'dev.new', label: 'new' },
          { metric: 'dev.returned', label: 'came back' },
          { metric: 'dev.left', label: 'left' },
        ],
        switches: RAW,
        defaults: { grain: 'month' },
        note: 'Left: no commit for 84 days, counted then and never revised. Hollow: newcomers in the first year of a recording can be existing developers.',
      },
      {
        id: 'retained',
        title: 'Newcomers active six months later',
        kind: 'line',
        lines: [{ metric: 'dev.retained', label: 'share' }],
        switches: RAW,
        defaults: { grain: 'month' },
        note: 'Shown at the month in which they stayed, once it is over.',
      },
      {
        id: 'tenure',
        title: 'By how long they have been there',
        kind: 'stacked',
        lines: [{ metric: 'dev.by_tenure', keys: ['longer', 'second', 'first'], labels: TENURE }],
        switches: RAW,
      },
      {
        id: 'cohorts',
        title: 'Retention by start year',
        kind: 'heat',
        wide: true,
        lines: [{ metric: 'dev.by_cohort' }],
        most: 20,
        defaults: { grain: 'month', measure: 'each' },
        note: 'One row per year of first commit. Darker means closer to that row’s peak month. If a recording starts late, existing developers count in its first year.',
      },
      {
        id: 'raw',
        title: 'Raw beside cleaned',
        kind: 'line',
        lines: [
          { metric: 'dev.monthly_raw', label: 'raw' },
          { metric: 'dev.monthly', label: 'cleaned' },
        ],
        note: 'The difference is listed below by reason.',
      },
      {
        id: 'excluded',
        title: 'Excluded commits by reason',
        kind: 'stacked',
        lines: [{ metric: 'dev.excluded', labels: REASONS }],
        defaults: { grain: 'month' },
      },
      {
        id: 'commits',
        title: 'Commits that count',
        kind: 'bars',
        lines: [{ metric: 'dev.commits', label: 'commits' }],
        switches: RAW,
        defaults: { grain: 'week' },
      },
    ],
  }
}

/** More areas than that cannot be told apart. */
const MOST_ECOSYSTEMS = 9

const byEcosystem = (ecosystems: readonly Named[]): ChartSpec => ({
  id: 'ecosystems',
  title: 'Developers by ecosystem',
  kind: 'stacked',
  wide: true,
  lines: [
    {
      metric: 'dev.by_ecosystem',
      labels: Object.fromEntries(ecosystems.map(({ id, name }) => [id, name])),
      standsFor: Object.fromEntries(ecosystems.map(({ id }) => [id, id])),
    },
  ],
  most: MOST_ECOSYSTEMS,
  switches: RAW,
  note: 'Developers in two ecosystems count in both, so the stack is higher than the total. See the matrix below.',
})

/** Tables below, in their order; the matrix is drawn of `overlap`. */
export const TABLES = ['ecosystems', 'repositories', 'overlap', 'excluded', 'programs', 'programmes'] as const

/** The ecosystem that an address chooses; all of them where it names none that is known. */
export const shownOf = (query: URLSearchParams, ecosystems: readonly Named[]): string =>
  ecosystems.find(({ id }) => id === query.get('of'))?.id ?? ALL
