import type { Machine } from './machine.ts'

/** Local storage keeps the record under this name. */
export const TRACK_KEY = 'track-key'
export const MOST_ACTIVITIES = 10
export const COOLDOWN_ALLOWANCE = 2
export const POST_LOGOUT_ALLOWANCE = 2
export const PARTIAL_COOLDOWN_MS = 86_400_000
export const FULL_COOLDOWN_MS = 432_000_000

/** What is kept of a reader's visits, and nothing more. */
export type VisitRecord = {
  readonly activities: number
  /** When the last one was counted, ms. */
  readonly lastUpdated: number
  /** Its path. */
  readonly lastUrl: string
}

export type VisitsName = 'counting' | 'blocked' | 'unlimited'
export type VisitsOn =
  | 'new path'
  | 'tenth path'
  | 'partial cooldown'
  | 'full cooldown'
  | 'sign out'
  | 'features'
  | 'no features'

/** The limiter's shape; its numbers are reckoned by `visitsAfter`, and a test holds both to each other. */
export const VISITS: Machine<VisitsName, VisitsOn> = {
  title: 'Limit of visits',
  initial: 'counting',
  states: ['counting', 'blocked', 'unlimited'],
  steps: [
    { from: 'counting', on: 'new path', to: 'counting', does: 'one more' },
    { from: 'counting', on: 'tenth path', to: 'blocked', does: 'overlay; a click leads home' },
    { from: 'counting', on: 'full cooldown', to: 'counting', does: 'back to none' },
    { from: 'blocked', on: 'partial cooldown', to: 'counting', does: 'two are free' },
    { from: 'blocked', on: 'full cooldown', to: 'counting', does: 'back to none' },
    { from: 'blocked', on: 'sign out', to: 'counting', does: 'two are free' },
    { from: 'counting', on: 'features', to: 'unlimited', does: 'record deleted' },
    { from: 'blocked', on: 'features', to: 'unlimited', does: 'record deleted' },
    { from: 'unlimited', on: 'no features', to: 'counting' },
  ],
}

/** What neither counts nor blocks: home, pricing, information and outcome pages, one's own account, and the documentation. */
const EXEMPT = new Set([
  '/',
  '/pricing',
  '/About',
  '/Terms',
  '/Privacy',
  '/Contact',
  '/subscription-success',
  '/error',
  '/docs',
  '/callback',
  '/account',
])
/** `/docs` leads to the documentation, which is as free. */
const EXEMPT_BELOW = ['/account/', '/documentation']

export const isExempt = (path: string): boolean =>
  EXEMPT.has(path) || EXEMPT_BELOW.some(start => path.startsWith(start))

export type VisitsEvent =
  | { readonly type: 'visit'; readonly path: string; readonly now: number; readonly hasFeatures: boolean }
  | { readonly type: 'signedOut' }

/** What is kept afterwards (nothing: the record is deleted), and whether the reader is blocked. */
export type Visits = { readonly record: VisitRecord | undefined; readonly isBlocked: boolean }

/** The cooldown is applied first, then the visit is counted. While blocked, the record stands still. */
export function visitsAfter(record: VisitRecord | undefined, event: VisitsEvent): Visits {
  if (event.type === 'signedOut')
    return { record: record && atMost(record, MOST_ACTIVITIES - POST_LOGOUT_ALLOWANCE), isBlocked: false }
  const { path, now, hasFeatures } = event
  if (hasFeatures) return { record: undefined, isBlocked: false }
  const cooled = record && afterCooldown(record, now)
  if (isExempt(path)) return { record: cooled, isBlocked: false }
  if (cooled && cooled.activities >= MOST_ACTIVITIES) return { record: cooled, isBlocked: true }
  if (cooled && cooled.lastUrl === path) return { record: cooled, isBlocked: false }
  const activities = (cooled?.activities ?? 0) + 1
  return {
    record: { activities, lastUpdated: now, lastUrl: path },
    isBlocked: activities >= MOST_ACTIVITIES,
  }
}

/** A full counter falls to this many; another stands. */
const atMost = (record: VisitRecord, most: number): VisitRecord =>
  record.activities >= MOST_ACTIVITIES ? { ...record, activities: most } : record

function afterCooldown(record: VisitRecord, now: number): VisitRecord {
  // A clock that was set back must not block for as long as it was ahead.
  const lastUpdated = Math.min(record.lastUpdated, now)
  const age = now - lastUpdated
  if (age >= FULL_COOLDOWN_MS) return { ...record, lastUpdated, activities: 0 }
  if (age >= PARTIAL_COOLDOWN_MS)
    return atMost({ ...record, lastUpdated }, MOST_ACTIVITIES - COOLDOWN_ALLOWANCE)
  return { ...record, lastUpdated }
}

/** The record that a text of local storage holds; undefined where it holds none. */
export function readRecord(text: string | null): VisitRecord | undefined {
  if (text === null) return undefined
  let kept: unknown
  try {
    kept = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof kept !== 'object' || kept === null) return undefined
  const { activities, lastUpdated, lastUrl } = kept as Partial<Record<keyof VisitRecord, unknown>>
  return Number.isSafeInteger(activities) &&
    Number(activities) >= 0 &&
    Number.isFinite(lastUpdated) &&
    typeof lastUrl === 'string'
    ? { activities: Number(activities), lastUpdated: Number(lastUpdated), lastUrl }
    : undefined
}
