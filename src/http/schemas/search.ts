import { z } from 'zod'
import { LONGEST_ASKED, SEARCH_KINDS } from '#search/index.ts'

/** Most results of one answer. */
const MOST = 100
const USUAL = 20

export const searchQuery = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1)
    .max(LONGEST_ASKED)
    .describe('words, the beginning of words, a height, hash, txid, address, contract or name'),
  limit: z.coerce.number().int().min(1).max(MOST).default(USUAL).describe('how many results at most'),
})

const place = { label: z.string(), path: z.string().describe('where it opens on this site') }

export const searchResult = z
  .strictObject({
    kind: z.enum(SEARCH_KINDS),
    ...place,
    detail: z.string().describe('one line that distinguishes it from similar names'),
    marks: z
      .array(
        z.strictObject({
          from: z.int().nonnegative(),
          to: z.int().nonnegative().describe('the unit after the last'),
        }),
      )
      .describe('parts of the label that match the query, in UTF-16 units'),
  })
  .meta({ id: 'SearchResult' })

export const searchAnswer = z
  .strictObject({
    asked: z.string(),
    items: z.array(searchResult).describe('the best first'),
    total: z.int().describe('how many there are; `items` may be fewer'),
    opens: z
      .string()
      .nullable()
      .describe('page of the single match for an id; null for text queries, or if several match the id'),
    nearest: z.array(z.strictObject(place)).describe('closest names; only if there are no items'),
  })
  .meta({ id: 'SearchAnswer', description: 'Search results for a name or an id.' })
