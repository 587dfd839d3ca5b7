import { keepLocal, readLocal } from '../local.ts'

/** Local storage keeps the answer to whether views may be told: `yes` or `no`. */
const KEY = 'analytics'

export type Consent = 'yes' | 'no' | 'unasked'

/** What the reader said. A browser that says no for them (Global Privacy Control) is taken at its word. */
export function consentOf(): Consent {
  if (Reflect.get(navigator, 'globalPrivacyControl') === true) return 'no'
  const kept = readLocal(KEY)
  return kept === 'yes' || kept === 'no' ? kept : 'unasked'
}

export const keepConsent = (consent: 'yes' | 'no'): void => keepLocal(KEY, consent)

/** Tells of one view: its path and the site that led to it, nothing of who reads. */
export function tellView(url: string, path: string): void {
  const from = URL.parse(document.referrer)?.origin ?? null
  navigator.sendBeacon(url, JSON.stringify({ event: 'page_view', path, from }))
}
