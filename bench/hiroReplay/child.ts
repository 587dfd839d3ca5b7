import process from 'node:process'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { openStacksIngest } from '#ingest/stacks/index.ts'
import { silentLog } from '#kernel/log.ts'
import { openWarehouse } from '#warehouse/index.ts'
import { testSchema } from '#warehouse/testing.ts'
import catalogue from '../../catalog/stacks/prints.json' with { type: 'json' }
import { processorSecondsOf } from '../memory/processes.ts'
import { FIRST_COMPARED } from './replay.ts'

/** What readers see when the archive is in. */
export type OurAnswer = { readonly lines: readonly string[]; readonly processorS: number }

/** Our contestant, as a process of its own: a warehouse is made, and takes an archive in. */
const [home = '', archive = ''] = process.argv.slice(2)
{
  await using warehouse = await openWarehouse({ home, log: silentLog, schema: await testSchema() })
  await warehouse.migrate()
  await using ingest = await openStacksIngest({
    warehouse,
    codec: openStacksCodec(),
    prints: parsePrintCatalogue(catalogue),
    home,
    log: silentLog,
  })
  await ingest.ingestArchive(archive)
  const processorS = processorSecondsOf(process.pid, home)
  process.send!('done')
  const answer = await warehouse.reader.query({
    query: `SELECT concat(toString(height), ' 0x', lower(hex(hash)), ' ', toString(tx_count), ' ', toString(transfers.many), ' ', toString(prints.many)) AS line
FROM stx_blocks AS blocks
LEFT JOIN (SELECT height, count() AS many FROM stx_transfers GROUP BY height) AS transfers USING height
LEFT JOIN (SELECT height, count() AS many FROM stx_prints GROUP BY height) AS prints USING height
WHERE height >= ${FIRST_COMPARED}
ORDER BY height`,
    format: 'JSONEachRow',
  })
  const lines = (await answer.json<{ line: string }>()).map(({ line }) => line)
  await new Promise<void>(resolve =>
    process.send!({ lines, processorS } satisfies OurAnswer, undefined, undefined, () => resolve()),
  )
}
process.disconnect?.()
