import { z } from 'zod'
import { COMMENT_LIMITS } from '#queries/index.ts'
import { isoTime } from '../../schemas/common.ts'

/** Schemas of comments on saved queries. */

export const commentId = z.strictObject({ id: z.uuid(), comment: z.uuid() })
export const commentRequest = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1)
    .max(COMMENT_LIMITS.length)
    .describe('plain text; hidden characters are removed, links and markup stay text'),
})
export const queryComments = z
  .strictObject({
    comments: z
      .array(
        z.strictObject({
          id: z.uuid(),
          author: z.string().describe('name of the author when they wrote it'),
          text: z.string().describe('plain text'),
          isOwn: z.boolean(),
          mayDelete: z.boolean(),
          createdAt: isoTime,
        }),
      )
      .describe('in the order in which they were written'),
    limits: z.strictObject({
      length: z.int().describe('characters of one comment'),
      ofQuery: z.int().describe('comments on one query'),
      ofAuthor: z.int().describe('comments of one author on one query'),
    }),
  })
  .meta({ id: 'QueryComments' })
