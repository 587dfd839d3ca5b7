import type { AcrossExplorer } from '#explorer/index.ts'
import type { Part } from './cache/parts.ts'
import type { AcrossApi, AsOf, SourceRef } from './contract.ts'

type Deps = {
  readonly explorer: AcrossExplorer
  readonly sources: () => Promise<readonly SourceRef[]>
  /** Answers a question once, while the parts of the data that it rests on stay as they are. */
  readonly ask: <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>) => Promise<T>
}

const ROWS = ['stacks', 'layers'] as const satisfies readonly Part[]

/** The answers about all chains at once, each with the age of the newest block among them. */
export function createAcrossApi({ explorer, sources, ask }: Deps): AcrossApi {
  const answer = <T extends object>(
    question: unknown[],
    parts: readonly Part[],
    read: () => Promise<T>,
  ): Promise<T & { asOf: AsOf }> =>
    ask(['across', ...question], parts, async () => {
      const [read_, held, known] = await Promise.all([read(), explorer.held(), sources()])
      return { ...read_, asOf: asOfChains(held, known) }
    })
  return {
    hotContracts: ({ span = '24h', ...rest }) =>
      answer(['hot', span, rest.chain], ['hours'], () => explorer.hotContracts({ span, ...rest })),
    popularCalls: ({ span = '24h', ...rest }) =>
      answer(['calls', span, rest.chain], ['hours', ...ROWS], () => explorer.popularCalls({ span, ...rest })),
    deployed: query =>
      answer(['deployed', query.chain, query.deployer, query.version, query.before, query.limit], ROWS, () =>
        explorer.deployed(query),
      ),
    deployedSummary: query =>
      answer(['deployedSummary', query.chain], ROWS, () => explorer.deployedSummary(query)),
    families: () => answer(['families'], ['stacks'], () => explorer.families()),
  }
}

/** The newest block of all chains; live while the source of any of them is. */
function asOfChains(held: Awaited<ReturnType<AcrossExplorer['held']>>, sources: readonly SourceRef[]): AsOf {
  const times = held.filter(({ chain }) => chain !== 'bitcoin').map(({ time }) => time)
  const newest = times.sort().at(-1) ?? new Date(0).toISOString()
  const states = held.flatMap(({ chain }) => {
    const source = sources.find(({ id }) => id === `${chain}.chain`)
    return source === undefined || source.cadenceSeconds === null || source.state === 'never'
      ? []
      : [source.state]
  })
  const state = (['live', 'stale', 'overdue'] as const).find(one => states.includes(one)) ?? 'recorded'
  return { time: newest, height: null, state }
}
