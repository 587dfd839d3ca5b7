import { z } from 'zod'
import { isoTime, problemKind, sourceRef } from './common.ts'

export const status = z
  .strictObject({
    version: z.string(),
    chains: z.array(
      z.strictObject({
        chain: z.string(),
        network: z.string(),
        coverage: z
          .array(z.strictObject({ from: z.int(), to: z.int(), origin: z.string(), isIsland: z.boolean() }))
          .describe('heights held, as inclusive ranges'),
        tip: z.strictObject({ height: z.int(), hash: z.string(), time: isoTime }).nullable(),
        lastCommit: isoTime.nullable(),
        isFollowing: z.boolean(),
        halted: z.string().nullable().describe('why following stopped, if it did'),
        refused: z.int().describe('blocks refused so far'),
      }),
    ),
    sources: z.array(sourceRef),
  })
  .meta({ id: 'Status', description: 'What is held, from where, how far.' })

export const health = z.strictObject({ isHealthy: z.boolean(), detail: z.string(), version: z.string() })
export const meta = z.strictObject({ version: z.string() })
export const problems = z.strictObject({ problems: z.array(problemKind) })
