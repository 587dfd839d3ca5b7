import { readArchive } from '#chains/stacks/index.ts'
import type { Applied, RawMessage, StacksChain } from './stacksChain.ts'

export type ArchiveOptions = {
  /** First line to read, from 1: lines before it are known to be held. */
  readonly fromLine?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Told after each group of messages that readers can see. */
  readonly onProgress?: ((progress: ArchiveProgress) => void) | undefined
  /** Bytes of messages that are taken in together. */
  readonly groupBytes?: number | undefined
}
export type ArchiveProgress = {
  readonly line: number
  readonly height: number | null
  /** Rows that the group brought; 0 where all of it was held. */
  readonly rowCount: number
}
export type ArchiveReport = Applied & {
  /** The last line whose message is taken in. */
  readonly line: number
}

/** Few inserts of many rows are cheap; a group stays in memory until its rows are written. */
const GROUP_BYTES = 16 * 2 ** 20

/**
 * Takes an archive of messages into the warehouse, group by group: what a stop leaves out is taken in by the next run, what is
 * held already is passed over. Throws `archive.*` at a line that is none, after everything before it is taken in.
 */
export async function ingestArchive(
  chain: StacksChain,
  file: string,
  { fromLine = 1, signal, onProgress, groupBytes = GROUP_BYTES }: ArchiveOptions = {},
): Promise<ArchiveReport> {
  let report: ArchiveReport = { ...NOTHING, line: fromLine - 1 }
  let group: RawMessage[] = []
  let bytes = 0
  let line = fromLine - 1

  async function takeIn(): Promise<void> {
    if (group.length === 0) return
    const applied = await chain.apply(group, 'archive')
    report = { ...sumOf(report, applied), line }
    group = []
    bytes = 0
    onProgress?.({ line, height: chain.tip()?.height ?? null, rowCount: applied.rowCount })
  }

  try {
    for await (const message of readArchive(file)) {
      signal?.throwIfAborted()
      if (message.line < fromLine) continue
      group.push(message)
      bytes += message.sizeBytes
      line = message.line
      if (bytes >= groupBytes) await takeIn()
    }
  } catch (thrown) {
    // What was read before a damaged line is whole; a failure of the warehouse would only repeat itself.
    if (isDamage(thrown)) await takeIn()
    throw thrown
  }
  await takeIn()
  return report
}

const NOTHING: Applied = {
  messages: 0,
  blocks: 0,
  rowCount: 0,
  duplicates: 0,
  refused: 0,
  unknown: 0,
  tooDeep: 0,
}

const sumOf = (a: Applied, b: Applied): Applied => ({
  messages: a.messages + b.messages,
  blocks: a.blocks + b.blocks,
  rowCount: a.rowCount + b.rowCount,
  duplicates: a.duplicates + b.duplicates,
  refused: a.refused + b.refused,
  unknown: a.unknown + b.unknown,
  tooDeep: a.tooDeep + b.tooDeep,
})

const isDamage = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('archive.')
