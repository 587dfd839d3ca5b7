import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { silentLog } from '#kernel/log.ts'
import { openWarehouse, type Warehouse } from '#warehouse/index.ts'
import { median, quantile, timed } from './measure.ts'
import { openSite, REST_MS } from './site/openSite.ts'
import { publicPages } from './site/publicPages.ts'
import { record } from './site/record.ts'
import { atMost, type BenchContext, type Figure, rounded, type Suite } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LAYERS = ['stacks', 'rootstock', 'bob', 'merlin', 'bitlayer', 'b2-network', 'core']
const METRICS = ['tvl.total', 'stables.cap', 'dex.volume', 'fees.chain_usd', 'btc.bridged']
const DAYS = 5 * 365
/** A publisher that is asked by the hour says a figure of one day about this often. */
const TIMES = 100
const RANGES = ['30d', '90d', '1y', 'max']
const COLUMN_SETS = ['money', 'usage', 'bitcoin', 'risk', 'build']
/** Askings of each state: the first after a change is answered anew, the others are kept. */
const ASKED = 40
const MOST_RATIO = 1.5
/** Tables of what outside publishers say. */
const PUBLISHED = ['observations', 'prices']

/** The home page over five years of days, and each page over what was recorded, with each figure published once and a hundred times. */
export const history: Suite = {
  name: 'history',
  about: `every page with ${TIMES} times the figures: each published again and again`,
  run: async context => [...(await homePage(context)), ...(await everyPage(context))],
}

async function homePage(context: BenchContext): Promise<Figure[]> {
  const home = join(context.folder, 'home')
  await using site = await openSite({ root: ROOT, command: 'app', home })
  await using warehouse = await openWarehouse({ home, memoryBytes: 2 ** 30, log: silentLog })
  await publish(warehouse, site.origin, 0, 1)
  // Code that has run is faster: both are measured after it has.
  await homeTimes(site.origin, context)
  // A change lets go of what is kept: both begin with answers made anew.
  await publish(warehouse, site.origin, 1, 2)
  const once = await homeTimes(site.origin, context)
  await publish(warehouse, site.origin, 2, TIMES)
  const often = await homeTimes(site.origin, context)
  return [figureOf(`/ with ${TIMES}× five years`, once, often)]
}

/** Chains are told from days and hours that are reckoned as blocks come: what grows with age is what publishers say. */
async function everyPage(context: BenchContext): Promise<Figure[]> {
  const home = join(context.folder, 'pages')
  await using site = await openSite({ root: ROOT, command: 'app', home })
  await using warehouse = await openWarehouse({ home, memoryBytes: 2 ** 30, log: silentLog })
  const pages = await publicPages(context.isQuick)
  for (const table of PUBLISHED)
    await warehouse.writer.command({
      query: `CREATE TABLE base.once_${table} ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM base.${table}`,
    })
  const again = async (from: number, to: number) => {
    for (const table of PUBLISHED)
      await warehouse.writer.command({
        query: `INSERT INTO base.${table} SELECT * REPLACE (observed_at + toIntervalSecond(times) AS observed_at) FROM base.once_${table} ARRAY JOIN range(${from}, ${to}) AS times`,
      })
  }
  await pageTimes(site.origin, pages, context)
  await again(1, 2)
  const once = await pageTimes(site.origin, pages, context)
  // Twice as many, as each stands there twice by now.
  await again(2, 2 * TIMES)
  const often = await pageTimes(site.origin, pages, context)
  return [figureOf(`${pages.length} pages with ${TIMES}× the figures`, once, often)]
}

/** Server time of each page, ms: once as nobody has asked for it since the change, then as it is kept. */
async function pageTimes(origin: string, pages: readonly string[], { say }: BenchContext): Promise<number[]> {
  say('waiting until all is at rest')
  await wait(REST_MS)
  const first: [ms: number, path: string][] = []
  const times: number[] = []
  for (const path of pages)
    for (let time = 0; time < ASKED; time++) {
      const ms = await timed(() => record(origin + path))
      times.push(ms)
      if (time === 0) first.push([ms, path])
    }
  const slowest = first.toSorted(([a], [b]) => b - a).slice(0, 8)
  say(`slowest: ${slowest.map(([ms, path]) => `${path} ${rounded(ms)} ms`).join(', ')}`)
  return times
}

function figureOf(name: string, once: readonly number[], often: readonly number[]): Figure {
  const told = (times: readonly number[]): string =>
    `${rounded(quantile(times, 0.99))} ms, median ${rounded(median(times))} ms`
  return {
    figure: `${name}, p99 of ${often.length} answers`,
    ours: told(often),
    against: `once ${told(once)}`,
    ...atMost(quantile(often, 0.99) / quantile(once, 0.99), MOST_RATIO),
  }
}

/** Figures of all days, layers and metrics, each published `to - from` times an hour apart. */
async function publish(warehouse: Warehouse, origin: string, from: number, to: number): Promise<void> {
  const answer = await fetch(`${origin}/api/v1/metrics`)
  const { metrics } = (await answer.json()) as {
    metrics: { id: string; unit: string; entityKind: string; sources: { id: string }[] }[]
  }
  for (const id of METRICS) {
    const entry = metrics.find(metric => metric.id === id && metric.entityKind === 'layer')
    if (entry === undefined) throw new Error(`there is no metric ${id} of layers`)
    const figure = '1000000000 + cityHash64(layer, day) % 1000000 + times'
    const [amount, value] = entry.unit === 'sat' ? [figure, 'NULL'] : ['NULL', `toFloat64(${figure})`]
    await warehouse.writer.command({
      query: `INSERT INTO base.observations (metric, entity, breakdown, day, amount, value, source, observed_at)
SELECT '${id}', layer, '', today() - 1 - number AS day, ${amount}, ${value}, '${entry.sources[0]?.id}', toDateTime(day) + 86400 + times * 3600
FROM (SELECT number, arrayJoin([${LAYERS.map(layer => `'${layer}'`).join(', ')}]) AS layer, arrayJoin(range(${from}, ${to})) AS times FROM numbers(${DAYS}))`,
    })
  }
}

/** Server time of each state of the page, ms: once as nobody has asked for it since the change, then as it is kept. */
async function homeTimes(origin: string, { isQuick, say }: BenchContext): Promise<number[]> {
  say('waiting until all is at rest')
  await wait(REST_MS)
  const times: number[] = []
  for (const range of isQuick ? RANGES.slice(2, 3) : RANGES)
    for (const set of COLUMN_SETS)
      for (let time = 0; time < ASKED; time++)
        times.push(await timed(() => record(`${origin}/?${new URLSearchParams({ range, set })}`)))
  say(
    `slowest: ${times
      .toSorted((a, b) => b - a)
      .slice(0, 8)
      .map(rounded)
      .join(', ')} ms`,
  )
  return times
}
