import type { StacksExplorer } from '#explorer/index.ts'
import { headOf, type Part } from './cache/parts.ts'
import type { AsOf, SourceRef, StacksApi } from './contract.ts'

type Deps = {
  readonly explorer: StacksExplorer
  readonly sources: () => Promise<readonly SourceRef[]>
  /** Answers a question once, while the parts of the data that it rests on stay as they are. */
  readonly ask: <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>) => Promise<T>
}

/** Blocks of Stacks, and those of Bitcoin under them. */
export const STACKS_PARTS = [headOf('stacks'), 'bitcoin'] as const satisfies readonly Part[]

/** The answers about Stacks, each with the age of the newest block. */
export function createStacksApi({ explorer, sources, ask }: Deps): StacksApi {
  const asOf = () => ask(['stacks', 'asOf'], STACKS_PARTS, () => readStacksAsOf(explorer, sources))
  const answer = <T extends object>(
    question: unknown[],
    read: () => Promise<T>,
  ): Promise<T & { asOf: AsOf }> =>
    ask(['stacks', ...question], STACKS_PARTS, async () => ({ ...(await read()), asOf: await asOf() }))
  return {
    blocks: query => answer(['blocks', query.before, query.limit], () => explorer.blocks(query)),
    block: id => answer(['block', id.toLowerCase()], () => explorer.block(id)),
    blockTxs: (id, query) =>
      answer(['blockTxs', id.toLowerCase(), query.after, query.limit], () => explorer.blockTxs(id, query)),
    tx: txid => answer(['tx', txid.toLowerCase()], () => explorer.tx(txid)),
    contract: contract => answer(['contract', contract], () => explorer.contract(contract)),
    address: address => answer(['address', address], () => explorer.address(address)),
    burnBlocks: query => answer(['burnBlocks', query.before, query.limit], () => explorer.burnBlocks(query)),
  }
}

/** How old the newest block of Stacks is, and whether its source still publishes. */
export async function readStacksAsOf(explorer: StacksExplorer, sources: Deps['sources']): Promise<AsOf> {
  const [tip, known] = await Promise.all([explorer.tip(), sources()])
  const source = known.find(({ id }) => id === 'stacks.chain')
  if (tip === undefined) return { time: new Date(0).toISOString(), height: null, state: 'recorded' }
  const state =
    source === undefined || source.cadenceSeconds === null || source.state === 'never'
      ? 'recorded'
      : source.state
  return { time: tip.time, height: tip.height, state }
}
