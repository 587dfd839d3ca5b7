import { createContext } from 'react-router'
import type { PeopleConfig } from '#kernel/people.ts'
import type { Api, CitedResult, ResultPage, SavedQueries, SavedQuery } from './contract.ts'

/** An EVM layer of the catalogue, as pages know it. */
export type SiteLayer = {
  /** Its file in `catalog/chains`, and the first part of the addresses of its pages. */
  id: string
  name: string
  /** Symbol of the coin that pays for gas. */
  coin: string
  /** Id of its own token; null where the catalogue has none. */
  token: string | null
  /** What names its endpoints. */
  variable: string
  /** Its transactions pay for the parent chain’s data. */
  hasL1Fee: boolean
  /** The catalogue says whom its users trust. */
  hasProfile: boolean
}

/** An application whose contracts on Stacks the catalogue’s file of it explains, as pages know it. */
export type SiteApplication = {
  /** Its file in `catalog/stacks/apps`, and the address of its page. */
  slug: string
  name: string
  kind: 'exchange' | 'lender' | 'other'
  /** Markets of a lender, the main one first. */
  markets: readonly string[]
}

/** What of the site the catalogue names. */
export type SiteEntities = {
  /** The EVM layers, in the order of the catalogue. */
  layers: readonly SiteLayer[]
  applications: readonly SiteApplication[]
}

/** A field of an answer: `points[].day`. */
export type AnswerField = {
  path: string
  /** In words of JSON, or the values that it may have. */
  type: string
  about: string | null
  /** Whether it is in every such answer. */
  isAlways: boolean
}

/** An operation of the API as its document tells it. */
export type ApiOperation = {
  id: string
  method: string
  /** With `{name}` for what stands within it. */
  path: string
  summary: string
  parameters: readonly {
    name: string
    place: 'path' | 'query'
    isRequired: boolean
    about: string | null
    /** The values it may have; null where any may be tried. */
    values: readonly string[] | null
    default: string | null
  }[]
  /** It answers those alone who prove who they are. */
  needsPerson: boolean
  hasBody: boolean
  /** Media types of its answer. */
  media: readonly string[]
  /** What is in its answer where that is JSON. */
  fields: readonly AnswerField[]
}

/** What a page may know of the site it stands on. */
export type Site = SiteEntities & {
  version: string
  /** The one origin, without a closing slash. */
  publicUrl: string
  /** Address of the API where it is not `/api` of the origin. */
  apiUrl: string | undefined
  /** Where Sign Up leads. */
  signUpUrl: string
  /** Where views of pages are told to, by readers who allow it. Absent: nobody is asked. */
  analyticsUrl: string | undefined
  /** Absent: not drawn. */
  newsletterUrl: string | undefined
  socialUrl: string | undefined
  /** Stacks address that readers may send STX to. Absent: not offered. */
  supportAddress: string | undefined
  /** What links and forms of our pages carry that run SQL in their address. */
  sqlToken: string
  /** Of the API, in the order of its document. */
  operations: readonly ApiOperation[]
  /** How people sign in here; absent: nobody does. */
  people?: PeopleConfig
  /** Marks the inline scripts of this drawing as ours (CSP). */
  nonce: string
}

/** Keys of the load context; server and pages hold the same two objects. */
export const apiContext = createContext<Api>()
export const siteContext = createContext<Site>()

/** Whether this request may run the SQL in its address, and the token with which its caller may send it again. */
export type SqlRun = { readonly isAllowed: boolean; readonly token: string }
export const sqlRunContext = createContext<SqlRun>({ isAllowed: false, token: '' })

/** Saved queries and stored results that anyone can read. Pages that show one are not cached, because its owner can stop sharing it. */
export type SharedQueries = {
  read(id: string): Promise<SavedQuery>
  list(): Promise<Pick<SavedQueries, 'public'>>
  /** A stored result with its first rows, or no rows if they are too large for a page. Throws ApiError. */
  result(hash: string): Promise<CitedResult & Pick<ResultPage, 'rows'>>
}
export const sharedQueriesContext = createContext<SharedQueries | null>(null)
