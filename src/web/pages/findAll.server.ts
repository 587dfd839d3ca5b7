import type { Api } from '#http/contract.ts'
import { existingPages, SITE } from '../site.ts'

export type Found = {
  pages: { path: string; label: string }[]
  metrics: { assay: string; name: string; entity: string; definition: string; page: string }[]
}

const MOST = 20

const exists = (ask: () => Promise<unknown>): Promise<boolean> =>
  ask().then(
    () => true,
    () => false,
  )

/** A block or transaction gives its address; anything else gives the pages and figures whose words match. */
export async function findAll(api: Api, asked: string): Promise<{ path: string } | Found> {
  const bare = asked.replaceAll(/[,\s]/g, '').toLowerCase()
  if (/^\d{1,8}$/.test(bare) && (await exists(() => api.block(String(Number(bare))))))
    return { path: `/bitcoin/block/${Number(bare)}` }
  if (/^[0-9a-f]{64}$/.test(bare)) {
    if (await exists(() => api.tx(bare))) return { path: `/bitcoin/tx/${bare}` }
    if (await exists(() => api.block(bare))) return { path: `/bitcoin/block/${bare}` }
  }
  const words = asked.toLowerCase().split(/\s+/)
  const matches = (text: string) => words.every(word => text.toLowerCase().includes(word))
  const metrics = (await api.metrics()).flatMap(metric =>
    metric.entities
      .filter(entity => matches(`${metric.id} ${metric.name} ${entity} ${metric.definition}`))
      .map(entity => ({
        assay: `${metric.id}@${entity}`,
        name: metric.name,
        entity,
        definition: metric.definition,
        page: SITE.find(page => page.entity === entity && page.file)?.path ?? '/bitcoin',
      })),
  )
  const named = (name: string) => (matches(name) ? 0 : 1)
  return {
    pages: existingPages()
      .filter(page => matches(`${page.label} ${page.path}`))
      .map(({ path, label }) => ({ path, label })),
    metrics: metrics.toSorted((a, b) => named(a.name) - named(b.name)).slice(0, MOST),
  }
}
