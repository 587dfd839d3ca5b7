import { z } from 'zod'
import { asOf, hex64, indexedHours, isoTime } from './common.ts'

const UNKNOWN =
  'null if none is indexed and blocks of that time are missing; above 0 from the indexed blocks only (`indexedHours`)'
const ustx = z
  .string()
  .regex(/^-?\d+$/)
  .describe('micro-STX as a decimal string')
const maybe = (words: string) => z.number().nullable().describe(`${words}; null if not reported`)

const flag = z.strictObject({
  id: z.string(),
  label: z.string(),
  means: z.string(),
  grade: z.enum(['note', 'caution', 'severe']),
  functions: z.array(z.string()).describe('public functions to which it applies'),
  from: z.enum(['source', 'interface', 'claims']).describe('where it was read'),
})

export const coin = z
  .strictObject({
    contract: z.string(),
    asset: z.string(),
    symbol: z.string(),
    name: z.string(),
    decimals: z.int().nullable(),
    listed: z.string().nullable().describe('its kind in the catalog; null for a stranger'),
    custody: z.string().nullable().describe('custodian of its backing, from the catalog; null if not listed'),
    holders: maybe(
      'holders, excluding contracts and burned supply; only for tokens with every block since deployment indexed',
    ),
    top10Share: maybe('share of what holders have that the ten largest have'),
    gini: maybe('inequality of balances: 0 all equal, 1 one holder has everything'),
    contracts: maybe('contracts that have some'),
    supply: z.string().nullable().describe('base units: the sum of balances, else from its contract'),
    madeAt: isoTime.nullable().describe('deployment time of its contract; null if that block is not indexed'),
    moves: z.int().nullable().describe(`transfers of 30 days; ${UNKNOWN}`),
    trades: z.int().nullable().describe(`swaps of 7 days; ${UNKNOWN}`),
    buyers: z.int().nullable(),
    sellers: z.int().nullable(),
    volumeUstx: ustx.nullable().describe(`swapped against STX in 7 days; ${UNKNOWN}`),
    volumeBeforeUstx: ustx
      .nullable()
      .describe('the same of the 7 days before; null where blocks of the latest 14 days are missing'),
    netBoughtUstx: ustx
      .nullable()
      .describe('bought with STX less sold for STX, 7 days; null where blocks of them are missing'),
    priceUstx: maybe('micro-STX a coin, of the newest swap against STX'),
    change1h: maybe(
      'change of that price since the last swap before an hour ago, as the latest block has it',
    ),
    change24h: maybe('the same since a day ago'),
    change7d: maybe('the same since 7 days ago'),
    mcapUstx: maybe('micro-STX: supply at that price'),
    liquidityUstx: ustx.nullable().describe('twice the STX in its pools'),
    flags: z.array(flag).nullable().describe('null if neither source nor interface is available'),
    spam: z.string().nullable().describe('why it is left out; null where it is not'),
    usedBy: z.array(z.strictObject({ contract: z.string(), words: z.string() })),
  })
  .meta({ id: 'StacksCoin' })

export const coinsPage = z
  .strictObject({
    coins: z.array(coin),
    leftOut: z.array(coin).describe('spam by the stated rule'),
    indexedHours,
    trades: z.array(
      z.strictObject({
        txid: hex64,
        time: isoTime,
        protocol: z.string(),
        trader: z.string(),
        traderName: z.string().nullable(),
        given: z.string(),
        got: z.string(),
      }),
    ),
    mints: z.array(
      z.strictObject({
        txid: hex64,
        time: isoTime,
        action: z.string().describe('mint or burn'),
        who: z.string(),
        whoName: z.string().nullable(),
        words: z.string(),
      }),
    ),
    made: z.array(
      z.strictObject({
        contract: z.string(),
        deployer: z.string(),
        deployerName: z.string().nullable(),
        height: z.int(),
        txid: hex64,
        time: isoTime,
      }),
    ),
    asOf,
  })
  .meta({ id: 'StacksCoins' })
