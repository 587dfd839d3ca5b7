import { SQLDialect } from '@codemirror/lang-sql'
import type { Extension } from '@codemirror/state'
import type { QueryDialect } from '#http/contract.ts'
import type { Catalog } from '../catalog.ts'

/** Words that are keywords until the engine’s own have come. */
const FIRST_KEYWORDS =
  'select from where group by order limit offset join left right inner full cross on using as with union all distinct and or not in is null between like ilike case when then else end having asc desc array final prewhere settings interval over partition'

type Words = { readonly dialect?: QueryDialect | undefined; readonly catalog?: Catalog }

/** Highlighting of the engine’s own keywords and functions. A keyword that is also the name of a column is shown as a name. */
export function dialectOf({ dialect, catalog }: Words): Extension {
  const columns = new Set(catalog?.tables.flatMap(table => table.columns.map(({ name }) => name)))
  const words = dialect?.keywords
    .flatMap(each => each.toLowerCase().split(/\s+/))
    .filter(each => /^\w{2,}$/.test(each) && !columns.has(each))
  return SQLDialect.define({
    keywords: words === undefined ? FIRST_KEYWORDS : [...new Set(words)].join(' '),
    builtin: dialect?.functions.map(({ name }) => name.toLowerCase()).join(' ') ?? '',
    types:
      'bool string date date32 datetime datetime64 uuid int8 int16 int32 int64 int128 int256 uint8 uint16 uint32 uint64 uint128 uint256 float32 float64 decimal fixedstring nullable lowcardinality tuple map enum8 enum16 ipv4 ipv6',
    backslashEscapes: true,
    doubleQuotedStrings: false,
    identifierQuotes: '`"',
    hashComments: true,
    spaceAfterDashes: false,
    operatorChars: '*+-%<>!=&|~^/?:',
  }).extension
}
