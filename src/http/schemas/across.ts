import { z } from 'zod'
import { SPANS } from '#explorer/across/hours.ts'
import { asOf, day, isoTime } from './common.ts'

export const chainId = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/)
  .describe('the chain, as its file in the catalog is named')
/** One that has contracts. */
export const contractChain = z
  .string()
  .regex(/^(?!bitcoin$)[a-z][a-z0-9-]{0,39}$/)
  .describe('the chain, as its file in the catalog is named: Stacks or an EVM layer')
export const csvFormat = z
  .enum(['json', 'csv'])
  .exactOptional()
  .describe('csv: the items as a file, one a line')
const contract = z
  .string()
  .describe('as it is shown: 0x and hexadecimal on EVM layers, `address.name` on Stacks')
export const amount = z
  .string()
  .regex(/^-?\d+$/)
  .describe('smallest units of the coin or token, as a decimal string')

export const known = z
  .strictObject({
    name: z.string(),
    role: z.string(),
    protocol: z.string().nullable().describe('slug of the application that it belongs to'),
  })
  .nullable()
  .describe('catalog entry; null if not in the catalog')

export const chainHeld = z
  .strictObject({
    chain: chainId,
    height: z.int().describe('latest indexed block'),
    time: isoTime,
    sinceHeight: z.int().describe('first block of the run without a gap that ends there'),
    since: isoTime,
    isSinceGenesis: z.boolean().describe('every block from the first one on is indexed'),
    indexedHours: z
      .int()
      .nullable()
      .describe(
        'whole hours from `since` to `time`; null where every block is indexed. A count over more hours is of these alone, so at least that many',
      ),
  })
  .meta({ id: 'ChainHeld', description: 'Indexed range of a chain, up to its latest block without a gap.' })

export const spanHeld = chainHeld
  .extend({
    from: isoTime.describe('first hour of the span, which ends with the hour of the latest block'),
    isWhole: z.boolean().describe('the whole span is indexed'),
    isComparable: z
      .boolean()
      .describe('its full hours and as many before them are indexed, so growth is available'),
  })
  .meta({ id: 'SpanHeld' })

const span = z.enum(SPANS)
const growth = z
  .number()
  .nullable()
  .describe(
    'calls in the completed hours of the span ÷ calls in as many hours before − 1; null if either is not fully indexed, or if there were none before',
  )
const trend = z
  .array(z.number().nullable())
  .describe(
    'calls, oldest first: 24 hours for the spans 1h and 24h, 28 times six hours for 7d; null where hours of a point are not indexed',
  )
const NOT_ZERO = 'null where it is 0 and blocks of the span are missing'
const count = z.int().nullable().describe(NOT_ZERO)

export const hotContracts = z
  .strictObject({
    span,
    items: z.array(
      z.strictObject({
        chain: contractChain,
        contract,
        known,
        callCount: count,
        failedCallCount: count,
        callerCount: count.describe(`distinct signers; ${NOT_ZERO}`),
        fee: amount
          .nullable()
          .describe(`fees of these calls, smallest unit of the chain’s coin; ${NOT_ZERO}`),
        nestedCount: count.describe(
          `calls of other contracts in which it wrote an event, moved a token of its own or sent something; ${NOT_ZERO}`,
        ),
        growth,
        trend,
        firstSeen: isoTime.nullable().describe('creation time; null if that block is not indexed'),
      }),
    ),
    contractCount: count,
    callCount: count,
    held: z.array(spanHeld),
    asOf,
  })
  .meta({ id: 'HotContracts', description: 'Contracts by calls in the latest hours of their chains.' })

