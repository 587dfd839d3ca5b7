import { createAddressTexts } from '#chains/stacks/address/addressTexts.ts'
import { readNakamotoBlock } from '#chains/stacks/block/nakamotoBlock.ts'
import { type NakamotoBlock, openStacksCodec } from '#chains/stacks/index.ts'
import { openReader } from '#chains/stacks/reader.ts'
import { encodeNakamotoBlock } from '../encodeStacks.ts'
import { bytesOfHex, recordedMessages, type STACKS_ARCHIVES } from '../recordedStacks.ts'

/** A `/new_block` message as the node wrote it, as far as servers and tests look into it. */
export type NewBlock = {
  block_height: number
  index_block_hash: string
  parent_index_block_hash: string
  parent_block_hash: string
  block_hash: string
  block_time?: number | null
  tenure_height?: number
  burn_block_height: number
  burn_block_hash: string
  burn_block_time: number
  miner_txid: string
  cycle_number?: number | null
  reward_set?: RecordedRewardSet | null
  signer_signature?: string[]
  matured_miner_rewards: unknown[]
  transactions: RecordedTx[]
  events: RecordedEvent[]
}
type RecordedRewardSet = {
  signers?: { signing_key: string; weight: number; stacked_amt: number | string }[]
}
export type RecordedTx = {
  txid: string
  tx_index: number
  status: string
  raw_tx: string
  raw_result: string
  contract_abi?: unknown
  contract_interface?: unknown
  execution_cost: Record<string, number>
  microblock_hash: string | null
  microblock_sequence: number | null
}
export type RecordedEvent = Record<string, unknown> & {
  txid: string
  type: string
  committed: boolean
  event_index: number
}
export type NewBurnBlock = {
  burn_block_hash: string
  burn_block_height: number
  burn_amount: number
  reward_recipients: { recipient: string; amt: number }[]
  reward_slot_holders: string[]
}

/** A block that was recorded: its message, and its bytes where a miner's proposal of it was recorded too. */
export type RecordedBlock = {
  readonly message: NewBlock
  readonly raw: NakamotoBlock | null
  /** Bytes of a block before Nakamoto. */
  readonly old?: { readonly bytes: Buffer; readonly consensusHash: string }
}

const PROPOSAL = 0

/** The blocks of a recording by height, each once, and the Bitcoin blocks under them. */
export function recordedChain(archive: (typeof STACKS_ARCHIVES)[number]): {
  readonly blocks: RecordedBlock[]
  readonly burnBlocks: NewBurnBlock[]
} {
  const messages = new Map<string, NewBlock>()
  const burnBlocks = new Map<string, NewBurnBlock>()
  const proposed = new Map<string, NakamotoBlock>()
  const texts = createAddressTexts()
  for (const [path, message] of recordedMessages(archive)) {
    if (path === '/new_block') {
      const block = message as unknown as NewBlock
      const known = messages.get(block.index_block_hash)
      if (known === undefined || known.transactions.length < block.transactions.length)
        messages.set(block.index_block_hash, block)
    }
    if (path === '/new_burn_block') {
      const block = message as unknown as NewBurnBlock
      burnBlocks.set(block.burn_block_hash, block)
    }
    for (const { data } of message.modified_slots ?? []) {
      const bytes = bytesOfHex(data)
      if (bytes[0] !== PROPOSAL) continue
      const block = readNakamotoBlock(openReader(bytes.subarray(1), texts))
      proposed.set(`0x${block.header.blockId}`, block)
    }
  }
  const blocks = [...messages.values()]
    .sort((a, b) => a.block_height - b.block_height)
    .map(message => ({ message, raw: signed(proposed.get(message.index_block_hash), message) }))
  return { blocks, burnBlocks: [...burnBlocks.values()] }
}

/** Signers signed what the miner proposed; their signatures are no part of the hash. */
function signed(block: NakamotoBlock | undefined, message: NewBlock): NakamotoBlock | null {
  if (block === undefined) return null
  const signerSignatures = (message.signer_signature ?? []).map(bytesOfHex)
  return { ...block, header: { ...block.header, signerSignatures } }
}

/** Bytes of a block as a node gives them. */
export const bytesOfBlock = (raw: NakamotoBlock): Buffer => encodeNakamotoBlock(raw)

/**
 * A branch as another miner might have made it: from the first block on that is given, each a second later than the recorded one
 * and on the one before it. What happens in the blocks is the same.
 */
export function branchOf(blocks: readonly RecordedBlock[], burnHash?: string): RecordedBlock[] {
  const codec = openStacksCodec()
  const branch: RecordedBlock[] = []
  for (const { message, raw } of blocks) {
    if (raw === null) throw new Error(`block ${message.block_height} has no bytes`)
    const below = branch.at(-1)?.message
    const header = {
      ...raw.header,
      timeS: raw.header.timeS + 1n,
      ...(below && { parentBlockId: below.index_block_hash.slice(2) }),
      // Another Bitcoin block has another consensus hash.
      ...(burnHash && {
        consensusHash: Buffer.from(raw.header.consensusHash, 'hex').reverse().toString('hex'),
      }),
    }
    const bytes = encodeNakamotoBlock({ ...raw, header })
    const made = codec.decodeNakamotoBlock(bytes)
    branch.push({
      raw: made,
      message: {
        ...message,
        block_hash: `0x${made.header.blockHash}`,
        index_block_hash: `0x${made.header.blockId}`,
        parent_index_block_hash: `0x${made.header.parentBlockId}`,
        block_time: Number(made.header.timeS),
        ...(burnHash && { burn_block_hash: burnHash }),
      },
    })
  }
  return branch
}
