import { z } from 'zod'
import { amount, chainHeld, chainId, csvFormat } from './across.ts'
import { asOf, day } from './common.ts'

/** Lines that one question may hold. */
export const MOST_LINES = 1_000

const balance = z
  .strictObject({
    address: z.string(),
    chain: chainId,
    asset: z
      .string()
      .describe('`native`, or the token: 0x and its contract (EVM), `address.contract::asset` (Stacks)'),
    tokenId: z.string().nullable().describe('token id, for EVM tokens with ids'),
    symbol: z.string().nullable().describe('self-reported by the token, else from the catalog'),
    decimals: z.int().nullable().describe('decimal places; null if unknown'),
    isListed: z
      .boolean()
      .describe('the catalog lists this exact token; anyone can give a token a known name'),
    balance: amount.nullable().describe('null: cannot be derived from indexed data, `why` gives the reason'),
    change: amount.describe('its change in the indexed blocks'),
    why: z.string().nullable(),
    source: z.enum(['rows', 'node']).describe('summed over rows, or from a configured node'),
    height: z.int().describe('block height of the reported balance'),
  })
  .meta({ id: 'Balance' })

export const balances = z
  .strictObject({
    lines: z
      .array(
        z.strictObject({
          line: z.int().describe('from 1; empty lines count and are left out'),
          input: z.string(),
          address: z.string().nullable(),
          problem: z.string().nullable().describe('why the line is no address; the others are answered'),
        }),
      )
      .describe('what each line came to'),
    balances: z.array(balance),
    history: z
      .array(
        z.strictObject({
          chain: chainId,
          asset: z.string(),
          tokenId: z.string().nullable(),
          isBalance: z.boolean().describe('false: sums of changes in the indexed blocks'),
          points: z
            .array(z.strictObject({ day, value: amount }))
            .describe('days with a change, oldest first'),
        }),
      )
      .describe('of a single address; empty for many'),
    held: z.array(chainHeld),
    unanswered: z.array(z.string()).describe('nodes that could not be reached'),
    asOf,
  })
  .meta({ id: 'Balances', description: 'Balances of addresses on all chains, as far as available.' })

export const anyAddress = z.string().min(1).max(300).describe('an address of any chain covered')
export const balancesQuery = z.strictObject({ format: csvFormat })
export const balancesRequest = z.strictObject({
  lines: z
    .array(z.string().max(4_000))
    .min(1)
    .max(MOST_LINES)
    .describe('one address per line, or CSV with the address in the first field'),
})
