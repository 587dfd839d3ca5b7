import type { Catalog } from '#catalog/index.ts'
import { type Explorer, OPPORTUNITY_TABLES } from '#explorer/index.ts'
import { familiesOf } from '#metrics/index.ts'
import { type Part, restsOn } from './cache/parts.ts'
import type { OpportunitiesApi } from './contract.ts'
import { NO_BLOCK, tableAnswer, tableNamed } from './tableAnswer.ts'

type Deps = {
  readonly catalog: Pick<Catalog, 'opportunities' | 'yieldProjects'>
  readonly rows: Explorer['appTable']
  /** Answers a question once, while the parts of the data that it rests on stay as they are. */
  readonly ask: <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>) => Promise<T>
}

const NO_TABLE = { code: 'http.opportunity_table', whose: 'Opportunities have' } as const

/** Ways to earn with bitcoin of the catalogue, and tables about them. */
export const createOpportunitiesApi = ({ catalog, rows, ask }: Deps): OpportunitiesApi => ({
  list: async () => ({
    items: catalog.opportunities.map(({ id, name, project, layer, coins, pool }) => ({
      id,
      name,
      project,
      layer,
      coins: [...coins],
      strategy: catalog.yieldProjects.find(each => each.id === project)?.strategy ?? 'vault',
      pool: pool ?? null,
    })),
  }),
  table: async name => {
    const table = tableNamed(OPPORTUNITY_TABLES, name, NO_TABLE)
    // A day is over by the clock: an answer is good for its day.
    const today = new Date().toISOString().slice(0, 10)
    return ask(['opportunities', name, today], [], async () => {
      const sql = table.sql()
      restsOn(familiesOf(sql))
      return tableAnswer(name, table, { sql, rows: await rows(sql), asOf: NO_BLOCK })
    })
  },
})
