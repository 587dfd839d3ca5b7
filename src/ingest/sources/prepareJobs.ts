import type { Catalog } from '#catalog/index.ts'
import type { LiveSource } from '#sources/live.ts'
import type { Store } from '#store/index.ts'
import { declareHosts } from './hosts.ts'
import { declareJobs, type JobName } from './jobs.ts'
import { spacings } from './spacings.ts'

/** Has the store know every job and host that is declared, as the leader does. */
export async function prepareJobs(
  store: Store,
  {
    sources,
    catalog,
    jobs,
    now,
  }: {
    readonly sources: readonly LiveSource[]
    readonly catalog: Catalog
    readonly jobs: readonly (JobName & { readonly host: string })[]
    readonly now: Date
  },
): Promise<void> {
  await declareHosts(store, spacings(sources, catalog), now)
  await declareJobs(store, jobs, now)
}
