import { Worker } from 'node:worker_threads'
import { type ArchivePart, messagesOf, type StacksCodec } from '#chains/stacks/index.ts'
import type { Table } from '#kernel/table.ts'
import { STACKS } from '#warehouse/index.ts'
import { IngestError } from '../../errors.ts'
import type { PrintCatalogue } from '../../rows/stacks/eventRows.ts'
import { openStacksRows } from '../../rows/stacks/stacksRows.ts'
import type { TableColumns } from '../../rows/stacks/writers.ts'
import type { ThreadAnswer, ThreadQuestion } from './readerThread.ts'
import { type Damage, placeRows, ReadGroup, type WantedRows } from './readGroup.ts'
import type { RawMessage, ReadMessage, ToldMessage } from './readMessage.ts'

/** Messages that were read. */
export type Reading = Disposable & {
  /** What each message comes to, in their order. */
  readonly read: readonly ReadMessage[]
  /** The line of the archive that is none; what stands before it is read. */
  readonly damage: Damage | undefined
  /** The rows of blocks of the group that have no fault. Asked for once. */
  rowsOf(wanted: readonly WantedRows[]): Promise<readonly TableColumns[]>
}

export type Readers = AsyncDisposable & {
  /** Reads messages in place. */
  read(messages: readonly (RawMessage | ToldMessage)[]): Reading
  /** Reads part of an archive, on threads a contiguous piece each. */
  readPart(part: ArchivePart): Promise<Reading>
}

/**
 * Reads messages and makes the rows of their blocks. Threads start with the first part of an archive; with 0 threads everything
 * is done in place.
 */
export function openReaders(config: {
  readonly codec: StacksCodec
  readonly prints: PrintCatalogue
  readonly threads: number
}): Readers {
  const { codec, prints, threads } = config
  const rows = openStacksRows(codec, prints)
  const started: Thread[] = []
  let groups = 0

  const readHere = (messages: Iterable<RawMessage | ToldMessage>): Reading => {
    const group = new ReadGroup(codec, rows, messages)
    return {
      read: group.read,
      damage: group.damage,
      rowsOf: async wanted => {
        const batches = batchesOf(wanted)
        const isAll = batches.size === blocksIn(group.read)
        return placeRows(isAll ? group.tables : group.again(new Set(batches.keys())), batches)
      },
      [Symbol.dispose]() {},
    }
  }

  return {
    read: readHere,
    async readPart(part) {
      if (threads === 0) return readHere(messagesOf(part))
      while (started.length < threads) started.push(openThread(prints))
      return readOnThreads(groups++, cutEvenly(part, threads), started)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map(thread => thread.end()))
    },
  }
}

const batchesOf = (wanted: readonly WantedRows[]): Map<number, number> =>
  new Map(wanted.flatMap(({ batch, messages }) => messages.map(index => [index, batch])))

const blocksIn = (read: readonly ReadMessage[]): number =>
  read.reduce((count, one) => count + (one.kind === 'block' && one.fault === null ? 1 : 0), 0)

async function readOnThreads(
  group: number,
  pieces: readonly ArchivePart[],
  threads: readonly Thread[],
): Promise<Reading> {
  const answers = await Promise.all(pieces.map((part, i) => threads[i]!.ask({ ask: 'read', group, part })))
  const read: ReadMessage[] = []
  const lanes: { readonly thread: Thread; readonly from: number; readonly answer: Answer }[] = []
  let damage: Damage | undefined
  for (const [i, answer] of answers.entries()) {
    lanes.push({ thread: threads[i]!, from: read.length, answer })
    // What stands behind a damage is not taken in.
    if (damage === undefined) for (const message of answer.read) read.push(message)
    damage ??= answer.damage
  }

  async function rowsOfLane({ thread, from, answer }: (typeof lanes)[number], all: Map<number, number>) {
    const to = from + answer.read.length
    const batches = new Map(
      [...all].flatMap(([i, batch]) => (i >= from && i < to ? [[i - from, batch]] : [])),
    )
    if (batches.size === 0) return []
    const { tables } =
      batches.size === blocksIn(answer.read)
        ? answer
        : await thread.ask({ ask: 'again', group, messages: new Set(batches.keys()) })
    return placeRows(
      tables.map(({ table, columns }) => ({ table: TABLES.get(table)!, columns })),
      batches,
    )
  }

  return {
    read,
    damage,
    async rowsOf(wanted) {
      const batches = batchesOf(wanted)
      return (await Promise.all(lanes.map(lane => rowsOfLane(lane, batches)))).flat()
    },
    [Symbol.dispose]() {
      for (const { thread } of lanes) thread.tell({ ask: 'forget', group })
    },
  }
}

const TABLES: ReadonlyMap<string, Table> = new Map(STACKS.tables.map(table => [table.name, table]))

const NEWLINE = 0x0a

/** Pieces of whole lines and about the same size. */
function cutEvenly({ file, line, lineCount, bytes }: ArchivePart, count: number): ArchivePart[] {
  const pieces: ArchivePart[] = []
  let from = 0
  let first = line
  for (let i = 1; i <= count && from < bytes.length; i++) {
    const newline = i === count ? -1 : bytes.indexOf(NEWLINE, Math.max(from, (i * bytes.length) / count))
    const to = newline < 0 ? bytes.length : newline + 1
    const piece = bytes.subarray(from, to)
    const lines = to === bytes.length ? line + lineCount - first : newlinesIn(piece)
    pieces.push({ file, line: first, lineCount: lines, bytes: piece })
    first += lines
    from = to
  }
  return pieces
}

function newlinesIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

type Answer = Exclude<ThreadAnswer, { failure: string }>

type Thread = {
  /** Throws `ingest.worker`. */
  ask(question: Exclude<ThreadQuestion, { ask: 'forget' }>): Promise<Answer>
  tell(question: ThreadQuestion): void
  end(): Promise<number>
}

function openThread(prints: PrintCatalogue): Thread {
  const worker = new Worker(new URL('./readerThread.ts', import.meta.url), { workerData: prints })
  const waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = []
  let fault: IngestError | undefined
  // A thread keeps no process alive: whoever waits for its answer does.
  worker.unref()
  worker.on('message', (answer: ThreadAnswer) => {
    const asked = waiting.shift()
    if (waiting.length === 0) worker.unref()
    if ('failure' in answer)
      asked?.reject(new IngestError('ingest.worker', `A reading thread failed: ${answer.failure}`))
    else asked?.resolve(answer)
  })
  worker.on('error', cause => {
    fault = new IngestError('ingest.worker', 'A reading thread stopped.', { cause })
    for (const { reject } of waiting.splice(0)) reject(fault)
  })
  return {
    ask: question =>
      new Promise((resolve, reject) => {
        if (fault !== undefined) return reject(fault)
        waiting.push({ resolve, reject })
        worker.ref()
        worker.postMessage(question)
      }),
    tell: question => worker.postMessage(question),
    end: () => worker.terminate(),
  }
}
