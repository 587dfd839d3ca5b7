import { HANDOFF } from './handoff.ts'
import { inScript } from './share/head.ts'

/**
 * What the loaders of a page gave, on its way to the browser. React Router packs it so that it can carry promises, dates and errors,
 * and a phone spends longer on unpacking that than on anything else of a page with long tables. Nearly all of it is plain, and plain
 * data goes as JSON, which browsers read by themselves.
 */

/** What React Router is told in its own packing where everything goes as JSON. */
export const NOTHING_PACKED = '[{}]\n'

type State = { readonly loaderData: unknown; readonly actionData: unknown; readonly errors: unknown }

/** Element with what the loaders gave; undefined where an error or anything else than plain data is part of it. */
export function handoffElement({ loaderData, actionData, errors }: State): string | undefined {
  if (actionData !== null || errors !== null || !isPlain(loaderData)) return undefined
  const json = inScript({ loaderData, actionData, errors })
  return `<script type="application/json" id="${HANDOFF}">${json}</script>`
}

/** Whether JSON gives it back as it is; fields that are undefined may be left out. */
function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object': {
      if (value === null) return true
      if (Array.isArray(value)) return value.every(isPlain)
      const prototype: unknown = Object.getPrototypeOf(value)
      if (prototype !== Object.prototype && prototype !== null) return false
      return Object.values(value).every(field => field === undefined || isPlain(field))
    }
    default:
      return false
  }
}
