/** A table of so many rows is drawn whole: nobody turns a page for a few. */
export const WHOLE_ROWS = 100
/** Rows that a longer one draws at once: more of them weigh on a page that has other things to show. */
export const ROWS_PER_PAGE = 50

export type TableView = {
  sort: string | undefined
  isDescending: boolean
  filter: string
  columns: readonly string[]
  /** From 1; `all` for one page of everything. */
  page: number | 'all'
}

/** Fields of a table’s state in the address, as `<table>.<field>`. */
export const TABLE_FIELDS = ['sort', 'filter', 'columns', 'page'] as const

export const tableKeys = (table: string) => ({
  sort: `${table}.sort`,
  filter: `${table}.filter`,
  columns: `${table}.columns`,
  page: `${table}.page`,
})

/** State of a table in the address: `<table>.sort=-fees`, `<table>.filter=…`, `<table>.columns=a,b`, `<table>.page=2` or `=all`; `first` is how it is sorted until then. */
export function readTableView(
  query: URLSearchParams,
  table: string,
  defaultColumns: readonly string[],
  first?: string,
): TableView {
  const keys = tableKeys(table)
  const sort = query.get(keys.sort) ?? first
  return {
    sort: sort?.replace(/^-/, ''),
    isDescending: sort?.startsWith('-') ?? false,
    filter: query.get(keys.filter) ?? '',
    columns: query.get(keys.columns)?.split(',') ?? defaultColumns,
    page: pageOf(query.get(keys.page)),
  }
}

const pageOf = (text: string | null): TableView['page'] =>
  text === 'all' ? text : Math.max(1, Math.floor(Number(text)) || 1)

/** Places of the first row and behind the last one that a page of so many rows shows; a page behind the end is the last one. */
export function rowsOfPage(page: TableView['page'], count: number): { from: number; to: number } {
  if (page === 'all' || count <= WHOLE_ROWS) return { from: 0, to: count }
  const pages = Math.max(1, Math.ceil(count / ROWS_PER_PAGE))
  const from = (Math.min(page, pages) - 1) * ROWS_PER_PAGE
  return { from, to: Math.min(count, from + ROWS_PER_PAGE) }
}
