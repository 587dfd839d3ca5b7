import { createContext } from 'react-router'
import type { Api } from './contract.ts'

/** What a page may know of the site it stands on. */
export type Site = {
  version: string
  /** The one origin, without a closing slash. */
  publicUrl: string
  /** Absent: not drawn. */
  newsletterUrl: string | undefined
  socialUrl: string | undefined
  /** Marks the inline scripts of this drawing as ours (CSP). */
  nonce: string
}

/** Keys of the load context; server and pages hold the same two objects. */
export const apiContext = createContext<Api>()
export const siteContext = createContext<Site>()
