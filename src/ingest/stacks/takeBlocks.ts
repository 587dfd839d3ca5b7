import type { BlockMessage } from '#chains/stacks/index.ts'
import type { StacksPlace, StacksSource } from '#chains/stacks/node/index.ts'
import type { StxOrigin } from '#warehouse/tables/stacks.ts'
import type { ToldMessage } from './reading/readMessage.ts'
import type { Applied, StacksChain } from './stacksChain.ts'

export type TakeDeps = {
  readonly chain: StacksChain
  readonly source: StacksSource
  /** Lets nobody else change the chain meanwhile. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>
}

/** Blocks asked for at once. */
const AT_ONCE = 8

/** Fetches blocks with the Bitcoin blocks under them and takes them in, the lowest first. Returns them with what came of it. */
export async function takeBlocks(
  { chain, source, exclusively }: TakeDeps,
  places: readonly StacksPlace[],
  signal?: AbortSignal,
): Promise<{ readonly applied: Applied; readonly blocks: readonly BlockMessage[] }> {
  const ascending = places.toSorted((a, b) => a.height - b.height)
  const blocks: BlockMessage[] = []
  for (let from = 0; from < ascending.length; from += AT_ONCE)
    blocks.push(
      ...(await Promise.all(ascending.slice(from, from + AT_ONCE).map(place => source.block(place, signal)))),
    )
  const burns = new Map(
    blocks.map(({ burnHash, burnHeight }) => [
      burnHash,
      { height: burnHeight, hash: burnHash, id: burnHash },
    ]),
  )
  const known = await chain.heldBurn([...burns.values()])
  const messages: ToldMessage[] = []
  for (const burn of [...burns.values()].sort((a, b) => a.height - b.height))
    if (!known.has(burn.hash))
      messages.push({ told: { kind: 'burn_block', block: await source.burnBlock(burn, signal) } })
  messages.push(...blocks.map(block => ({ told: { kind: 'block', block } }) as const))
  const applied = await exclusively(() => chain.apply(messages, originOf(blocks)))
  return { applied, blocks }
}

const originOf = (blocks: readonly BlockMessage[]): StxOrigin =>
  blocks.some(({ source }) => source === 'api') ? 'api' : 'node'
