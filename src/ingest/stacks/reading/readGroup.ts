import { ArchiveError, type StacksCodec } from '#chains/stacks/index.ts'
import type { StacksRows } from '../../rows/stacks/stacksRows.ts'
import type { TableColumns } from '../../rows/stacks/writers.ts'
import { type RawMessage, type ReadMessage, readMessage, type ToldMessage } from './readMessage.ts'

/** Blocks of a group, by the position of their messages, whose rows go into a batch. */
export type WantedRows = { readonly batch: number; readonly messages: readonly number[] }

/** A line that is no message: it ends what is read. */
export type Damage = { readonly line: number; readonly message: string }

/**
 * Messages that were read, and the rows of their blocks. Rows are made while a message is read, so that what it was taken apart
 * into lives no longer than that. Their column `batch` holds the position of the message until `placeRows`.
 */
export class ReadGroup {
  readonly read: readonly ReadMessage[]
  readonly damage: Damage | undefined
  /** Rows of all blocks without a fault. */
  readonly tables: readonly TableColumns[]
  readonly #codec: StacksCodec
  readonly #rows: StacksRows
  readonly #messages: Iterable<RawMessage | ToldMessage>

  /** `rows` is used by one group at a time; `messages` may be gone through again. */
  constructor(codec: StacksCodec, rows: StacksRows, messages: Iterable<RawMessage | ToldMessage>) {
    this.#codec = codec
    this.#rows = rows
    this.#messages = messages
    const done: ReadMessage[] = []
    this.read = done
    try {
      for (const message of messages)
        done.push(readMessage(codec, message, block => rows.add(done.length, block)))
    } catch (thrown) {
      if (!(thrown instanceof ArchiveError)) throw thrown
      this.damage = { line: Number(thrown.facts.line), message: thrown.message }
    } finally {
      this.tables = rows.take()
    }
  }

  /** Reads some of the blocks again, for their rows alone. */
  again(wanted: ReadonlySet<number>): readonly TableColumns[] {
    let index = 0
    for (const message of this.#messages) {
      if (index === this.read.length) break
      const at = index++
      if (wanted.has(at)) readMessage(this.#codec, message, block => this.#rows.add(at, block))
    }
    return this.#rows.take()
  }
}

/** Puts the batch of each message in its place. */
export function placeRows(
  tables: readonly TableColumns[],
  batches: ReadonlyMap<number, number>,
): readonly TableColumns[] {
  for (const { columns } of tables) {
    // Every table of blocks has this column.
    const column = (columns as unknown as { readonly batch: Uint32Array }).batch
    for (let row = 0; row < column.length; row++) column[row] = batches.get(column[row]!)!
  }
  return tables
}
