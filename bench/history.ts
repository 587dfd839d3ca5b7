import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { silentLog } from '#kernel/log.ts'
import { openWarehouse, type Warehouse } from '#warehouse/index.ts'
import { median, quantile, timed } from './measure.ts'
import { openSite, REST_MS } from './site/openSite.ts'
import { record } from './site/record.ts'
import { atMost, type BenchContext, rounded, type Suite } from './suite.ts'

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

/** The home page over five years of days, and over as many of which each figure was published a hundred times. */
export const history: Suite = {
  name: 'history',
  about: `the home page with ${TIMES} times the history: each figure of ${DAYS} days published again and again`,
  async run(context) {
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
    const told = (times: readonly number[]): string =>
      `${rounded(quantile(times, 0.99))} ms, median ${rounded(median(times))} ms`
    return [
      {
        figure: `/ with ${TIMES}× the history, p99 of ${often.length} answers`,
        ours: told(often),
        against: `with the history once ${told(once)}`,
        ...atMost(quantile(often, 0.99) / quantile(once, 0.99), MOST_RATIO),
      },
    ]
  },
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
