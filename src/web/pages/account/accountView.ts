import type { Features } from '#kernel/people.ts'

/** What `GET /api/v1/account` says of whoever asks. */
export type AccountView = {
  readonly person: {
    readonly kind: 'account' | 'wallet'
    readonly id: string
    readonly email: string | null
    /** Null for wallets, and where the server does not keep the account itself. */
    readonly isEmailProved?: boolean | null
    readonly name: string | null
  }
  readonly features: Features
  readonly plan: { readonly name: string; readonly features: readonly string[] } | null
  readonly trialUntil?: string | null
  readonly isOperator?: boolean
  readonly sessions: readonly SessionView[]
  readonly keys: readonly KeyView[]
}

export type SessionView = {
  readonly id: string
  /** What the browser called itself; empty where it is not known. */
  readonly device: string
  readonly since: string
  readonly seen: string | null
  readonly expires: string | null
}

export type KeyView = {
  readonly id: string
  readonly name: string
  /** Its first characters. */
  readonly start: string
  readonly scopes: readonly string[]
  /** Ids of the saved queries that it is limited to; null for no limit. */
  readonly queries: readonly string[] | null
  readonly createdAt: string
  readonly usedAt: string | null
  readonly expiresAt: string | null
}

export type AliasView = { readonly alias: string; readonly wallet: { readonly address: string } }

/** What each feature gives, in words. */
const FEATURES: Readonly<Record<string, string>> = {
  dashboard: 'Custom dashboards',
  query: 'Wider limits for SQL, saved queries',
  bitcoin: 'No limit of pages, no ads',
}

export const featureText = (name: string): string => FEATURES[name] ?? name

/** Browser and system out of what a browser calls itself; the whole of it where neither is known. */
export function deviceText(device: string): string {
  const browser = /Edg\//.test(device) ? 'Edge' : (/(?:Firefox|Chrome|Safari)/.exec(device)?.[0] ?? undefined)
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(device)?.[0].replace(' OS X', '')
  if (browser === undefined) return device === '' ? 'Unknown browser' : device.slice(0, 80)
  return system === undefined ? browser : `${browser} on ${system}`
}

/** `2026-11-24 18:05 UTC`. */
export const timeText = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`
