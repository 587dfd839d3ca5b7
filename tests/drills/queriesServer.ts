import { silentLog } from '#kernel/log.ts'
import {
  createExecutor,
  createSharedTurns,
  openQueryTool,
  type QueryTool,
  uploadTables,
} from '#queries/index.ts'
import type { Store } from '#store/index.ts'
import { schemaOf, type Warehouse } from '#warehouse/index.ts'

/** Short, so that a killed server loses its claims soon. */
const LEASE_MS = 700

export const OWNER = { owner: 'drill', caller: 'drill', role: 'member', hasHistory: false } as const

/** Runs of queries as a server has them, without its pages. */
export async function openQueriesServer({
  home,
  warehouse,
  store,
}: {
  home: string
  warehouse: Warehouse
  store: Store
}): Promise<QueryTool> {
  await using opening = new AsyncDisposableStack()
  const turns = opening.use(createSharedTurns({ store, leaseMs: LEASE_MS, log: silentLog }))
  const executor = createExecutor({
    warehouse,
    knownSql: () => [],
    uploads: uploadTables(store),
    log: silentLog,
    shared: turns,
  })
  const tool = opening.use(
    await openQueryTool({
      reader: { home, memoryBytes: 256 * 2 ** 20 },
      resultBytes: 4 * 2 ** 30,
      executor,
      turns,
      warehouse,
      schema: schemaOf({ evm: [], stacksApps: [] }),
      data: { version: () => '1', asOf: async () => [] },
      store,
      problemOf: thrown => ({
        code: thrown instanceof Error && 'code' in thrown ? thrown.code : 'none',
        detail: String(thrown),
      }),
      log: silentLog,
    }),
  )
  const opened = opening.move()
  return { ...tool, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
