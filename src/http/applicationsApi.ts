import type { Catalog, CatalogProtocol } from '#catalog/index.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { ApiError, problemOf } from './apiError.ts'
import type { Application, ApplicationsApi } from './contract.ts'

/** Facts of the catalogue's applications. */
export function createApplicationsApi(catalog: Catalog): ApplicationsApi {
  return {
    profile: async slug => {
      const protocol = catalog.protocols.find(known => known.slug === slug)
      if (protocol === undefined) throw unknownApplication(slug, catalog)
      return profileOf(protocol, catalog)
    },
  }
}

function profileOf(protocol: CatalogProtocol, { tokens, events }: Catalog): Application {
  const { slug, name, category, sentence = null, layers, links, contracts, origin, notCovered } = protocol
  const token = tokens.find(({ id }) => id === protocol.token)
  return {
    slug,
    name,
    category,
    sentence,
    layers,
    token: token ? { id: token.id, symbol: token.symbol, name: token.name } : null,
    links,
    contracts,
    audits: protocol.audits
      .map(({ by = null, url = null, ...audit }) => ({ ...audit, by, url }))
      .sort((a, b) => b.when.localeCompare(a.when)),
    incidents: protocol.incidents
      .map(({ lossUsd = null, ...incident }) => ({ ...incident, lossUsd }))
      .sort((a, b) => b.day.localeCompare(a.day)),
    events: (events[slug] ?? []).map(({ day, label, note }) => ({ day, label, note })),
    notCovered,
    origin,
  }
}

function unknownApplication(slug: string, { protocols }: Catalog): ApiError {
  const nearest = nearestNames(
    slug,
    protocols.map(protocol => protocol.slug),
  )
  return new ApiError(
    problemOf('http.application', `The catalogue has no application "${slug.slice(0, 60)}".`, {
      hint: `Near are ${nearest.join(', ')}.`,
    }),
  )
}
