import { z } from 'zod'
import { isoTime, problemKind, sourceRef } from './common.ts'

/** How publishers are asked, request by request. */
export const schedule = z
  .strictObject({
    state: z
      .enum(['led', 'unled', 'off', 'unknown'])
      .describe(
        'led: a process polls what is due; unled: no process does; off: polling is disabled; unknown: the store is unreachable',
      ),
    sentence: z.string(),
    requests: z.array(
      z.strictObject({
        source: z.string().describe('id, as in `sources`'),
        name: z.string(),
        about: z.string().describe('subject of the request'),
        cadenceSeconds: z.int(),
        state: z
          .enum(['answers', 'refused', 'failed', 'new', 'not_asked'])
          .describe('by the last run; refused: invalid response; failed: no response; new: not polled yet'),
        needs: z.string().describe('setting that enables polling; empty if enabled'),
        nextRun: isoTime.nullable(),
        lastAttempt: isoTime.nullable(),
        lastSuccess: isoTime.nullable(),
        reason: z
          .string()
          .nullable()
          .describe('why the last run failed, or why a fallback address responded'),
        failures: z.int().describe('runs without success in a row'),
        refusals: z.int().describe('stored refused responses'),
        refusedValues: z.int().describe('values refused of the last answer that was otherwise used'),
        refusedNamed: z.array(z.string()).describe('why, of the first of these values'),
        runs: z.int().describe('runs of the last 24 hours'),
        failedRuns: z.int().describe('of these, without success'),
      }),
    ),
  })
  .meta({ id: 'Schedule', description: 'How sources are polled.' })

export const status = z
  .strictObject({
    version: z.string(),
    chains: z.array(
      z.strictObject({
        chain: z.string(),
        network: z.string(),
        coverage: z
          .array(z.strictObject({ from: z.int(), to: z.int(), origin: z.string(), isIsland: z.boolean() }))
          .describe('indexed heights, as inclusive ranges'),
        tip: z.strictObject({ height: z.int(), hash: z.string(), time: isoTime }).nullable(),
        lastCommit: isoTime.nullable(),
        isConfigured: z.boolean().describe('whether this installation is meant to follow it'),
        configure: z.string().describe('what to set to follow it, or to follow it better'),
        isFollowing: z.boolean(),
        halted: z
          .string()
          .nullable()
          .describe('why nothing new comes in, where following was meant to go on'),
        isWaiting: z.boolean().describe('true where it goes on by itself once its sources answer'),
        sourceTip: z.int().nullable().describe('latest block reported by its sources'),
        lagBlocks: z.int().nullable().describe('blocks that are missing up to there'),
        lagSeconds: z
          .int()
          .nullable()
          .describe(
            'seconds from the latest indexed block to the last response of its sources; 0 without a lag in blocks',
          ),
        askedAt: isoTime.nullable().describe('last poll of its sources'),
        answeredAt: isoTime.nullable().describe('when they answered last'),
        endpoints: z.array(
          z.strictObject({
            name: z.string(),
            state: z.string().describe('unknown, healthy, failing, or aside (of another chain)'),
            answers: z.int(),
            failures: z.int(),
            lies: z.int().describe('responses that contradicted themselves or were malformed'),
            rateLimits: z.int(),
            latencyMs: z.int().nullable(),
            lastFault: z.string(),
            seenAt: isoTime,
          }),
        ),
        strange: z
          .array(
            z.strictObject({
              what: z.string().describe('transaction, event, field of a message, or whole message'),
              name: z.string(),
              count: z.int(),
              newestHeight: z.int().nullable(),
              newestTime: isoTime.nullable(),
            }),
          )
          .describe('undecoded items, stored raw, most frequent first'),
        refused: z.int().describe('blocks refused so far'),
      }),
    ),
    sources: z.array(sourceRef),
    schedule,
  })
  .meta({ id: 'Status', description: 'Indexed ranges, sources and sync progress.' })

export const meta = z.strictObject({ version: z.string() })
export const problems = z.strictObject({ problems: z.array(problemKind) })
