/** A server that runs queries, to be killed. Started by the drill of queries. */
import process from 'node:process'
import { silentLog } from '#kernel/log.ts'
import { openStore } from '#store/index.ts'
import { openWarehouse } from '#warehouse/index.ts'
import { OWNER, openQueriesServer } from './queriesServer.ts'

const [home = '', storeUrl = '', seed = '0'] = process.argv.slice(2)
await using warehouse = await openWarehouse({ home, memoryBytes: 512 * 2 ** 20, log: silentLog })
await using store = await openStore({ home, url: storeUrl === '' ? undefined : storeUrl, log: silentLog })
await using tool = await openQueriesServer({ home, warehouse, store })
/** Ends by itself unless it is killed before. */
const RUNS = 40
for (let at = 0; at < RUNS; at++) {
  const rows = 1_000 * (1 + ((Number(seed) * 31 + at * 17) % 400))
  const sql = `SELECT number AS n, toString(number) AS text FROM numbers(${rows})`
  const { id } = await tool.runs.start({ sql, parameters: {}, isFresh: true }, OWNER)
  process.send?.({ id, rows })
  // Two at once: some are killed while they are stored, some while they run.
  if (at % 2 === 1) await tool.runs.settle(id, OWNER.owner, 30_000, new AbortController().signal)
}
