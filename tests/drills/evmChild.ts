/** An ingest process of an EVM layer to be killed: brings the chain of a node into a home and ends. Started by the kill drill. */
import { createEventIndex, EventFacts, openEvmCodec } from '#chains/evm/index.ts'
import { createEvmSource, openEvmClient } from '#chains/evm/node/index.ts'
import { openEvmIngest } from '#ingest/evm/index.ts'
import { silentLog } from '#kernel/log.ts'
import { openWarehouse } from '#warehouse/index.ts'
import { testSchema } from '#warehouse/testing.ts'
import catalogEvents from '../../catalog/evm/events.json' with { type: 'json' }

const [home = '', url = '', chainId = ''] = process.argv.slice(2)
await using warehouse = await openWarehouse({
  home,
  memoryBytes: 512 * 2 ** 20,
  log: silentLog,
  schema: await testSchema(),
})
await warehouse.migrate()
const codec = openEvmCodec({ chainId: Number(chainId), headerForm: 'standard', checksumChainId: null })
const client = openEvmClient({ chainId: Number(chainId), chainName: 'BOB', endpoints: [{ url }] })
using source = createEvmSource(codec, client, { traces: true, senders: false })
await using ingest = await openEvmIngest({
  warehouse,
  home,
  layer: 'bob',
  name: 'BOB',
  codec,
  events: createEventIndex(EventFacts.parse(catalogEvents)),
  source,
  log: silentLog,
  limits: { batchBlocks: 20, loadBytes: 30_000 },
})
process.send?.('open')
await ingest.backfill({ from: 0 }, progress => process.send?.(progress.height))
