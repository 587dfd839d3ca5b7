import { z } from 'zod'
import { Day, Incident, Origin, Slug, Words } from './facts.ts'

export const LAYER_STATUSES = ['mainnet', 'beta', 'testnet', 'announced', 'ended'] as const
/** What sort of thing a layer is, for lists and the map: `kind` says it more closely. */
export const LAYER_FAMILIES = [
  'sidechain',
  'rollup',
  'off-chain',
  'ecash',
  'client-side',
  'staking',
  'other-chain',
  'other',
] as const
/** Facts of a layer that may be from memory, not checked against a source. */
export const MEMORY_FIELDS = ['kind', 'status', 'btcAsset', 'bridge', 'sentence'] as const
/** The four questions of trust, as the metrics `risk.…` name them. */
export const TRUST_CATEGORIES = ['custody', 'data', 'operators', 'finality'] as const
/** Grades as Bitcoin Layers publishes them, from little to much that a holder must trust. */
export const GRADES = ['Low', 'Medium', 'High', 'Very High', 'Critical'] as const
/** What its assessments say where they give no grade. */
export const NO_GRADES = ['Unverified', 'Under Review', 'Not Applicable', 'Alternative PoS Network'] as const

const Grade = z.enum([...GRADES, ...NO_GRADES])
const grades = { custody: Grade, data: Grade, operators: Grade, finality: Grade }

/** A published assessment: whose, where, of which day, with the grade of each question and of each bitcoin token. */
const Assessment = z.strictObject({
  by: Words,
  url: z.url(),
  day: Day,
  isReviewed: z.boolean(),
  category: Words.optional(),
  grades: z.strictObject(grades).partial(),
  pegs: z.array(z.strictObject({ name: Words, slug: Words, grade: Grade })),
  origin: Origin,
})

/** How bitcoin gets in or out, step by step: what a diagram is drawn of. */
const Path = z.strictObject({
  direction: z.enum(['in', 'out']),
  name: Words,
  steps: z
    .array(
      z.strictObject({
        actor: Words,
        does: Words,
        where: z.enum(['bitcoin', 'layer', 'other']),
        /** Name of the place where that is neither Bitcoin nor the layer. */
        place: Words.optional(),
      }),
    )
    .min(2),
  /** What it costs or how long it takes, and what a reader must know beside the steps. */
  note: Words.optional(),
  origin: Origin,
})

export const Layer = z.strictObject({
  slug: Slug,
  name: Words,
  /** What it is, in our own words: `merge-mined sidechain`. */
  kind: Words,
  family: z.enum(LAYER_FAMILIES),
  status: z.enum(LAYER_STATUSES),
  statusAsOf: Day,
  statusNote: Words.optional(),
  sentence: Words,
  /** The day on which it began, and what began on it. */
  launch: z.strictObject({ day: Day, what: Words, origin: Origin }).optional(),
  chainId: z.int().positive().optional(),
  btcAsset: Words.nullable(),
  bridge: Words.nullable(),
  /** Whom a holder trusts, in our own words; null where nobody reviewed it. */
  trust: z
    .strictObject({ custody: Words, data: Words, operators: Words, finality: Words })
    .partial()
    .nullable(),
  assessments: z.array(Assessment),
  paths: z.array(Path).default([]),
  /** Ids of tokens in `catalog/tokens`: the coin that pays for gas, and its own token. */
  gasToken: Slug.optional(),
  token: Slug.optional(),
  /** Under which names publishers know it. */
  ids: z.strictObject({
    defillamaChain: Words.optional(),
    defillamaProtocol: Words.optional(),
    l2beat: Words.optional(),
    growthepie: Words.optional(),
    bitcoinLayers: Words.optional(),
    /** Base address of a Blockscout instance. */
    blockscout: z.url().optional(),
  }),
  links: z.record(z.string(), z.url()),
  /** Addresses that matter on Bitcoin or on the layer, with their role. */
  addresses: z
    .array(z.strictObject({ chain: Words, address: Words, role: Words, origin: Origin }))
    .default([]),
  incidents: z.array(Incident).default([]),
  /** What changed in these facts, newest last; a line is never taken back. */
  changes: z
    .array(z.strictObject({ day: Day, what: Words, origin: Origin.optional() }))
    .refine(isInOrder, 'must stand in the order of their days: a change is added at the end')
    .default([]),
  /** Fields of this file that nobody has checked against a source. */
  fromMemory: z.array(z.enum(MEMORY_FIELDS)).default([]),
  origin: Origin,
})
export type CatalogLayer = z.infer<typeof Layer>
export type Grade = (typeof GRADES)[number]

function isInOrder(lines: readonly { day: string }[]): boolean {
  return lines.every(({ day }, index) => index === 0 || day >= (lines[index - 1]?.day ?? ''))
}
