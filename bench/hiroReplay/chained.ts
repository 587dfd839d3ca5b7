import { hash } from 'node:crypto'
import { decodeAddress, encodeAddress } from '#chains/stacks/index.ts'

type Message = {
  block_hash: string
  index_block_hash: string
  burn_block_hash: string
  parent_block_hash: string
  parent_index_block_hash: string
  parent_burn_block_hash: string
  block_height: number
  burn_block_height: number
  burn_block_time: number
  parent_burn_block_height: number
  parent_burn_block_timestamp: number
  readonly transactions: readonly { readonly txid: string; readonly raw_tx: string }[]
}

/** Seconds from one Bitcoin block to the next. */
const SPACING_S = 600
/** Where the key hash of the signer stands: behind version, chain, kind of authorization and hash mode (SIP-005). */
const SIGNER_AT = 1 + 4 + 1 + 1
const HASH160_BYTES = 20

/**
 * Lines of an archive in which a recorded block (the JSON of its `/new_block`) stands `count` times, each on the one before it and
 * on a Bitcoin block of its own. Each time other people do the same with the same contracts: rows are looked up and balances are
 * kept by their addresses and by ids of transactions, so the same ones in every block would slow a store down by themselves.
 */
export function chainedBlocks(json: string, count: number): Buffer {
  return Buffer.from(
    Array.from(
      { length: count },
      (_, i) => `${i + 1}\t2023-03-04 20:14:06.044706+00\t/new_block\t${JSON.stringify(later(json, i))}\n`,
    ).join(''),
  )
}

function later(json: string, i: number): Message {
  const recorded = JSON.parse(ofOthers(json, i)) as Message
  return {
    ...recorded,
    block_height: recorded.block_height + i,
    burn_block_height: recorded.burn_block_height + i,
    burn_block_time: recorded.burn_block_time + SPACING_S * i,
    parent_burn_block_height: recorded.parent_burn_block_height + i,
    parent_burn_block_timestamp: recorded.parent_burn_block_timestamp + SPACING_S * i,
    block_hash: derived(recorded.block_hash, i),
    index_block_hash: derived(recorded.index_block_hash, i),
    burn_block_hash: derived(recorded.burn_block_hash, i),
    ...(i > 0 && {
      parent_block_hash: derived(recorded.block_hash, i - 1),
      parent_index_block_hash: derived(recorded.index_block_hash, i - 1),
      parent_burn_block_hash: derived(recorded.burn_block_hash, i - 1),
    }),
  }
}

function ofOthers(json: string, i: number): string {
  if (i === 0) return json
  const replaced = new Map<string, string>()
  for (const { txid, raw_tx } of (JSON.parse(json) as Message).transactions) {
    const raw = Buffer.from(raw_tx.slice(2), 'hex')
    raw.set(otherHash160(raw.subarray(SIGNER_AT, SIGNER_AT + HASH160_BYTES), i), SIGNER_AT)
    replaced.set(raw_tx, `0x${raw.toString('hex')}`)
    replaced.set(txid, `0x${hash('sha512-256', raw)}`)
  }
  return json
    .replaceAll(/0x[0-9a-f]{64,}/g, hex => replaced.get(hex) ?? hex)
    .replaceAll(/"(S[0-9A-Z]{38,41})"/g, (_, address: string) => {
      const { version, hash160 } = decodeAddress(address)
      return `"${encodeAddress(version, otherHash160(hash160, i))}"`
    })
}

const otherHash160 = (hash160: Uint8Array, i: number): Buffer =>
  hash('sha256', Buffer.concat([hash160, Buffer.from(String(i))]), 'buffer').subarray(0, HASH160_BYTES)

/** The hash itself for the first block, one made from it for each that follows. */
const derived = (recorded: string, i: number): string =>
  i === 0 ? recorded : `0x${hash('sha256', `${recorded} ${i}`)}`
