import { type Reader, readRows } from '../readRows.ts'
import type { LayerWords } from './facts.ts'

export type TokenFacts = {
  address: string
  /** As the contract says of itself, else as the catalogue has it; null where neither does. */
  symbol: string | null
  name: string | null
  /** Digits of its amounts behind the point; null where nobody says. */
  decimals: number | null
  /** The catalogue lists this very contract under its symbol: anyone may call a token by a known name. */
  isListed: boolean
}

type Row = { token: string; name: string | null; symbol: string | null; decimals: number | null }

/** What tokens are called, by the hexadecimal digits of their contracts as given. */
export async function readTokens(
  reader: Reader,
  words: LayerWords,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, TokenFacts>> {
  const asked = [...new Set(tokens)]
  if (asked.length === 0) return new Map()
  const rows = await readRows<Row>(
    reader,
    `SELECT hex(e.token) AS token, e.name AS name, e.symbol AS symbol, e.decimals AS decimals
FROM evm_tokens AS e
WHERE e.chain = {layer:String} AND e.token IN (SELECT toFixedString(unhex(arrayJoin({tokens:Array(String)})), 20))`,
    { layer: words.layer, tokens: asked },
  )
  const known = new Map(rows.map(row => [row.token, row]))
  return new Map(
    asked.map(hex => {
      const said = known.get(hex)
      const listed = words.tokenOf(hex)
      return [
        hex,
        {
          address: words.address(hex),
          symbol: said?.symbol ?? listed?.symbol ?? null,
          name: said?.name ?? null,
          decimals: said?.decimals ?? listed?.decimals ?? null,
          isListed: listed !== null,
        },
      ]
    }),
  )
}
