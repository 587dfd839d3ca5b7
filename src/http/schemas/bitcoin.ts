import { z } from 'zod'
import { asOf, counterpart, hex64, isoTime, pageOf, sat, sourceRef } from './common.ts'

export const blockSummary = z
  .strictObject({
    height: z.int(),
    hash: hex64,
    time: isoTime.describe('header time'),
    txCount: z.int().describe('transactions, coinbase in'),
    sizeBytes: z.int().nullable(),
    weightWu: z.int().nullable(),
    feeSat: sat.nullable().describe('null while a prevout is unknown'),
    subsidySat: sat,
    medianFeerate: z.number().nullable().describe('sat/vB'),
    pool: z.string().describe('empty where no rule matched'),
    poolRule: z.string(),
    inscriptionCount: z.int().nullable(),
    runestoneCount: z.int().nullable(),
    protocols: z
      .array(z.strictObject({ protocol: z.string(), txCount: z.int() }))
      .describe('transactions by protocol; one may carry several'),
    origin: z.enum(['rows', 'statistics']).describe('statistics: only node statistics are available'),
    isIsland: z.boolean().describe('an indexed block without its neighbors'),
  })
  .meta({ id: 'Block' })

export const blockPage = pageOf(blockSummary).extend({
  gaps: z
    .array(z.strictObject({ from: z.int(), to: z.int() }))
    .describe('heights between the first and the last item, or right below it, that are not indexed'),
})

export const layerOp = z
  .strictObject({
    txid: hex64,
    vout: z.int(),
    op: z.string().describe('`<layer>.<operation>`'),
    valueSat: sat,
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    rule: z.string().describe('the rule that recognized it'),
  })
  .meta({ id: 'LayerOperation' })

export const blockDetail = blockSummary
  .extend({
    prevHash: hex64.nullable(),
    nextHash: hex64.nullable(),
    merkleRoot: hex64.nullable(),
    version: z.int().nullable(),
    bits: z.string().nullable(),
    nonce: z.int().nullable(),
    difficulty: z.number().nullable(),
    medianTime: isoTime.nullable().describe('median time past (BIP-113)'),
    strippedSizeBytes: z.int().nullable(),
    inputCount: z.int(),
    outputCount: z.int(),
    outputSat: sat,
    coinbaseSat: sat.nullable().describe('what the miner claimed'),
    coinbaseText: z.string().nullable(),
    outputsByType: z.array(z.strictObject({ type: z.string(), count: z.int(), valueSat: sat })),
    feerates: z
      .strictObject({
        p10: z.number(),
        p25: z.number(),
        p50: z.number(),
        p75: z.number(),
        p90: z.number(),
      })
      .nullable()
      .describe('sat/vB, by virtual size'),
    operations: z.array(layerOp),
    source: sourceRef,
    asOf,
  })
  .meta({ id: 'BlockDetail' })

export const txSummary = z
  .strictObject({
    txid: hex64,
    txIndex: z.int(),
    isCoinbase: z.boolean(),
    inputCount: z.int(),
    outputCount: z.int(),
    outputSat: sat,
    feeSat: sat.nullable(),
    vsizeVb: z.int(),
    feerateSatPerVb: z.number().nullable(),
    protocols: z.array(z.string()),
  })
  .meta({ id: 'Transaction' })

export const txPage = pageOf(txSummary)

export const txInput = z.strictObject({
  vin: z.int(),
  prevTxid: hex64.nullable().describe('null for a coinbase'),
  prevVout: z.int().nullable(),
  address: z.string().nullable(),
  scriptType: z.string().nullable(),
  valueSat: sat.nullable(),
  prevHeight: z.int().nullable(),
  sequence: z.int(),
  scriptSig: z.string().describe('hex'),
  witnessBytes: z.int(),
})

export const txOutput = z.strictObject({
  vout: z.int(),
  address: z.string().nullable(),
  scriptType: z.string(),
  script: z.string().describe('hex'),
  valueSat: sat,
  opReturnText: z.string().nullable().describe('what an OP_RETURN carries, where that is text'),
  spentBy: z
    .strictObject({ txid: hex64, vin: z.int(), height: z.int() })
    .nullable()
    .describe('null if no spending input is indexed'),
})

export const txDetail = txSummary
  .extend({
    height: z.int(),
    blockHash: hex64,
    time: isoTime,
    wtxid: hex64,
    version: z.int().describe('unsigned, 32 bits'),
    lockTime: z.int(),
    sizeBytes: z.int(),
    weightWu: z.int(),
    hasWitness: z.boolean(),
    signalsRbf: z.boolean(),
    inputs: z.array(txInput),
    outputs: z.array(txOutput),
    inscriptions: z.array(
      z.strictObject({
        vin: z.int(),
        envelope: z.int(),
        contentType: z.string(),
        bodyBytes: z.int(),
        isBrc20: z.boolean(),
        text: z.string().nullable().describe('the first 256 bytes, where they are text'),
      }),
    ),
    operations: z.array(layerOp),
    counterparts: z.array(counterpart).describe('its role on layers, as far as their blocks are indexed'),
    asOf,
  })
  .meta({ id: 'TransactionDetail' })

export const blockId = z
  .string()
  .regex(/^(?:\d{1,9}|[0-9a-fA-F]{64})$/, 'must be a height or a hash of 64 hex digits')
  .describe('height or hash')
export const txid = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'must have 64 hex digits')
  .describe('transaction id, display order')

/** A whole number in an address. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine(value => value >= min && value <= max, `must lie between ${min} and ${max}`)
    .meta({ type: 'integer' })

export const blocksQuery = z.strictObject({
  before: wholeNumber(0, 999_999_999).exactOptional().describe('only blocks below this height'),
  limit: wholeNumber(1, 100).exactOptional().describe('at most 100; 20 if left out'),
  origin: z
    .enum(['rows', 'statistics'])
    .exactOptional()
    .describe('only blocks available in this form: decoded, or node statistics'),
})
export const blockTxsQuery = z.strictObject({
  after: wholeNumber(0, 999_999_999).exactOptional().describe('only transactions after this position'),
  limit: wholeNumber(1, 200).exactOptional().describe('at most 200; 50 if left out'),
})
