import { listed } from '#kernel/listed.ts'
import type { Problem } from './contract.ts'

/** What a problem about an unknown name says of existing names close to it, best first; nothing where there are none. */
export const didYouMean = (names: readonly string[]): Pick<Problem, 'nearest' | 'hint'> =>
  names.length === 0 ? {} : { nearest: [...names], hint: `Did you mean ${listed(names)}?` }
