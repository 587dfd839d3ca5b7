import { z } from 'zod'
import { Day, Origin, Slug, Words } from './facts.ts'

const GitUrl = z.url({ protocol: /^(https|file)$/, error: 'must be an https address of a git repository' })

/** A git repository of an ecosystem, and what a recording held of it. */
const Repository = z.strictObject({
  /** Owner and name, as its host has them. */
  name: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'must be owner/name'),
  url: GitUrl,
  licence: Words.optional(),
  /** Repositories whose history it was begun from: what they have is not counted here. */
  upstreams: z.array(GitUrl).default([]),
  /** A fork of another of these: a commit that both have counts there. */
  isFork: z.literal(true).optional(),
  note: Words.optional(),
  /** What the recording of August 2026 has of it. */
  recorded: z
    .strictObject({
      head: z.string().regex(/^[0-9a-f]{7,40}$/),
      commits: z.int().nonnegative(),
      /** Commits of upstreams that were left out. */
      inherited: z.int().positive().optional(),
      /** Its history is older; the recording begins here. */
      from: Day.optional(),
      /** Its history goes on; the recording ends here. */
      to: Day.optional(),
    })
    .optional(),
})

/** Money paid for contributions over a span of days: what a jump in the figures may be. */
const Programme = z
  .strictObject({
    name: Words,
    from: Day,
    /** Absent while it runs. */
    to: Day.optional(),
    note: Words,
    url: z.url(),
  })
  .refine(({ from, to }) => to === undefined || to >= from, 'must not end before it begins')

/** Whoever builds one thing together: a layer, a protocol, Bitcoin; with the repositories whose commits count for it. */
export const Ecosystem = z.strictObject({
  id: Slug.refine(id => id !== ALL_ECOSYSTEMS, 'is the name of all ecosystems together'),
  name: Words,
  repositories: z.array(Repository).min(1),
  /** How many repositories a public list has of it. */
  listed: z
    .strictObject({
      repositories: z.int().nonnegative(),
      own: z.int().nonnegative(),
      asOf: Day,
      ecosystems: z.array(Words).min(1),
    })
    .optional(),
  programmes: z.array(Programme).default([]),
  origin: Origin,
})
export type CatalogEcosystem = z.infer<typeof Ecosystem>

/** The entity of all ecosystems together, in which who works in several counts once. */
export const ALL_ECOSYSTEMS = 'ecosystems'

/** The page here about what an ecosystem builds; undefined where there is none. */
export const pageOfEcosystem = (
  id: string,
  { layers }: { readonly layers: readonly { readonly slug: string }[] },
): string | undefined => {
  if (id === 'bitcoin' || id === 'stacks') return `/${id}`
  return layers.some(({ slug }) => slug === id) ? `/bitcoin/l2s/${id}` : undefined
}

/** How commits of programs are told from those of people. */
export const BotRules = z.strictObject({
  rules: z
    .array(
      z.strictObject({
        id: Slug,
        /** `ending` of the address or name, the whole `address`, or the whole `name`, in lower case. */
        field: z.enum(['address', 'name', 'ending']),
        text: Words.refine(text => text === text.toLowerCase(), 'must be lower-case'),
        what: Words,
      }),
    )
    .min(1),
})
export type BotRule = z.infer<typeof BotRules>['rules'][number]
