import { ArchiveError, readArchiveParts } from '#chains/stacks/index.ts'
import type { Reading } from './reading/openReaders.ts'
import type { Applied, StacksChain } from './stacksChain.ts'

export type ArchiveOptions = {
  /** First line to read, from 1: lines before it are known to be held. */
  readonly fromLine?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Told after each group of messages that readers can see. */
  readonly onProgress?: ((progress: ArchiveProgress) => void) | undefined
  /** Bytes of messages that are taken in together. */
  readonly partBytes?: number | undefined
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

/**
 * Few inserts of many rows are cheap: with 16 MB the engine needs twice the time. Two parts are in memory, one being read while
 * the rows of the other are written.
 */
const PART_BYTES = 48 * 2 ** 20

/**
 * Takes an archive of messages into the warehouse, group by group: what a stop leaves out is taken in by the next run, what is
 * held already is passed over. Throws `archive.*` at a line that is none, after everything before it is taken in.
 */
export async function ingestArchive(
  chain: StacksChain,
  file: string,
  { fromLine = 1, signal, onProgress, partBytes = PART_BYTES }: ArchiveOptions = {},
): Promise<ArchiveReport> {
  let report: ArchiveReport = { ...NOTHING, line: fromLine - 1 }
  let ahead: Ahead | undefined

  /** Takes in the part that was read before; threads read the next one meanwhile. */
  async function advance(next?: Ahead): Promise<void> {
    const part = ahead
    ahead = next
    if (part === undefined) return
    const reading = await part.reading
    const { damage } = reading
    const applied = await chain.takeIn(reading, 'archive')
    const line = damage === undefined ? part.lastLine : damage.line - 1
    report = { ...sumOf(report, applied), line }
    onProgress?.({ line, height: chain.tip()?.height ?? null, rowCount: applied.rowCount })
    if (damage === undefined) return
    letGo()
    throw new ArchiveError('line', damage.message, { file, line: damage.line })
  }

  function letGo(): void {
    ahead?.reading.then(reading => reading[Symbol.dispose]()).catch(() => {})
    ahead = undefined
  }

  try {
    for await (const part of readArchiveParts(file, partBytes, fromLine)) {
      signal?.throwIfAborted()
      const reading = chain.readPart(part)
      // Told where it is waited for.
      reading.catch(() => {})
      await advance({ reading, lastLine: part.line + part.lineCount - 1 })
    }
  } catch (thrown) {
    // What was read before a damage is whole; a failure of the warehouse would only repeat itself.
    if (thrown instanceof ArchiveError) await advance()
    else letGo()
    throw thrown
  }
  await advance()
  return report
}

type Ahead = { readonly reading: Promise<Reading>; readonly lastLine: number }

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
