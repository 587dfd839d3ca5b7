import type { DirectoryLayer, LayerProfile, PublishedGrade, TrustCategory } from '#http/contract.ts'
import type { TrustMark } from '../../blocks/TrustGlyph.tsx'
import { existingPages, type SitePage } from '../../site.ts'

export type Family = DirectoryLayer['family']
export type Status = DirectoryLayer['status']

/** Families in the order in which lists and the map name them. */
export const FAMILIES: Readonly<Record<Family, string>> = {
  sidechain: 'Sidechains',
  rollup: 'Rollups',
  'off-chain': 'Off-chain bitcoin',
  ecash: 'Ecash',
  'client-side': 'Client-side validation',
  staking: 'Staking',
  'other-chain': 'Other chains',
  other: 'Other designs',
}

/** What belongs to a family, in a sentence. */
export const FAMILY_MEANS: Readonly<Record<Family, string>> = {
  sidechain: 'An independent chain with a coin backed by bitcoin elsewhere.',
  rollup: 'Executes apart and publishes its data or proofs on another chain.',
  'off-chain': 'Channels, virtual UTXOs and statechains: bitcoin that changes hands without a transaction.',
  ecash: 'Blinded notes that a mint or a federation of guardians redeems.',
  'client-side': 'Rules that the holders check themselves; Bitcoin only orders them.',
  staking: 'Bitcoin that stays on Bitcoin and backs another chain.',
  'other-chain': 'A chain for other purposes that also holds bitcoin.',
  other: 'What fits none of these.',
}

export const STATUSES: Readonly<Record<Status, string>> = {
  mainnet: 'Main network',
  beta: 'Beta',
  testnet: 'Test network',
  announced: 'Announced',
  ended: 'Ended',
}

export const CATEGORIES: Readonly<Record<TrustCategory, { label: string; asks: string }>> = {
  custody: { label: 'Custody', asks: 'Who holds the bitcoin?' },
  data: { label: 'Data', asks: 'Can everyone read what is needed to check and to leave?' },
  operators: { label: 'Operators', asks: 'Who can stop or censor a transaction?' },
  finality: { label: 'Finality', asks: 'What makes a transaction final?' },
}
export const CATEGORY_KEYS = Object.keys(CATEGORIES) as TrustCategory[]

/** Grades from little to much that a holder must trust; a published word that is no grade has no place. */
export const GRADE_PLACE: Readonly<Partial<Record<PublishedGrade, number>>> = {
  Low: 1,
  Medium: 2,
  High: 3,
  'Very High': 4,
  Critical: 5,
}
export const GRADED = Object.keys(GRADE_PLACE) as PublishedGrade[]

export const placeOf = (grade: PublishedGrade | null): number | null => (grade && GRADE_PLACE[grade]) ?? null

/** The four published grades in short; null where nobody graded the layer. */
export function trustMarksOf(grades: DirectoryLayer['grades']): TrustMark[] | null {
  const marks = CATEGORY_KEYS.map(category => ({
    label: CATEGORIES[category].label,
    grade: placeOf(grades[category]),
    word: grades[category],
  }))
  return marks.some(({ word }) => word !== null) ? marks : null
}

export const profilePath = (slug: string): string => `/bitcoin/l2s/${slug}`

const LIGHTNING = { path: '/bitcoin?tab=lightning', label: 'Lightning on Bitcoin' }

/** The page that follows the layer’s own blocks, where there is one. */
export function fullPageOf(
  site: readonly SitePage[],
  slug: string,
): { path: string; label: string } | undefined {
  if (slug === 'lightning') return LIGHTNING
  const page = existingPages(site).find(({ entity }) => entity === slug)
  return page && { path: page.path, label: page.label }
}

export const TOKEN_KINDS: Readonly<Record<LayerProfile['tokens'][number]['kind'], string>> = {
  coin: 'Coin',
  governance: 'Governance',
  btc: 'Bitcoin',
  stable: 'Stablecoin',
  staked: 'Staked',
  meme: 'Meme',
}

/** The catalogue writes its words as parts of a sentence. */
export const capitalised = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
