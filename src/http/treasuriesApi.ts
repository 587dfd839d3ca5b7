import type { Catalog, CatalogTreasury } from '#catalog/index.ts'
import { type Explorer, TREASURIES_TABLES, TREASURY_TABLES, type TreasuryTable } from '#explorer/index.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { familiesOf } from '#metrics/index.ts'
import { ApiError, problemOf } from './apiError.ts'
import { type Part, restsOn } from './cache/parts.ts'
import type { ApplicationTable, TreasuriesApi, Treasury } from './contract.ts'
import { didYouMean } from './didYouMean.ts'
import { NO_BLOCK, tableAnswer, tableNamed } from './tableAnswer.ts'

type Deps = {
  readonly catalog: Pick<Catalog, 'treasuries'>
  readonly rows: Explorer['appTable']
  /** Answers a question once, while the parts of the data that it rests on stay as they are. */
  readonly ask: <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>) => Promise<T>
}

const NO_TABLE = { code: 'http.treasury_table', whose: 'Treasuries have' } as const

/** Facts of the catalogue's holders of bitcoin, and tables about them. */
export function createTreasuriesApi({ catalog, rows, ask }: Deps): TreasuriesApi {
  const known = (id: string): CatalogTreasury => {
    const found = catalog.treasuries.find(candidate => candidate.id === id)
    if (found === undefined) throw unknownTreasury(id, catalog)
    return found
  }
  const answer = (
    tables: Readonly<Record<string, TreasuryTable>>,
    name: string,
    entity: string,
  ): Promise<ApplicationTable> => {
    const table = tableNamed(tables, name, NO_TABLE)
    // Ages are counted from today: an answer is good for its day.
    const today = new Date().toISOString().slice(0, 10)
    return ask(['treasuries', name, entity, today], [], async () => {
      const sql = table.sql(entity)
      restsOn(familiesOf(sql))
      return tableAnswer(name, table, { sql, rows: await rows(sql), asOf: NO_BLOCK })
    })
  }
  return {
    list: async () => ({ items: catalog.treasuries.map(treasuryOf) }),
    profile: async id => treasuryOf(known(id)),
    table: async name => answer(TREASURIES_TABLES, name, ''),
    tableOf: async (id, name) => answer(TREASURY_TABLES, name, known(id).id),
  }
}

const treasuryOf = (holder: CatalogTreasury): Treasury => ({
  id: holder.id,
  name: holder.name,
  kind: holder.kind,
  country: holder.country,
  ticker: holder.ticker ?? null,
  currency: holder.currency ?? null,
  issuer: holder.issuer ?? null,
  website: holder.website ?? null,
  start: holder.start ?? null,
  costAverageUsd: holder.costAverageUsd ?? null,
  costDay: holder.costDay ?? null,
  note: holder.note ?? null,
  noMnav: holder.noMnav ?? null,
  mainBusiness: holder.mainBusiness ?? null,
  instruments: holder.instruments.map(each => ({
    kind: each.kind,
    strikeUsd: each.strikeUsd ?? null,
    shares: each.shares,
    issued: each.issued ?? null,
    expires: each.expires ?? null,
    faceUsd: each.faceUsd ?? null,
  })),
  addresses: [...holder.addresses],
})

function unknownTreasury(id: string, { treasuries }: Deps['catalog']): ApiError {
  const nearest = nearestNames(
    id,
    treasuries.map(each => each.id),
  )
  return new ApiError(
    problemOf(
      'http.treasury',
      `The catalog has no holder of bitcoin "${id.slice(0, 60)}".`,
      didYouMean(nearest),
    ),
  )
}
