const API = '/api'

/** A path of the API (`/api/…`) as it is asked: below the address that the page names where the API is not at `/api`. */
export const apiHref = (path: string): string =>
  (document.documentElement.dataset.api ?? API) + path.slice(API.length)