export const popularCalls = z
  .strictObject({
    span,
    items: z.array(
      z.strictObject({
        chain: contractChain,
        contract,
        known,
        functionName: z.string().describe('on EVM layers by the selector; the selector where it has no name'),
        selector: z.string().describe('empty on Stacks'),
        callCount: z.int(),
        failedCallCount: count,
        callerCount: z.int().describe('distinct signers'),
        share: z
          .number()
          .nullable()
          .describe('of all calls on its chain in the span; null where blocks of the span are missing'),
        growth,
        trend,
      }),
    ),
    nested: z
      .array(
        z.strictObject({
          chain: contractChain,
          contract,
          known,
          nestedCount: z.int().describe('calls of other contracts in which it took part'),
          callCount: count.describe(`calls of itself; ${NOT_ZERO}`),
          namedByCount: z
            .int()
            .nullable()
            .describe(
              'contracts indexed on Stacks whose source calls it by name; null on EVM layers, and where it is 0 and blocks are missing',
            ),
        }),
      )
      .describe('contracts that work inside calls of others'),
    functionCount: count,
    callCount: count,
    held: z.array(spanHeld),
    asOf,
  })
  .meta({ id: 'PopularCalls', description: 'Functions of contracts by calls in the latest hours.' })

export const deployed = z
  .strictObject({
    items: z.array(
      z.strictObject({
        chain: contractChain,
        contract,
        known,
        deployer: z.string(),
        height: z.int(),
        time: isoTime,
        txHash: z.string(),
        version: z.string().nullable().describe('of Clarity; null on EVM layers and if not reported'),
        kind: z.string().describe('by a transaction, or by another contract (create, create2)'),
        copies: z
          .int()
          .nullable()
          .describe(
            'indexed contracts with the same code on the chain, including itself; null if its code is unknown',
          ),
        functionCount: z.int().nullable().describe('public functions; null if not reported'),
      }),
    ),
    next: z.string().nullable(),
    asOf,
  })
  .meta({ id: 'DeployedContracts', description: 'Contracts of all chains, newest first.' })

export const deployedSummary = z
  .strictObject({
    days: z.array(
      z.strictObject({
        day,
        chain: contractChain,
        version: z.string().describe('of Clarity; empty on EVM layers'),
        contractCount: z.int(),
      }),
    ),
    deployers: z.array(
      z.strictObject({
        chain: contractChain,
        deployer: z.string(),
        contractCount: z.int(),
        newest: isoTime,
      }),
    ),
    contractCount: z.int().describe('all indexed'),
    held: z.array(chainHeld),
    asOf,
  })
  .meta({ id: 'DeployedSummary' })

export const families = z
  .strictObject({
    families: z.array(
      z.strictObject({
        head: contract,
        headTime: isoTime,
        contractCount: z.int(),
        deployerCount: z.int(),
        leastLikeness: z.number().describe('least likeness of a member to the head'),
        members: z
          .array(z.strictObject({ contract, likeness: z.number() }))
          .describe('the oldest twenty, the head first'),
      }),
    ),
    comparedCount: z.int().describe('latest contracts with a source that were compared'),
    threshold: z.number(),
    asOf,
  })
  .meta({ id: 'ContractFamilies', description: 'Similar contracts on Stacks.' })

export const spanQuery = z.strictObject({
  span: span.exactOptional().describe('default: 24h'),
  chain: contractChain.exactOptional().describe('one chain; default: all'),
  format: csvFormat,
})
export const chainQuery = z.strictObject({ chain: contractChain.exactOptional() })
export const deployedQuery = z.strictObject({
  chain: contractChain.exactOptional(),
  deployer: z
    .string()
    .regex(/^(?:S[0-9A-Z]{20,50}(?:\.[a-zA-Z][\w-]{0,127})?|0x[0-9a-fA-F]{40})$/, 'must be an address')
    .exactOptional(),
  version: z
    .string()
    .regex(/^(?:\d|unknown)$/, 'must be a version of Clarity, or unknown')
    .exactOptional(),
  before: z.string().max(200).exactOptional().describe('`next` of the page before'),
  limit: z.coerce.number().int().min(1).max(200).exactOptional(),
  format: csvFormat,
})
