import { z } from 'zod'
import { COUNTERPART_ROLES } from '#explorer/counterparts.ts'
import { isDay } from '#kernel/days.ts'

/** The days that the engine's type Date can hold. */
const FIRST_DAY = '1970-01-01'
const LAST_DAY = '2149-06-06'

/** Building blocks of answers. Descriptions end up in the API document. */
export const isoTime = z.string().describe('ISO-8601 time in UTC')
export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be a day as YYYY-MM-DD', abort: true })
  .refine(isDay, { error: 'is not a day of the calendar', abort: true })
  .refine(text => text >= FIRST_DAY && text <= LAST_DAY, `must lie between ${FIRST_DAY} and ${LAST_DAY}`)
  .describe('UTC day as YYYY-MM-DD')
export const hex64 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('32 bytes as lower-case hex, display order')
export const sat = z
  .string()
  .regex(/^-?\d+$/)
  .describe('satoshis as a decimal string')
export const figureValue = z
  .union([z.number(), z.string(), z.null()])
  .describe('a number, a decimal string beyond 2^53 − 1, or null if unknown')

/** How fresh a thing is, against the cadence of its publisher. */
const AGE_STATES = ['live', 'recorded', 'stale', 'overdue'] as const

export const asOf = z
  .strictObject({
    time: isoTime.describe('time of the latest base row or observation behind the answer'),
    height: z.int().nullable().describe('tip height behind it, where it rests on blocks'),
    state: z
      .enum(AGE_STATES)
      .describe(
        'live: polled from its source, recorded: a snapshot, stale: older than twice its cadence, overdue: older than four times',
      ),
  })
  .meta({ id: 'AsOf', description: 'How old and how complete a figure is.' })

export const chainAsOf = asOf
  .extend({ chain: z.string().describe('`bitcoin`, `stacks` or the id of an EVM layer') })
  .meta({ id: 'ChainAsOf', description: 'The newest indexed block of a chain whose tables a query reads.' })
export const chainsAsOf = z
  .array(chainAsOf)
  .describe('newest indexed block of each chain whose tables the query reads; empty if it reads none')

export const sourceRef = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    licence: z.string(),
    lastSuccess: isoTime.nullable().describe('null for a source never reached'),
    cadenceSeconds: z.number().nullable().describe('seconds between publications; null for a recording'),
    state: z.enum([...AGE_STATES, 'never']).describe('by the age of the last success; never: no success yet'),
    about: z.string(),
  })
  .meta({ id: 'Source', description: 'Where a figure comes from.' })

export const problem = z
  .strictObject({
    type: z.string().describe('address of the page about this kind of problem'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('what was wrong and where'),
    code: z.string().describe('area.reason: stable, for programs'),
    instance: z.string().exactOptional().describe('id of the request'),
    errors: z
      .array(z.strictObject({ parameter: z.string(), message: z.string() }))
      .exactOptional()
      .describe('the parameters at fault'),
    line: z.int().exactOptional().describe('SQL errors: line, from 1'),
    column: z.int().exactOptional().describe('SQL errors: character of the line, from 1'),
    hint: z.string().exactOptional().describe('what to do'),
    nearest: z
      .array(z.string())
      .exactOptional()
      .describe('existing names closest to an unknown one, best first'),
    query: z
      .strictObject({
        sql: z.string(),
        parameters: z.record(z.string(), z.string()),
        dataVersion: z.string(),
      })
      .exactOptional()
      .describe('the query of a result that is no longer stored, to run it again'),
  })
  .meta({ id: 'Problem', description: 'An error as application/problem+json (RFC 9457).' })

export const problemKind = z
  .strictObject({
    code: z.string().describe('area.reason, as in the problem itself'),
    status: z.int(),
    title: z.string(),
    meaning: z.string().describe('what happened'),
    remedy: z.string().describe('what to do'),
  })
  .meta({ id: 'ProblemKind', description: 'A kind of problem, as its page `/errors/{code}` explains it.' })

/** A page of a list: `next` is the cursor of the page after it, null at the end. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), next: z.string().nullable(), asOf })

/** Where a transaction or a block of one chain is met again on another. */
export const counterpart = z
  .strictObject({
    role: z.enum(COUNTERPART_ROLES),
    chain: z.enum(['bitcoin', 'stacks', 'rootstock']),
    kind: z.enum(['block', 'tx']),
    id: z
      .string()
      .nullable()
      .describe('height of a block, txid of a transaction; null if there is no counterpart'),
  })
  .meta({ id: 'Counterpart' })

/** How far back the indexed blocks of a chain reach without a gap. */
export const indexedHours = z
  .int()
  .nullable()
  .describe('whole hours up to the latest block that are indexed without a gap; null if every block is')

/** What a count of 0 says where blocks are missing, for descriptions. */
export const UNKNOWN_COUNT =
  'null if it is 0 and blocks, or outcomes of transactions, are missing; above 0 from the indexed blocks only (`indexedHours`)'
