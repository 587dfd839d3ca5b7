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
    tokenId: z.string().nullable().describe('which one, of EVM tokens that are told apart'),
    symbol: z.string().nullable().describe('as the token says of itself, else as the catalogue has it'),
    decimals: z.int().nullable().describe('digits behind the point; null where nobody says'),
    isListed: z
      .boolean()
      .describe('the catalogue lists this very token: anybody may call one by a known name'),
    balance: amount.nullable().describe('null: it does not follow from what is held, and `why` says why'),
    change: amount.describe('what the blocks held did to it'),
    why: z.string().nullable(),
    source: z.enum(['rows', 'node']).describe('summed over rows, or told by a node of the configuration'),
    height: z.int().describe('block as of which it is told'),
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
          isBalance: z.boolean().describe('false: sums of what the blocks held did'),
          points: z
            .array(z.strictObject({ day, value: amount }))
            .describe('days with a change, oldest first'),
        }),
      )
      .describe('of a single address; empty for many'),
    held: z.array(chainHeld),
    unanswered: z.array(z.string()).describe('nodes that were to be asked and did not answer'),
    asOf,
  })
  .meta({ id: 'Balances', description: 'What addresses of all chains have, as far as it is known.' })

export const anyAddress = z.string().min(1).max(300).describe('an address of any chain covered')
export const balancesQuery = z.strictObject({ format: csvFormat })
export const balancesRequest = z.strictObject({
  lines: z
    .array(z.string().max(4_000))
    .min(1)
    .max(MOST_LINES)
    .describe('an address each, or lines of CSV whose first field is one'),
})
