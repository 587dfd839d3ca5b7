/** A Stacks ingest to be killed: takes an archive into a home and ends. Started by the kill drill. */
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { openStacksIngest } from '#ingest/stacks/index.ts'
import { silentLog } from '#kernel/log.ts'
import { openWarehouse } from '#warehouse/index.ts'
import { testSchema } from '#warehouse/testing.ts'
import catalogue from '../../catalog/stacks/prints.json' with { type: 'json' }

const [home = '', archive = '', partBytes = ''] = process.argv.slice(2)
await using warehouse = await openWarehouse({
  home,
  memoryBytes: 512 * 2 ** 20,
  log: silentLog,
  schema: await testSchema(),
})
await warehouse.migrate()
await using ingest = await openStacksIngest({
  warehouse,
  codec: openStacksCodec(),
  prints: parsePrintCatalogue(catalogue),
  home,
  log: silentLog,
})
process.send?.('open')
await ingest.ingestArchive(archive, {
  partBytes: Number(partBytes),
  // What was held already is passed over in no time: a kill is to hit new work.
  onProgress: ({ line, rowCount }) => rowCount > 0 && process.send?.(line),
})
