export type TableView = {
  sort: string | undefined
  isDescending: boolean
  filter: string
  columns: readonly string[]
}

export const tableKeys = (table: string) => ({
  sort: `${table}.sort`,
  filter: `${table}.filter`,
  columns: `${table}.columns`,
})

/** State of a table in the address: `<table>.sort=-fees`, `<table>.filter=…`, `<table>.columns=a,b`; `first` is how it is sorted until then. */
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
  }
}
