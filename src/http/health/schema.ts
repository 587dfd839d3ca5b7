import { z } from 'zod'
import { isoTime } from '../schemas/common.ts'

export const health = z.strictObject({ isHealthy: z.boolean(), detail: z.string(), version: z.string() })

export const readiness = z
  .strictObject({
    isReady: z.boolean(),
    parts: z.array(
      z.strictObject({
        name: z.enum(['engine', 'store', 'data']),
        isReady: z.boolean(),
        detail: z.string().describe('why it is not ready'),
        checkedAt: isoTime.nullable(),
      }),
    ),
    version: z.string(),
  })
  .meta({ id: 'Readiness', description: 'What the server needs, part by part, as of the last check.' })
