import type { Catalog, CatalogProtocol } from '#catalog/index.ts'
import { APP_TABLES, appOf, type Explorer } from '#explorer/index.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { familiesOf } from '#metrics/index.ts'
import { ApiError, problemOf } from './apiError.ts'
import { type Part, restsOn } from './cache/parts.ts'
import type { Application, ApplicationsApi, AsOf } from './contract.ts'
import { didYouMean } from './didYouMean.ts'
import { NO_BLOCK, readsBlocks, tableAnswer, tableNamed } from './tableAnswer.ts'

type Deps = {
  readonly catalog: Catalog
  readonly explorer: Pick<Explorer, 'appTable'>
  /** How old the newest block of Stacks is. */
  readonly asOf: () => Promise<AsOf>
  /** Answers a question once, while the parts of the data that it rests on stay as they are. */
  readonly ask: <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>) => Promise<T>
}

/** Facts of the catalogue's applications, and tables about them. */
export function createApplicationsApi({ catalog, explorer, asOf, ask }: Deps): ApplicationsApi {
  const known = (slug: string): CatalogProtocol => {
    const protocol = catalog.protocols.find(candidate => candidate.slug === slug)
    if (protocol === undefined) throw unknownApplication(slug, catalog)
    return protocol
  }
  return {
    profile: async slug => profileOf(known(slug), catalog),
    table: (slug, id) =>
      ask(['application', slug, id], [], async () => {
        const app = known(slug)
        const table = tableNamed(APP_TABLES, id, {
          code: 'http.application_table',
          whose: 'Applications have',
        })
        const sql = table.sql(appOf(app, catalog))
        restsOn(familiesOf(sql))
        const [rows, age] = await Promise.all([explorer.appTable(sql), readsBlocks(sql) ? asOf() : NO_BLOCK])
        return tableAnswer(id, table, { sql, rows, asOf: age })
      }),
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
    problemOf(
      'http.application',
      `The catalog has no application "${slug.slice(0, 60)}".`,
      didYouMean(nearest),
    ),
  )
}
