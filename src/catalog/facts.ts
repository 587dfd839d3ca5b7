import { z } from 'zod'

/** Words that the files of the catalogue share. */
export const Day = z.iso.date()
export const Slug = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words joined by hyphens')
export const Words = z.string().trim().min(1)

/** Where a fact was read: a file of a public repository at a commit, or a page on a day. */
export const Origin = z.strictObject({
  repo: Words.exactOptional(),
  path: Words.exactOptional(),
  commit: Words.exactOptional(),
  url: z.url().exactOptional(),
  date: Day.exactOptional(),
  licence: Words.exactOptional(),
  note: Words.exactOptional(),
  /** Nobody has checked it against a source: pages say so. */
  isFromMemory: z.literal(true).exactOptional(),
})
export type CatalogOrigin = z.infer<typeof Origin>

/** What went wrong on a day, with whoever tells of it. */
export const Incident = z.strictObject({
  day: Day,
  what: Words,
  lossUsd: z.number().nonnegative().optional(),
  url: z.url(),
})
