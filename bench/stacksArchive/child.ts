import { availableParallelism } from 'node:os'
import process from 'node:process'
import { openStacksCodec, parsePrintCatalogue, readArchive, readArchiveParts } from '#chains/stacks/index.ts'
import { encodeNative } from '#warehouse/index.ts'
import catalogue from '../../catalog/stacks/prints.json' with { type: 'json' }
import { openBurnRows } from '../../src/ingest/rows/stacks/burnRows.ts'
import { openReaders, type Reading } from '../../src/ingest/stacks/reading/openReaders.ts'

export type Request = { readonly archive: string }
export type Answer = { readonly ms: number; readonly count: number }

/** A contestant in a process of its own. Argument: `rows` for ours, `parse` for `JSON.parse` alone. */
const [name = ''] = process.argv.slice(2)
const PART_BYTES = 48 * 2 ** 20

/** Every message is parsed and let go. Counts its fields, so that nothing is left out as unused. */
async function parseOnly(archive: string): Promise<number> {
  let count = 0
  for await (const { json } of readArchive(archive)) count += Object.keys(JSON.parse(json)).length
  return count
}

const readers = openReaders({
  codec: openStacksCodec(),
  prints: parsePrintCatalogue(catalogue),
  threads: availableParallelism(),
})

/** Every message to rows in the form that goes to the engine, in the groups of an ingest. Counts rows. */
async function toRows(archive: string): Promise<number> {
  const burnRows = openBurnRows()
  let count = 0
  let ahead: Promise<Reading> | undefined

  async function advance(next?: Promise<Reading>): Promise<void> {
    const reading = await ahead
    ahead = next
    if (reading === undefined) return
    const blocks: number[] = []
    for (const [index, message] of reading.read.entries()) {
      if (message.kind === 'block') blocks.push(index)
      if (message.kind === 'burn_block') burnRows.add(1, message.block)
    }
    const tables = await reading.rowsOf([{ batch: 1, messages: blocks }])
    reading[Symbol.dispose]()
    for (const { table, columns } of [...tables, ...burnRows.take()]) {
      encodeNative(table, columns)
      count += columns.rowCount
    }
  }

  for await (const part of readArchiveParts(archive, PART_BYTES)) await advance(readers.readPart(part))
  await advance()
  return count
}

process.on('message', async ({ archive }: Request) => {
  const start = performance.now()
  const count = await (name === 'rows' ? toRows : parseOnly)(archive)
  process.send!({ ms: performance.now() - start, count } satisfies Answer)
})
process.on('disconnect', () => process.exit(0))
