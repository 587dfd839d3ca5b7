import { createEventIndex, EventFacts, openEvmCodec } from '#chains/evm/index.ts'
import { createEvmSource, openEvmClient } from '#chains/evm/node/index.ts'
import { openEvmIngest } from '#ingest/evm/index.ts'
import { silentLog } from '#kernel/log.ts'
import { openWarehouse } from '#warehouse/index.ts'
import { testSchema } from '#warehouse/testing.ts'
import catalogEvents from '../../catalog/evm/events.json' with { type: 'json' }
import { processorSecondsOf } from '../memory/processes.ts'

/** Our contestant, as a process of its own: opens a warehouse, takes the blocks in, tells what readers see. */
export type OurAnswer = { readonly lines: readonly string[]; readonly processorS: number }

const [home = '', url = '', chainId = '', end = '', senders = ''] = process.argv.slice(2)
{
  await using warehouse = await openWarehouse({ home, log: silentLog, schema: await testSchema() })
  await warehouse.migrate()
  const codec = openEvmCodec({ chainId: Number(chainId), headerForm: 'standard', checksumChainId: null })
  const client = openEvmClient({ chainId: Number(chainId), chainName: 'anvil', endpoints: [{ url }] })
  using source = createEvmSource(codec, client, { senders: senders === 'recovered' })
  await using ingest = await openEvmIngest({
    warehouse,
    home,
    layer: 'merlin',
    name: 'anvil',
    codec,
    events: createEventIndex(EventFacts.parse(catalogEvents)),
    source,
    log: silentLog,
  })
  await ingest.backfill({ from: 0, to: Number(end) })
  const processorS = processorSecondsOf(process.pid, home)
  const lines = async (query: string): Promise<string[]> =>
    (await (await warehouse.reader.query({ query, format: 'JSONEachRow' })).json<{ line: string }>()).map(
      ({ line }) => line,
    )
  const answer: OurAnswer = {
    processorS,
    lines: [
      ...(await lines(
        `SELECT concat(toString(height), ' 0x', lower(hex(hash)), ' ', toString(toUnixTimestamp(block_time)), ' ', toString(gas_used)) AS line
FROM evm_blocks ORDER BY height`,
      )),
      ...(await lines(
        `SELECT concat(toString(height), ' ', toString(log_index), ' 0x', lower(hex(sender)), ' 0x', lower(hex(recipient)), ' ', toString(amount), ' 0x', lower(hex(tx_hash))) AS line
FROM evm_transfers ORDER BY height, log_index`,
      )),
    ],
  }
  await new Promise<void>(resolve => process.send?.(answer, undefined, undefined, () => resolve()))
}
process.disconnect?.()
