import process from 'node:process'
import { openStacksCodec, parseMessage, parsePrintCatalogue, readArchive } from '#chains/stacks/index.ts'
import { encodeNative } from '#warehouse/index.ts'
import catalogue from '../../catalog/stacks/prints.json' with { type: 'json' }
import { openBurnRows } from '../../src/ingest/rows/stacks/burnRows.ts'
import { openStacksRows } from '../../src/ingest/rows/stacks/stacksRows.ts'

export type Request = { readonly archive: string }
export type Answer = { readonly ms: number; readonly count: number }

/** A contestant in a process of its own. Argument: `rows` for ours, `parse` for `JSON.parse` alone. */
const [name = ''] = process.argv.slice(2)
const GROUP_BYTES = 16 * 2 ** 20

/** Every message is parsed and let go. Counts its fields, so that nothing is left out as unused. */
async function parseOnly(archive: string): Promise<number> {
  let count = 0
  for await (const { json } of readArchive(archive)) count += Object.keys(JSON.parse(json)).length
  return count
}

const codec = openStacksCodec()
const prints = parsePrintCatalogue(catalogue)

/** Every message to rows in the form that goes to the engine, in the groups of an ingest. Counts rows. */
async function toRows(archive: string): Promise<number> {
  const rows = openStacksRows(codec, prints)
  const burnRows = openBurnRows()
  let count = 0
  let bytes = 0
  const give = (): void => {
    for (const { table, columns } of [...rows.take(), ...burnRows.take()]) {
      encodeNative(table, columns)
      count += columns.rowCount
    }
    bytes = 0
  }
  for await (const { path, json, sizeBytes } of readArchive(archive)) {
    const message = parseMessage(path, json)
    if (message.kind === 'block') rows.add(1, message.block)
    if (message.kind === 'burn_block') burnRows.add(1, message.block)
    if (message.kind === 'mempool') for (const raw of message.transactions) codec.decodeTransaction(raw)
    bytes += sizeBytes
    if (bytes >= GROUP_BYTES) give()
  }
  give()
  return count
}

process.on('message', async ({ archive }: Request) => {
  const start = performance.now()
  const count = await (name === 'rows' ? toRows : parseOnly)(archive)
  process.send!({ ms: performance.now() - start, count } satisfies Answer)
})
process.on('disconnect', () => process.exit(0))
