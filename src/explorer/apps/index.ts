import { functionsTable } from './functions.ts'
import type { AppTable } from './table.ts'

export { type AppColumn, type AppRow, type AppTable, CELL_FORMS, readAppTable } from './table.ts'

/** Tables that pages of applications show, by the name that their declarations use. */
export const APP_TABLES: Readonly<Record<string, AppTable>> = {
  functions: functionsTable,
}
