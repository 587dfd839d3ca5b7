import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '#kernel/log.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { type BtcRefusedBlock, btcRefusedBlocks } from '#warehouse/tables/bitcoin.ts'
import type { RefusedBlock } from './rows/chunk.ts'

/** Refused blocks are kept up to this many bytes; the oldest go first. */
const MOST_KEPT_BYTES = 128 * 1024 * 1024

export type Refusals = {
  /** Keeps the bytes, writes the line, says it in the log. The same refusal of the same block is kept once. */
  record(refused: RefusedBlock, bytes: Uint8Array, origin: BtcRefusedBlock['origin']): Promise<void>
}

export function createRefusals(deps: {
  readonly warehouse: Warehouse
  readonly home: string
  readonly log: Log
  readonly now: () => number
}): Refusals {
  const { warehouse, log, now } = deps
  const folder = join(deps.home, 'refused')

  async function isKnown({ hash, code, height }: RefusedBlock): Promise<boolean> {
    const answer = await warehouse.writer.query({
      query: `
SELECT 1 FROM base.btc_refused_blocks
WHERE hash = unhex({hash:String}) AND code = {code:String} AND height IS NOT DISTINCT FROM {height:Nullable(UInt32)}
LIMIT 1`,
      query_params: { hash, code, height },
      format: 'JSONEachRow',
    })
    return (await answer.json()).length > 0
  }

  return {
    async record(refused, bytes, origin) {
      const { hash, height, code, reason } = refused
      log.warn(`A block was refused: ${reason}`, { code, hash, height })
      if (await isKnown(refused)) return
      const keptAs = `${hash.slice(-16)}-${now()}.bin`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, keptAs), bytes)
      await warehouse.insertRows(btcRefusedBlocks, [
        {
          hash: Buffer.from(hash, 'hex'),
          height,
          code,
          reason,
          origin,
          sizeBytes: bytes.length,
          keptAs,
          refusedAt: Math.floor(now() / 1000),
        },
      ])
      const dropped = await dropOldest(folder, MOST_KEPT_BYTES)
      if (dropped.length > 0)
        await warehouse.writer.command({
          query: `ALTER TABLE base.btc_refused_blocks UPDATE kept_as = '' WHERE kept_as IN ({dropped:Array(String)})`,
          query_params: { dropped },
        })
    },
  }
}

async function dropOldest(folder: string, mostBytes: number): Promise<string[]> {
  const names = await readdir(folder)
  const files = await Promise.all(
    names.map(async name => ({ name, ...(await sizeAndAge(join(folder, name))) })),
  )
  files.sort((a, b) => b.mtimeMs - a.mtimeMs)
  let held = 0
  const dropped: string[] = []
  for (const { name, size } of files) {
    held += size
    if (held <= mostBytes) continue
    await rm(join(folder, name))
    dropped.push(name)
  }
  return dropped
}

async function sizeAndAge(path: string): Promise<{ size: number; mtimeMs: number }> {
  const { size, mtimeMs } = await stat(path)
  return { size, mtimeMs }
}
