import type { Figure } from '#http/contract.ts'
import { coverageText, listText } from './coverage.ts'

/** How much of a figure there is, and what it lacks. */
export type Lacks = readonly [text: string, about: string]

/** `4 of 5 protocols` for a figure that lacks a part, and which one; undefined where it lacks nothing. */
export function lacksOf({ missing, coverage }: Pick<Figure, 'missing' | 'coverage'>): Lacks | undefined {
  if (missing !== null)
    return [
      `${missing.of - missing.keys.length} of ${missing.of} ${missing.name}`,
      `No data that day for ${missing.keys.join(', ')}`,
    ]
  if (coverage === null || coverage.missing.length === 0) return undefined
  return [coverageText(coverage), `Not included: ${listText(coverage.missing)}`]
}
