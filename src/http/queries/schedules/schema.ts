import { z } from 'zod'
import { OPEN_TYPES } from '#kernel/sqlParameters.ts'
import { isoTime, problem } from '../../schemas/common.ts'
import { savedQueryChange } from '../schema.ts'

/** Schemas of scheduled runs of saved queries. */

export const scheduleRequest = z.strictObject({
  cron: z
    .string()
    .max(200)
    .describe('five fields in UTC with one minute, such as `0 * * * *`, `30 6 * * *` or `0 6 * * MON`'),
  parameters: savedQueryChange.shape.parameters.describe('values of the scheduled runs'),
  types: z
    .record(z.string(), z.enum(OPEN_TYPES))
    .default({})
    .describe('of parameters that the query writes as `{{name}}`'),
  isPaused: z.boolean().default(false),
})
export const querySchedule = z
  .strictObject({
    schedule: z
      .strictObject({
        cron: z.string(),
        parameters: z.record(z.string(), z.string()),
        types: z.record(z.string(), z.enum(OPEN_TYPES)),
        isPaused: z.boolean(),
        failures: z.int().describe('failed runs in a row'),
        next: z.array(isoTime).describe('the next runs; empty while it is paused'),
      })
      .nullable()
      .describe('null if the query is not scheduled'),
    latest: z
      .strictObject({
        endedAt: isoTime,
        result: z.string().nullable().describe('hash of the latest result; the latest that succeeded'),
        resultAt: isoTime.nullable().describe('when the run of that result ended'),
        problem: problem.nullable().describe('why the latest run failed, for the owner of the query'),
      })
      .nullable(),
    limits: z.strictObject({
      schedules: z.int().describe('schedules of one user with Premium'),
      failures: z.int().describe('failed runs in a row after which a schedule pauses'),
    }),
  })
  .meta({ id: 'QuerySchedule' })
