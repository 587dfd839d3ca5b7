import { createQueries, type QueryTool } from '#queries/index.ts'
import { OPEN_FUNCTIONS } from '#warehouse/index.ts'
import { ApiError, asking, problemOf } from '../apiError.ts'
import type { QueryDialect, QuerySchema, TableCoverage } from '../contract.ts'
import type { QueryCaller } from './callers.ts'
import { tableCoverage } from './tableCoverage.ts'

const TABLES_SQL = `SELECT table_name, table_comment FROM information_schema.tables
WHERE table_schema = 'default' ORDER BY table_name`
const COLUMNS_SQL = `SELECT table_name, column_name, data_type, column_comment FROM information_schema.columns
WHERE table_schema = 'default' ORDER BY table_name, ordinal_position`

/** Tables with their columns and coverage, keywords and functions. */
export function createTablesApi({ executor, estimate, results }: QueryTool) {
  const queries = createQueries(executor)
  const rowsOf = async (sql: string, caller: QueryCaller, parameters: Record<string, string> = {}) =>
    (
      await queries.rows(
        { sql, parameters, uploadsOf: caller.uploadsOf },
        caller.caller,
        undefined,
        caller.role,
        false,
      )
    ).rows

  return {
    schema: (caller: QueryCaller): Promise<QuerySchema> =>
      asking(async () => {
        const [tables, columns] = [await rowsOf(TABLES_SQL, caller), await rowsOf(COLUMNS_SQL, caller)]
        const byTable = Map.groupBy(columns, ([table]) => String(table))
        return {
          tables: tables.map(([name, about]) => ({
            name: String(name),
            about: String(about ?? ''),
            columns: (byTable.get(String(name)) ?? []).map(([, column, type, comment]) => ({
              name: String(column),
              type: String(type),
              about: String(comment ?? ''),
            })),
          })),
        }
      }),
    coverage: (table: string, caller: QueryCaller): Promise<TableCoverage> =>
      asking(async () => {
        const columns = (await rowsOf(COLUMNS_SQL, caller)).filter(([name]) => name === table)
        if (columns.length === 0)
          throw new ApiError(
            problemOf('sql.unknown_table', 'No table has this name.', {
              hint: 'SHOW TABLES lists what can be read.',
            }),
          )
        return tableCoverage(
          table,
          columns.map(([, name, type]) => ({ name: String(name), type: String(type) })),
          {
            estimate: sql => estimate({ sql, parameters: {} }, caller),
            rowsOf: sql => rowsOf(sql, caller),
          },
        )
      }),
    equivalence: (first: string, second: string, caller: QueryCaller) =>
      asking(async () => {
        const treeOf = async (sql: string) => JSON.stringify(await rowsOf(`EXPLAIN AST ${sql}`, caller))
        return { isEquivalent: (await treeOf(first)) === (await treeOf(second)) }
      }),
    dialect: (): Promise<QueryDialect> =>
      asking(async () => ({ keywords: await results.keywords(), functions: [...OPEN_FUNCTIONS] })),
  }
}
