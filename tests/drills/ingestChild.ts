/** An ingest process to be killed: brings the chain of a node into a home and ends. Started by the kill drill. */
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { createRpcSource } from '#chains/bitcoin/node/index.ts'
import { openIngest } from '#ingest/index.ts'
import { silentLog } from '#kernel/log.ts'
import { openWarehouse } from '#warehouse/index.ts'
import { testSchema } from '#warehouse/testing.ts'

const [home = '', url = ''] = process.argv.slice(2)
await using warehouse = await openWarehouse({
  home,
  memoryBytes: 512 * 2 ** 20,
  log: silentLog,
  schema: await testSchema(),
})
await warehouse.migrate()
using node = createRpcSource({ url, network: 'regtest' })
await using ingest = await openIngest({
  warehouse,
  codec: openBitcoinCodec({ network: 'regtest' }),
  home,
  network: 'regtest',
  log: silentLog,
  node,
  threads: 1,
  cacheBytes: 4_000,
  limits: { bytes: 6_000, blocks: 12, loadBytes: 9_000 },
})
process.send?.('open')
await ingest.backfill({}, progress => process.send?.(progress.height))
