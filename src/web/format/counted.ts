import { grouped } from './figure.ts'

/** Units that the label of a figure already says. */
const COUNTED = new Set([
  'tx',
  'addresses',
  'outputs',
  'blocks',
  'inscriptions',
  'channels',
  'nodes',
  'pools',
  'contracts',
  'tenures',
  '/PH/s/day',
])

/** Whether the label of a figure already says its unit, in the plural or of one. */
export const isCounted = (unit: string): boolean =>
  [unit, `${unit}s`, `${unit}es`].some(one => COUNTED.has(one))

/** `1 input`, `1,204 inputs`. */
export const counted = (count: number | string, word: string): string =>
  `${grouped(String(count))} ${word}${String(count) === '1' ? '' : 's'}`
