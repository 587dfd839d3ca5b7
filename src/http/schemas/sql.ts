import { z } from 'zod'
import { SQL_FORMATS } from '../vocabulary.ts'
import { chainsAsOf } from './common.ts'

export const sqlRequest = z.strictObject({
  sql: z.string().min(1).describe('one reading statement in ClickHouse’s dialect, on the public tables'),
  parameters: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe(
      'values of `{name:Type}`, up to 60,000 bytes in total; a list, `{name:Array(String)}`, as JSON: `["a", "b"]`; those of a metric’s own SQL have defaults',
    ),
  queryId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,64}$/, 'must have 8 to 64 letters, digits, - and _')
    .exactOptional()
    .describe('an id of your own, to cancel by'),
  format: z.enum(SQL_FORMATS).exactOptional().describe('in place of the Accept header'),
})

export const sqlColumn = z.strictObject({
  name: z.string(),
  type: z.string().describe('the engine’s type'),
  shownAs: z
    .enum(['value', 'hex'])
    .describe('hex: bytes of a fixed length (FixedString), each cell in lower-case hex'),
})

export const sqlAnswer = z
  .strictObject({
    queryId: z.string(),
    columns: z.array(sqlColumn),
    rows: z
      .array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])))
      .describe(
        'by column type: floats are numbers; decimals are strings with all their digits; integers of 64 bits and more are numbers up to 2^53 − 1 and decimal strings beyond; a string that is not text is `\\x` and its bytes in hex; arrays and the like are JSON text of the same forms',
      ),
    rowCount: z.int(),
    isTruncated: z.boolean().describe('true when the row limit cut the answer'),
    elapsedMs: z.number(),
    readRows: z.number(),
    readBytes: z.number(),
    asOf: chainsAsOf,
  })
  .meta({ id: 'SqlAnswer' })

export const cancelled = z.strictObject({ queryId: z.string(), isCancelled: z.literal(true) })
