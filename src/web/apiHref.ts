const API = '/api'

/** The address of the API that the page names; none where the API is at `/api`, or where there is no page. */
const named = (): string | undefined =>
  typeof document === 'undefined' ? undefined : document.documentElement?.dataset.api

/** A path of the API (`/api/…`) as it is asked. */
export const apiHref = (path: string): string => (named() ?? API) + path.slice(API.length)
