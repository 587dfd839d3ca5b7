import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { recordedMessages } from '#tests/recordedStacks.ts'

/** What a synthetic archive comes to. */
export type LongArchive = { readonly blocks: number; readonly transactions: number; readonly bytes: number }

const FIRST_HEIGHT = 1
const FIRST_BURN_HEIGHT = 700_000
const FIRST_TIME = 1_630_000_000
const SECONDS_A_BLOCK = 600

/**
 * Writes an archive of so many blocks, one on the other, each with the contents of a recorded full block of 2022 and a Bitcoin
 * block of its own. Transactions repeat: ingest does not mind.
 */
export async function writeLongArchive(path: string, blocks: number): Promise<LongArchive> {
  const [recorded] = [...recordedMessages('mainnet-poison-microblock-760063.tsv.gz')]
    .filter(([to]) => to === '/new_block')
    .map(([, message]) => message)
    .toSorted((a, b) => (b.transactions?.length ?? 0) - (a.transactions?.length ?? 0))
  const out = createWriteStream(path)
  let line = 0
  let bytes = 0
  const write = async (to: string, message: object): Promise<void> => {
    const text = `${++line}\t2026-01-01 00:00:00+00\t${to}\t${JSON.stringify(message)}\n`
    bytes += text.length
    if (!out.write(text)) await once(out, 'drain')
  }
  for (let i = 0; i < blocks; i++) {
    const burn = {
      burn_block_height: FIRST_BURN_HEIGHT + i,
      burn_block_hash: hashOf('burn', i),
      burn_amount: 0,
      reward_recipients: [],
      reward_slot_holders: [],
    }
    await write('/new_burn_block', burn)
    await write('/new_block', {
      ...recorded,
      block_height: FIRST_HEIGHT + i,
      block_hash: hashOf('header', i),
      index_block_hash: hashOf('block', i),
      parent_block_hash: hashOf('header', i - 1),
      parent_index_block_hash: hashOf('block', i - 1),
      burn_block_hash: burn.burn_block_hash,
      burn_block_height: burn.burn_block_height,
      burn_block_time: FIRST_TIME + i * SECONDS_A_BLOCK,
      parent_burn_block_hash: hashOf('burn', i - 1),
      parent_burn_block_height: burn.burn_block_height - 1,
      parent_burn_block_timestamp: FIRST_TIME + (i - 1) * SECONDS_A_BLOCK,
    })
  }
  out.end()
  await finished(out)
  return { blocks, transactions: blocks * (recorded?.transactions?.length ?? 0), bytes }
}

const hashOf = (what: string, i: number): string =>
  `0x${createHash('sha256').update(`${what} ${i}`).digest('hex')}`
