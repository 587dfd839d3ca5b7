import type { Catalog } from '#catalog/index.ts'
import type { LiveSource } from '#sources/live.ts'
import { hostOf } from './address.ts'

/** Milliseconds between two requests to each host: the most careful of its sources speaks for all of them. */
export function spacings(sources: readonly LiveSource[], catalog: Catalog): Map<string, number> {
  const found = new Map<string, number>()
  for (const source of sources)
    for (const { url, otherwise = [] } of source.requests(catalog))
      for (const host of [url, ...otherwise].map(hostOf))
        found.set(host, Math.max(found.get(host) ?? 0, 60_000 / source.requestsPerMinute))
  return found
}
