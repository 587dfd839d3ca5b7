/** What a result of a search is. */
export const SEARCH_KINDS = [
  'page',
  'layer',
  'application',
  'token',
  'treasury',
  'index',
  'signal',
  'opportunity',
  'ecosystem',
  'metric',
  'report',
  'documentation',
  'table',
  'block',
  'transaction',
  'address',
  'contract',
  'name',
] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** A thing that has a name and opens somewhere. */
export type Entry = {
  readonly kind: SearchKind
  /** What a list calls it. */
  readonly label: string
  /** One line that tells it from others of a like name. */
  readonly detail: string
  readonly path: string
  /** Names that mean it and nothing less: its own, tickers, ids. The label without its additions stands first. */
  readonly names: readonly string[]
  /** Of what it speaks, by name: the entity of a metric. */
  readonly of?: readonly string[]
  /** Further words about it, which count little. */
  readonly about?: string
  /** How likely it is meant, against others that match as well; 1 unless told. */
  readonly weight?: number
}

/** How likely a kind is meant, where names match equally well. */
export const KIND_WEIGHTS: Readonly<Record<SearchKind, number>> = {
  page: 1.05,
  layer: 1,
  application: 1,
  token: 1,
  treasury: 0.95,
  index: 0.9,
  signal: 0.85,
  opportunity: 0.6,
  ecosystem: 0.6,
  metric: 0.8,
  report: 0.85,
  documentation: 0.8,
  table: 0.6,
  block: 1,
  transaction: 1,
  address: 1,
  contract: 1,
  name: 1,
}
