import { type Fault, faultAt, type Rule } from '../rule.ts'

/** A mark without an age says nothing of how old a page is, also where the page has no key figure. */
export const marks: Rule = {
  name: 'marks its age by the calendar',
  check: (pages): Fault[] =>
    pages.flatMap(({ address, data }) => {
      const faults: Fault[] = []
      const walk = (part: unknown, path: string): void => {
        if (typeof part !== 'object' || part === null) return
        if ('mark' in part && stateOf(part.mark) === 'recorded')
          faults.push(faultAt({ address, path, part }, 'has a mark without an age'))
        for (const [key, value] of Object.entries(part)) walk(value, `${path}/${key}`)
      }
      walk(data, '')
      return faults
    }),
}

const stateOf = (mark: unknown): unknown => (mark as { asOf?: { state?: unknown } } | null)?.asOf?.state
