import type { SearchResult } from '#http/contract.ts'

export type Kind = SearchResult['kind']

/** What a group of each kind is called. */
export const GROUP_NAMES: Readonly<Record<Kind, string>> = {
  page: 'Pages',
  layer: 'Layers',
  application: 'Applications',
  token: 'Tokens',
  treasury: 'Treasuries',
  index: 'Indices',
  signal: 'Signals',
  opportunity: 'Opportunities',
  ecosystem: 'Developers',
  metric: 'Metrics',
  report: 'Reports',
  documentation: 'Documentation',
  table: 'Tables',
  block: 'Blocks',
  transaction: 'Transactions',
  address: 'Addresses',
  contract: 'Contracts',
  name: 'Names',
}

export type Group<Item> = { readonly kind: Kind; readonly items: readonly Item[] }

/** Results by kind: the kind of the best first, each in the order in which they came. */
export const groupsOf = <Item extends { kind: Kind }>(items: readonly Item[]): Group<Item>[] =>
  [...Map.groupBy(items, ({ kind }) => kind)].map(([kind, ofKind]) => ({ kind, items: ofKind }))
