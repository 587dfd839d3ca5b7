import type { Figure } from '#http/contract.ts'

type Coverage = Pick<NonNullable<Figure['coverage']>, 'name' | 'count' | 'of'>

/** `57 of 58 repositories`: how many of its parts a figure includes. */
export const coverageText = ({ name, count, of }: Coverage): string => `${count} of ${of} ${name}`

const MOST_NAMES = 8

/** Names in a row; of many the first ones, and how many more there are. */
export const listText = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMES - 1).join(', ')} and ${names.length - MOST_NAMES + 1} more`
