import { addressWith } from '../blocks/view.ts'

/** How the assay view is written in the address of any page: `?assay=fees.total@bitcoin`, with the reader’s SQL if it was edited. */

/** A change of these needs other facts from the server. */
export const LOADED_KEYS = ['assay', 'assay.day', 'assay.height'] as const
const PARAMETER = 'p.'

export type AssayRef = { id: string; entity: string }

/** `fees.total@bitcoin` → its parts; undefined for anything else. */
export function readRef(text: string | null): AssayRef | undefined {
  const found = /^([a-z0-9_.]{1,80})@([a-z0-9.-]{1,60})$/.exec(text ?? '')
  return found?.[1] && found[2] ? { id: found[1], entity: found[2] } : undefined
}

export const writeRef = ({ id, entity }: AssayRef): string => `${id}@${entity}`

/** Opens the assay view of a figure over the page at hand; a day fixes which figure is meant. */
export const addressOfAssay = (search: string, assay: string, day?: string): string =>
  addressWith(withoutAssay(search), { assay, 'assay.day': day })

/** The page without its assay view. */
export function withoutAssay(search: string): string {
  const query = new URLSearchParams(search)
  for (const key of [...query.keys()]) if (isAssayKey(key)) query.delete(key)
  return addressWith(query.toString(), {})
}

/** Keys of the reader’s own SQL and its parameters. */
export const isSqlKey = (key: string): boolean => key === 'sql' || key === 'run' || key.startsWith(PARAMETER)

const isAssayKey = (key: string): boolean => LOADED_KEYS.some(known => known === key) || isSqlKey(key)

/** Parameters of the SQL that the reader changed. */
export function readParameters(query: URLSearchParams): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [key, value] of query) if (key.startsWith(PARAMETER)) found[key.slice(PARAMETER.length)] = value
  return found
}

export const parameterKey = (name: string): string => `${PARAMETER}${name}`

/**
 * Whether a loader runs again: for another page, for a change of a key that it reads, and where the same address is asked
 * for anew, as what stands there has changed.
 */
export const asksAnew = (current: URL, next: URL, reads: (key: string) => boolean): boolean =>
  current.href === next.href || current.pathname !== next.pathname || changedKeys(current, next).some(reads)

/** Keys whose values differ between two addresses. */
export function changedKeys(current: URL, next: URL): string[] {
  const keys = new Set([...current.searchParams.keys(), ...next.searchParams.keys()])
  return [...keys].filter(
    key => current.searchParams.getAll(key).join() !== next.searchParams.getAll(key).join(),
  )
}
