import type { Catalog, CatalogLayer } from '#catalog/index.ts'
import type { SourceRequest } from '../live.ts'

type Publisher = keyof CatalogLayer['ids']

/** One request for each layer that a publisher knows. */
export const requestsByLayer =
  (publisher: Publisher, urlOf: (id: string) => string) =>
  ({ layers }: Catalog): SourceRequest[] =>
    layers.flatMap(({ slug, ids }) => {
      const id = ids[publisher]
      return id === undefined ? [] : [{ about: slug, url: urlOf(id) }]
    })

/** Slugs of layers by the names that a publisher has for them, in lower case. */
export const slugsBy = (publisher: Publisher, { layers }: Catalog): ReadonlyMap<string, string> =>
  new Map(
    layers.flatMap(({ slug, ids }) => {
      const id = ids[publisher]
      return id === undefined ? [] : [[id.toLowerCase(), slug]]
    }),
  )
