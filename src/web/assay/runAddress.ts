import { useRouteLoaderData } from 'react-router'
import type { loader } from '../root.tsx'

/** The page that runs SQL for readers without a script. */
export const RUN_PATH = '/assay/run'

/** Name of the field that carries the token without which that page runs no SQL. */
export const TOKEN = 'token'

/** The token that links and forms of our pages carry. */
export const useSqlToken = (): string => useRouteLoaderData<typeof loader>('root')?.sqlToken ?? ''

/** Address that runs a statement; `page` is where its reader goes back to. */
export const runAddress = (sql: string, page: string, token: string): string =>
  `${RUN_PATH}?${new URLSearchParams({ sql, page, [TOKEN]: token })}`
