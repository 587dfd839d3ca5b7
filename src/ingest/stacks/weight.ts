import type { BlockMessage } from '#chains/stacks/index.ts'

/** More than a block can lack parts: one more transaction or event counts for more than all of them. */
export const PART_WEIGHT = 32

/**
 * How much a message of a block holds. Of two messages of one block the heavier one counts: a node that starts again tells of
 * genesis without its contents; a node's RPC tells no events, the public API no rewards.
 */
export const weightOf = ({ transactions, events, lacks }: BlockMessage): number =>
  PART_WEIGHT * (transactions.length + events.length) - lacks.length
