import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { interleave, median, quantile, timed } from './measure.ts'
import { type LoadAnswer, openLoad } from './site/load.ts'
import { openSite } from './site/openSite.ts'
import { openPeer } from './site/peers.ts'
import { record, save } from './site/record.ts'
import { atLeast, atMost, type BenchContext, type Figure, rounded, type Suite, within } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const METRIC = '/api/v1/metrics/fees.total?entity=bitcoin&range=1y'
const RANGES = ['30d', '90d', '1y', 'max'] as const
/** The home page with eight layers over all that is known of five years and more. */
const HOME =
  '/?metric=token.price&picks=bitcoin,stacks,rootstock,bob,merlin,bitlayer,b2-network,core&range=max'
const COLUMN_SETS = ['money', 'usage', 'bitcoin', 'risk', 'build'] as const
/** Server time of the home page while its answer is kept, ms. */
const WARM_HOME_MS = 50

/** Warm and cold answers of the real app, against bare handlers and static files on the same machine. */
export const http: Suite = {
  name: 'http',
  about:
    'metric endpoint, /bitcoin and the home page, warm and cold, over kept connections from another process',
  async run(context) {
    await using site = await openSite({ root: ROOT, command: 'app', home: join(context.folder, 'home') })
    return [
      ...(await coldMetrics(site.origin, context)),
      ...(await coldPages(site.origin, context)),
      ...(await coldHome(site.origin, context)),
      ...(await warmMetric(site.origin, context)),
      ...(await warmPage(site.origin, '/bitcoin', context)),
      ...(await warmPage(site.origin, HOME, context)),
    ]
  },
}

type Timed = { readonly path: string; readonly ms: number }

async function coldMetrics(origin: string, { isQuick, say }: BenchContext): Promise<Figure[]> {
  const answer = await fetch(`${origin}/api/v1/metrics`)
  const { metrics } = (await answer.json()) as { metrics: { id: string; entities: string[] }[] }
  const ranges = isQuick ? RANGES.slice(2) : RANGES
  const times: Timed[] = []
  for (const range of ranges) {
    for (const { id, entities } of metrics) {
      for (const entity of entities) {
        const query = new URLSearchParams({ entity, range })
        times.push(await askOnce(origin, `/api/v1/metrics/${encodeURIComponent(id)}?${query}`))
      }
    }
  }
  // Later ranges are cut from the history that a metric's first question has read: that one is told apart.
  const first = times.slice(0, times.length / ranges.length)
  return [
    coldFigure(`cold metric, p95 of ${metrics.length} metrics, ${ranges.length} ranges`, times, 50, say),
    coldFigure('of these, the first question of each', first, 50, say),
  ]
}

async function coldPages(origin: string, { say }: BenchContext): Promise<Figure[]> {
  const page = await (await fetch(`${origin}/bitcoin`)).text()
  const tabs = new Set([...page.matchAll(/[?&;]tab=([a-z_-]+)/g)].map(match => match[1]!))
  const times: Timed[] = []
  for (const range of RANGES) {
    for (const tab of ['', ...tabs]) {
      const query = new URLSearchParams({ range, ...(tab !== '' && { tab }) })
      times.push(await askOnce(origin, `/bitcoin?${query}`))
    }
  }
  return [
    coldFigure(`cold /bitcoin, p95 of ${tabs.size + 1} tabs × ${RANGES.length} ranges`, times, 300, say),
  ]
}

/** States of the home page that nobody has asked for, each once; histories have been read ahead as on any server at rest. */
async function coldHome(origin: string, { say }: BenchContext): Promise<Figure[]> {
  const times: Timed[] = []
  for (const range of RANGES)
    for (const set of COLUMN_SETS)
      times.push(await askOnce(origin, `/?${new URLSearchParams({ range, set })}`))
  return [
    coldFigure(`cold /, p95 of ${COLUMN_SETS.length} column sets × ${RANGES.length} ranges`, times, 300, say),
  ]
}

async function askOnce(origin: string, path: string): Promise<Timed> {
  return { path, ms: await timed(() => record(origin + path)) }
}

function coldFigure(
  figure: string,
  times: readonly Timed[],
  limitMs: number,
  say: BenchContext['say'],
): Figure {
  const slowest = times.toSorted((a, b) => b.ms - a.ms).slice(0, 5)
  say(`slowest: ${slowest.map(({ path, ms }) => `${path} ${rounded(ms)} ms`).join(', ')}`)
  const all = times.map(({ ms }) => ms)
  return {
    figure,
    ...within(quantile(all, 0.95), limitMs, 'ms'),
    against: `median ${rounded(median(all))} ms, worst ${rounded(Math.max(...all))} ms`,
  }
}

async function warmMetric(origin: string, { isQuick, say }: BenchContext): Promise<Figure[]> {
  say('warm metric against a bare handler')
  await record(origin + METRIC)
  const recorded = await record(origin + METRIC)
  using peer = openPeer()
  const bare = await peer.ask({ type: 'bare', recorded: { headers: recorded.headers, body: recorded.body } })
  using load = openLoad()
  const run = (at: string) => () =>
    load.ask({ urls: [at + METRIC], connections: 8, ms: isQuick ? 1000 : 2500 })
  const contestants = { ours: run(origin), bare: run(bare.origin) }
  await interleave(contestants, 1)
  const rounds = await interleave(contestants, isQuick ? 3 : 7)
  const rate = (answers: readonly LoadAnswer[]) => median(answers.map(one => (1000 * one.requests) / one.ms))
  const ours = rate(rounds.ours!)
  const theirs = rate(rounds.bare!)
  return [
    {
      figure: `warm metric, ${rounded(recorded.bytes.length / 1000)} kB`,
      ours: `${rounded(ours)} answers/s`,
      against: `bare handler, same bytes ${rounded(theirs)} answers/s`,
      ...atLeast(ours / theirs, 0.7),
    },
  ]
}

async function warmPage(
  origin: string,
  path: string,
  { isQuick, folder, say }: BenchContext,
): Promise<Figure[]> {
  const [name = path] = path.split('?')
  say(`warm ${name} against the same page as a static file`)
  await record(origin + path)
  const saved = join(folder, `saved${name.replaceAll('/', '-')}`)
  await save(origin, path, saved)
  using peer = openPeer()
  const still = await peer.ask({ type: 'static', folder: saved, pages: [name] })
  using load = openLoad()
  const run = (url: string) => () => load.ask({ urls: [url], connections: 1, ms: isQuick ? 1000 : 2000 })
  const contestants = { ours: run(origin + path), still: run(still.origin + path) }
  await interleave(contestants, 1)
  const rounds = await interleave(contestants, isQuick ? 3 : 9)
  const p95 = (answers: readonly LoadAnswer[]) => median(answers.map(one => quantile(one.latencies, 0.95)))
  const ours = p95(rounds.ours!)
  const theirs = p95(rounds.still!)
  if (path === HOME)
    return [
      {
        figure: `warm ${name}, eight layers over all years, server time p95`,
        against: `static file ${rounded(theirs)} ms`,
        ...within(ours, WARM_HOME_MS, 'ms'),
      },
    ]
  return [
    {
      figure: `warm ${name}, server time p95`,
      ours: `${rounded(ours)} ms`,
      against: `static file ${rounded(theirs)} ms`,
      ...atMost(ours / theirs, 1.3),
    },
  ]
}
