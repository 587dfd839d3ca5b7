import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { silentLog } from '#kernel/log.ts'
import { openWarehouse, type Warehouse } from '#warehouse/index.ts'
import { testCatalog } from '../src/catalog/testing.ts'
import { existingPages, siteWith } from '../src/web/site.ts'
import { addBlocks } from './hot.ts'
import { median, quantile, timed } from './measure.ts'
import { openSite, REST_MS } from './site/openSite.ts'
import { record } from './site/record.ts'
import { addSbtc, commitEmptyBlock, widenStacks } from './site/widen.ts'
import { type BenchContext, type Figure, rounded, type Suite } from './suite.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LIMIT_MS = 50
/** Between two changes of the data a page is asked for so often; the first of them is answered anew. */
const ASKED = 40
const COPIES = 300
/** The data are looked at each half second, and hours are counted before that. */
const SEEN_MS = 4_000
/** Two days of blocks every three seconds, as on Core. */
const BLOCKS = 57_600
const CALLS_A_BLOCK = 8

/** Pages that need to be told of what: one that is held, asked of the API. */
const ONE_OF: readonly {
  readonly path: string
  readonly list: string
  /** Which of the list; the first unless given. */
  readonly isWanted?: (item: Record<string, unknown>) => boolean
  readonly idOf: (item: Record<string, unknown>) => string
}[] = [
  {
    path: '/stacks/sbtc/',
    list: '/api/v1/stacks/sbtc/deposits?limit=1',
    idOf: ({ id }) => encodeURIComponent(String(id)),
  },
  {
    path: '/analyze/bitcoin-treasuries/',
    list: '/api/v1/treasuries',
    // Who has recorded the most purchases.
    isWanted: ({ id }) => id === 'strategy',
    idOf: ({ id }) => String(id),
  },
]

type Times = { readonly first: number; readonly anew: readonly number[]; readonly warm: readonly number[] }

/** Every page of Stacks, its applications, the layers and what is counted across chains: as it is kept, and as it is drawn anew. */
export const pages: Suite = {
  name: 'pages',
  about: `every page of Stacks, applications and layers over a widened warehouse: server p95 warm against ${LIMIT_MS} ms, with commits in between`,
  async run(context) {
    const { isQuick, folder, say } = context
    const home = join(folder, 'home')
    await using site = await openSite({ root: ROOT, command: 'app', home })
    await using warehouse = await openWarehouse({ home, memoryBytes: 2 ** 30, log: silentLog })
    const txs = await widenStacks(warehouse, isQuick ? COPIES / 10 : COPIES)
    await addSbtc(warehouse)
    const perBlock = isQuick ? CALLS_A_BLOCK / 4 : CALLS_A_BLOCK
    const top = await topOfCore(warehouse)
    await addBlocks(warehouse, 2_000_000_000, top + 1, BLOCKS, perBlock)
    say(`${rounded(txs)} transactions of Stacks, ${rounded(BLOCKS * perBlock)} calls of Core`)
    await untilCounted(warehouse, say)
    const paths = await pathsOf(site.origin)
    const times = await askAll(site.origin, warehouse, paths, context)
    tellFirst(times, say)
    return [...times].map(([path, one]) => figureOf(path, one))
  },
}

async function topOfCore({ reader }: Warehouse): Promise<number> {
  const answer = await reader.query({
    query: "SELECT max(height) AS height FROM evm_blocks AS b WHERE b.chain = 'core'",
    format: 'JSONEachRow',
  })
  return (await answer.json<{ height: number }>())[0]?.height ?? 0
}

/** Waits until rollups and what is read ahead have followed the rows that were added. */
async function untilCounted({ reader }: Warehouse, say: BenchContext['say']): Promise<void> {
  say('waiting until all is at rest')
  let before = ''
  for (let turns = 0; turns < 30; turns++) {
    const answer = await reader.query({
      query:
        'SELECT toString(((SELECT count() FROM base.rollup_runs), (SELECT count() FROM base.call_hour_runs))) AS mark',
      format: 'JSONEachRow',
    })
    const [{ mark } = { mark: '' }] = await answer.json<{ mark: string }>()
    if (mark === before) break
    before = mark
    await wait(REST_MS / 2)
  }
  await wait(REST_MS)
}

/** Addresses of all pages of the site but those that are told of elsewhere, and of one page of each kind that is about one thing. */
async function pathsOf(origin: string): Promise<string[]> {
  const of = await Promise.all(
    ONE_OF.map(async ({ path, list, isWanted = () => true, idOf }) => {
      const { items } = (await (await fetch(origin + list)).json()) as { items: Record<string, unknown>[] }
      return items
        .filter(isWanted)
        .slice(0, 1)
        .map(item => path + idOf(item))
    }),
  )
  const { evm } = await testCatalog()
  return [...existingPages(siteWith({ layers: evm, applications: [] })).map(({ path }) => path), ...of.flat()]
}

async function askAll(
  origin: string,
  warehouse: Warehouse,
  paths: readonly string[],
  { isQuick, say }: BenchContext,
): Promise<ReadonlyMap<string, Times>> {
  const ask = (path: string) => timed(() => record(origin + path))
  const first = new Map<string, number>()
  for (const path of paths) first.set(path, await ask(path))
  say('every page has been drawn once')
  const anew = new Map(paths.map(path => [path, [] as number[]]))
  const warm = new Map(paths.map(path => [path, [] as number[]]))
  const rounds = isQuick ? 2 : 3
  for (let round = 0; round < rounds; round++) {
    await commitEmptyBlock(warehouse, round)
    await wait(SEEN_MS)
    for (const path of paths) {
      anew.get(path)?.push(await ask(path))
      for (let time = 1; time < ASKED; time++) warm.get(path)?.push(await ask(path))
    }
    say(`round ${round + 1} of ${rounds}`)
  }
  return new Map(
    paths.map(path => [
      path,
      { first: first.get(path) ?? 0, anew: anew.get(path) ?? [], warm: warm.get(path) ?? [] },
    ]),
  )
}

function tellFirst(times: ReadonlyMap<string, Times>, say: BenchContext['say']): void {
  const slowest = [...times].sort(([, one], [, other]) => other.first - one.first).slice(0, 8)
  say(
    `slowest first answers: ${slowest.map(([path, { first }]) => `${path} ${rounded(first)} ms`).join(', ')}`,
  )
}

/** All answers of a page between commits, those made anew among them, against the limit. */
function figureOf(path: string, { first, anew, warm }: Times): Figure {
  const p95 = quantile([...anew, ...warm], 0.95)
  return {
    figure: `${path}, server p95 of ${anew.length + warm.length}`,
    ours: `${rounded(p95)} ms`,
    against: `limit ${LIMIT_MS} ms; first ${rounded(first)} ms, anew after a commit ${rounded(median(anew))} ms, worst ${rounded(Math.max(...anew))} ms`,
    ratio: p95 / LIMIT_MS,
    target: '≤ 1×',
    isMet: p95 <= LIMIT_MS,
  }
}
