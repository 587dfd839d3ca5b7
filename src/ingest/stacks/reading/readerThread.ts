import { parentPort, workerData } from 'node:worker_threads'
import { type ArchivePart, messagesOf, openStacksCodec } from '#chains/stacks/index.ts'
import { sentenceOf } from '#kernel/errors.ts'
import type { ColumnsOf, Table } from '#kernel/table.ts'
import type { PrintCatalogue } from '../../rows/stacks/eventRows.ts'
import { openStacksRows } from '../../rows/stacks/stacksRows.ts'
import type { TableColumns } from '../../rows/stacks/writers.ts'
import { type Damage, ReadGroup } from './readGroup.ts'
import type { ReadMessage } from './readMessage.ts'

/** What a thread is asked; a part is read, some of its blocks perhaps again, and forgotten. */
export type ThreadQuestion =
  | { readonly ask: 'read'; readonly group: number; readonly part: ArchivePart }
  | { readonly ask: 'again'; readonly group: number; readonly messages: ReadonlySet<number> }
  | { readonly ask: 'forget'; readonly group: number }

/** Columns of a table by its name: declarations do not cross between threads. */
type NamedColumns = { readonly table: string; readonly columns: ColumnsOf<Table> }

export type ThreadAnswer =
  | {
      /** Empty where rows were asked for again. */
      readonly read: readonly ReadMessage[]
      readonly damage: Damage | undefined
      readonly tables: readonly NamedColumns[]
    }
  | { readonly failure: string }

/** The body of a reading thread: it answers questions in their order; `forget` has no answer. */
function serve(port: NonNullable<typeof parentPort>, prints: PrintCatalogue): void {
  const codec = openStacksCodec()
  const rows = openStacksRows(codec, prints)
  const groups = new Map<number, ReadGroup>()

  function answer(question: Exclude<ThreadQuestion, { ask: 'forget' }>): ThreadAnswer {
    if (question.ask === 'again')
      return {
        read: [],
        damage: undefined,
        tables: groups.get(question.group)!.again(question.messages).map(named),
      }
    const group = new ReadGroup(codec, rows, messagesOf(question.part))
    groups.set(question.group, group)
    return { read: group.read, damage: group.damage, tables: group.tables.map(named) }
  }

  port.on('message', (question: ThreadQuestion) => {
    if (question.ask === 'forget') {
      groups.delete(question.group)
      return
    }
    let told: ThreadAnswer
    try {
      told = answer(question)
    } catch (thrown) {
      told = { failure: sentenceOf(thrown) }
    }
    port.postMessage(told, 'tables' in told ? memoryOf(told.tables) : [])
  })
}

const named = ({ table, columns }: TableColumns): NamedColumns => ({ table: table.name, columns })

/** Memory of columns goes over as it is; each column has its own. */
function memoryOf(tables: readonly NamedColumns[]): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>()
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) found.add(value.buffer)
    } else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) visit(inner)
  }
  for (const { columns } of tables) visit(columns)
  return [...found]
}

if (parentPort) serve(parentPort, workerData as PrintCatalogue) // written by `openReaders` alone
