export { createSearch, type Found, type Hit, type Search } from './createSearch.ts'
export { entriesOf, type Named, type NamedMetric, type NamedPage, type NamedTable } from './entriesOf.ts'
export { type Entry, SEARCH_KINDS, type SearchKind } from './kinds.ts'
export { LONGEST_ASKED, type Mark } from './words.ts'
