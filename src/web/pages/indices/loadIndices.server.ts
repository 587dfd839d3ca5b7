import type { RouterContextProvider } from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import type { BacktestAnswer, MarketIndex } from '#http/contract.ts'
import { shownPart } from '../../blocks/chart/chartSpec.ts'
import { bucketIndex, type PlotData } from '../../blocks/chart/plotData.ts'
import { chainMark } from '../../blocks/load/chainMark.server.ts'
import { answering } from '../answering.server.ts'
import { loadFigures } from '../chain/loadFigures.server.ts'
import { problemOf } from '../problemOf.server.ts'
import { readBuilder } from './builder.ts'
import { BUILDER, indexFigures, TABLES } from './specs.ts'

const TITLE = 'Bitcoin DeFi Indices'

/** The index that the address names; else the first of those whose level is the newest. */
export function indexShown(items: readonly MarketIndex[], tab: string | null): MarketIndex | undefined {
  const newest = items
    .map(({ day }) => day ?? '')
    .sort()
    .at(-1)
  return items.find(({ id }) => id === tab) ?? items.find(({ day }) => (day ?? '') === newest)
}

/** Everything that the page shows: of one index, or the builder. */
export async function loadIndices(url: URL, context: Readonly<RouterContextProvider>) {
  const api = context.get(apiContext)
  const { publicUrl } = context.get(siteContext)
  const { items, asOf } = await answering(TITLE, () => api.indices.list())
  const tab = url.searchParams.get('tab')
  if (tab === BUILDER) {
    const built = await loadBuilt(url, context)
    return { items, publicUrl, built, mark: chainMark(built.answer?.asOf ?? asOf, url) }
  }
  const index = indexShown(items, tab)
  if (index === undefined) return { items, publicUrl }
  const page = indexFigures(index)
  const [figures, all, correlations, ...tables] = await answering(TITLE, () =>
    Promise.all([
      loadFigures(page, index.id, url, context),
      api.indices.table('indices'),
      api.indices.table('correlations'),
      ...TABLES.map(table => api.indices.tableOf(index.id, table)),
    ]),
  )
  return {
    items,
    publicUrl,
    shown: {
      index,
      figures,
      all,
      correlations,
      tables,
      specs: page.charts.map(shownPart),
      question: page.question,
    },
  }
}

/** A backtest as the builder shows it: its levels on a grid, without the days’ own list. */
export type Built = Awaited<ReturnType<typeof loadBuilt>>

async function loadBuilt(url: URL, context: Readonly<RouterContextProvider>) {
  const { chosen, faults } = readBuilder(url.searchParams)
  const { tokens, ...rules } = chosen
  const ask = () =>
    context
      .get(apiContext)
      .indices.backtest({ ...rules, ...(tokens !== undefined && { tokens: [...tokens] }) })
  const { answer, fault } = await answering('The index builder', () =>
    ask().then(
      given => ({ answer: given, fault: undefined }),
      thrown => {
        const problem = problemOf(thrown)
        if (problem?.code !== 'http.parameter') throw thrown
        return { answer: undefined, fault: `${problem.detail} ${problem.hint ?? ''}` }
      },
    ),
  )
  if (answer === undefined) return { chosen, faults, fault, answer: undefined, plot: undefined }
  const { days: _, level: __, levelNet: ___, btc: ____, eth: _____, rebalancings, ...rest } = answer
  return {
    chosen,
    faults,
    fault: undefined,
    answer: {
      ...rest,
      rebalancings: rebalancings.toReversed().slice(0, MOST_ROWS),
      rebalanced: rebalancings.length,
    },
    plot: plotOf(answer),
  }
}

const MOST_ROWS = 120
/** Beyond as many days a chart shows weeks: more points than a screen has are no more to see. */
const MOST_DAYS = 500

function plotOf({ days, level, levelNet, btc, eth, asOf }: BacktestAnswer): PlotData | undefined {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined || days.length < 2) return undefined
  const grain = bucketIndex({ start: first, grain: 'day' }, last) > MOST_DAYS ? 'week' : 'day'
  // Weeks begin on Monday, and stand for their last day with a level.
  const start = grain === 'day' ? first : mondayOf(first)
  const count = bucketIndex({ start, grain }, last) + 1
  const line = (
    key: string,
    label: string,
    colour: string,
    values: readonly (number | null)[],
    assay = '',
  ) => {
    const buckets = new Array<number | null>(count).fill(null)
    for (const [i, day] of days.entries()) {
      const value = values[i]
      if (value !== null && value !== undefined)
        buckets[bucketIndex({ start, grain }, day)] = Number(value.toPrecision(6))
    }
    return { key, label, colour, values: buckets, incomplete: [], assay }
  }
  return {
    start,
    grain,
    count,
    isPartial: false,
    unit: 'points',
    asOf,
    sources: [],
    lines: [
      line('level', 'your index', 'series-8', level),
      line('net', 'after costs', 'series-3', levelNet),
      line('btc', 'bitcoin', 'series-bitcoin', btc, 'price.close@bitcoin'),
      line('eth', 'ether', 'series-2', eth, 'token.price@eth'),
    ],
  }
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}
