/** A process that asks publishers, to be killed: asks everything once and ends. Started by the kill drill. */
import { testCatalog } from '#catalog/testing.ts'
import { createRunner, prepareJobs } from '#ingest/sources/index.ts'
import { testSource } from '#ingest/sources/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { until } from '#kernel/until.testing.ts'
import { openStore } from '#store/index.ts'
import { openWarehouse } from '#warehouse/index.ts'
import { testSchema } from '#warehouse/testing.ts'
import { ABOUT } from './sourcesAbout.ts'

const [home = '', origin = '', startedAt = '', storeUrl = ''] = process.argv.slice(2)
await using warehouse = await openWarehouse({
  home,
  memoryBytes: 512 * 2 ** 20,
  log: silentLog,
  schema: await testSchema(),
})
await warehouse.migrate()
await using store = await openStore({ home, url: storeUrl === '' ? undefined : storeUrl, log: silentLog })
const catalog = await testCatalog()
const source = testSource(origin, {
  requests: () => ABOUT.map(about => ({ about, url: `${origin}/${about}` })),
})
const runner = createRunner({
  ...{ warehouse, store, catalog, log: silentLog, sources: [source], keys: {} },
  holder: String(process.pid),
  // What a killed one holds is free again soon.
  leaseMs: 200,
  now: () => Number(startedAt),
})
await prepareJobs(store, { sources: [source], catalog, jobs: runner.jobs, now: new Date(Number(startedAt)) })
process.send?.('open')
for (const job of runner.jobs) {
  await until(`${job.about} is free to ask`, () => runner.run(job, { isManual: false }))
  process.send?.(job.about)
}
