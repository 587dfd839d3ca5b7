export type { Cell } from '#kernel/sqlCells.ts'
export {
  createQueries,
  type FileAnswer,
  type Queries,
  type QueryDeps,
  type QueryRequest,
  type QueryRole,
  type RowsAnswer,
} from './createQueries.ts'
export { toCsv } from './csv.ts'
export type { AnswerColumn } from './decodeRows.ts'
export { QueryError } from './errors.ts'
