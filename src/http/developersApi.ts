import { type Catalog, pageOfEcosystem } from '#catalog/index.ts'
import { DEVELOPER_TABLES, type Explorer } from '#explorer/index.ts'
import { familiesOf } from '#metrics/index.ts'
import { type Part, restsOn } from './cache/parts.ts'
import type { DevelopersApi } from './contract.ts'
import { NO_BLOCK, tableAnswer, tableNamed } from './tableAnswer.ts'

type Deps = {
  readonly catalog: Pick<Catalog, 'ecosystems' | 'layers'>
  readonly rows: Explorer['appTable']
  /** Answers a question once, while the parts of the data that it rests on stay as they are. */
  readonly ask: <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>) => Promise<T>
}

const NO_TABLE = { code: 'http.developer_table', whose: 'Developers have' } as const

/** Ecosystems of the catalogue, and tables about who builds them. */
export const createDevelopersApi = ({ catalog, rows, ask }: Deps): DevelopersApi => ({
  list: async () => ({
    items: catalog.ecosystems.map(({ id, name, repositories, listed, programmes }) => ({
      id,
      name,
      page: pageOfEcosystem(id, catalog) ?? null,
      repositories: repositories.map(each => ({
        name: each.name,
        url: each.url,
        licence: each.licence ?? null,
      })),
      listed: listed ? { repositories: listed.repositories, own: listed.own, asOf: listed.asOf } : null,
      programmes: programmes.map(({ to, ...programme }) => ({ ...programme, to: to ?? null })),
    })),
  }),
  table: async name => {
    const table = tableNamed(DEVELOPER_TABLES, name, NO_TABLE)
    return ask(['developers', name], [], async () => {
      const sql = table.sql()
      restsOn(familiesOf(sql))
      return tableAnswer(name, table, { sql, rows: await rows(sql), asOf: NO_BLOCK })
    })
  },
})
