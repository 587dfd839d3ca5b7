import { SOURCES_BY } from '#kernel/sourceNames.ts'

const BY = `'${SOURCES_BY}'`

/** SQL aggregate: every source that the rows of a group name in a column, each once, as one text. */
export const sourcesSql = (column: string): string => `arrayStringConcat(${sourceSetSql(column)}, ${BY})`

/** SQL aggregate: the same as a sorted array; `over` makes it a window function. */
export const sourceSetSql = (column: string, over = ''): string =>
  `arraySort(groupUniqArrayArray(splitByString(${BY}, ${column}))${over})`

/** SQL: every source that these columns of one row name. */
export const sourcesOfRowSql = (...columns: readonly string[]): string =>
  `arrayStringConcat(arraySort(arrayDistinct(splitByString(${BY}, concat(${columns.join(`, ${BY}, `)})))), ${BY})`
