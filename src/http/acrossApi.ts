import type { AcrossExplorer } from '#explorer/index.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import { headOf, type Part, untracked } from './cache/parts.ts'
import type { AcrossApi, AsOf, SourceRef } from './contract.ts'

type Deps = {
  readonly explorer: AcrossExplorer
  /** The EVM layers of the catalogue. */
  readonly layers: readonly EvmLayer[]
  readonly sources: () => Promise<readonly SourceRef[]>
  /** Runs a question: errors become those of the API. */
  readonly asking: <T>(ask: () => Promise<T>) => Promise<T>
  /** Answers a question once, while the parts of the data that it rests on stay as they are. */
  readonly ask: <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>) => Promise<T>
}

/** Everything: balances are of each chain’s newest block. */
const headsOf = (layers: readonly EvmLayer[]): readonly Part[] => [
  'bitcoin',
  headOf('stacks'),
  ...layers.map(headOf),
  'stacks',
  'layers',
]
const ROWS = ['stacks', 'layers'] as const satisfies readonly Part[]

/** The answers about all chains at once, each with the age of the newest block among them. */
export function createAcrossApi({ explorer, layers, sources, ask, asking }: Deps): AcrossApi {
  const heads = headsOf(layers)
  // What is held changes with each block of any chain; the answers that carry it name the parts that they rest on themselves.
  const held = () => untracked(() => ask(['across', 'held'], heads, () => explorer.held()))
  const answer = <T extends object>(
    question: unknown[],
    parts: readonly Part[],
    read: () => Promise<T>,
  ): Promise<T & { asOf: AsOf }> =>
    ask(['across', ...question], parts, async () => {
      const [told, chains, known] = await Promise.all([read(), held(), sources()])
      return { ...told, asOf: asOfChains(chains.filter(isOfContracts), known) }
    })
  const ofAll = <T extends object>(
    question: unknown[],
    read: () => Promise<T>,
  ): Promise<T & { asOf: AsOf }> =>
    ask(['across', ...question], heads, async () => {
      const [told, chains, known] = await Promise.all([read(), held(), sources()])
      return { ...told, asOf: asOfChains(chains, known) }
    })
  return {
    held: () => ofAll(['heldChains'], async () => ({ held: await held() })),
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
    tokens: query =>
      answer(['tokens', query.chain], [...ROWS, 'prices', 'outside'], () => explorer.tokens(query)),
    collections: query => answer(['collections', query.chain], ROWS, () => explorer.collections(query)),
    mints: query => answer(['mints', query.chain], ROWS, () => explorer.mints(query)),
    valueLocked: () =>
      answer(['tvl'], ['outside'], async () => {
        const [locked, known] = await Promise.all([explorer.valueLocked(), sources()])
        return { ...locked, sources: known.filter(({ id }) => sourcesIn(locked).has(id)) }
      }),
    balancesOf: address =>
      ofAll(['balances', address], () => explorer.balances([address.replaceAll(/[\r\n]/g, ' ')])),
    manyBalances: async ({ lines }) => {
      const [told, chains, known] = await asking(() =>
        Promise.all([explorer.balances(lines), held(), sources()]),
      )
      return { ...told, asOf: asOfChains(chains, known) }
    },
    families: () => answer(['families'], ['stacks'], () => explorer.families()),
  }
}

/** Ids of the sources of TVL, each once. */
const sourcesIn = ({ chains, items, assets }: Awaited<ReturnType<AcrossExplorer['valueLocked']>>) =>
  new Set(
    [
      ...chains.flatMap(({ total, parts }) => [total, ...parts.map(({ figure }) => figure)]),
      ...items,
      ...assets,
    ].flatMap(figure => (figure === null ? [] : [figure.source])),
  )

type Held = Awaited<ReturnType<AcrossExplorer['held']>>
const isOfContracts = ({ chain }: Held[number]): boolean => chain !== 'bitcoin'

/** The newest block of these chains; its state is the worst of the sources that are followed. */
function asOfChains(held: Held, sources: readonly SourceRef[]): AsOf {
  const times = held.map(({ time }) => time)
  const newest = times.sort().at(-1) ?? new Date(0).toISOString()
  const states = held.flatMap(({ chain }) => {
    const source = sources.find(({ id }) => id === `${chain}.chain`)
    return source === undefined || source.cadenceSeconds === null || source.state === 'never'
      ? []
      : [source.state]
  })
  const state = (['live', 'stale', 'overdue'] as const).findLast(one => states.includes(one)) ?? 'recorded'
  return { time: newest, height: null, state }
}
