import type { UNITS } from './vocabulary.ts'

type Unit = (typeof UNITS)[number]

/** The unit to ask for, where a metric takes it: amounts alone, and STX are told in STX or in dollars. */
export const amountUnit = (
  entry: { readonly unit: string } | undefined,
  unit: Unit = 'native',
): { unit?: Unit } =>
  (unit !== 'native' && entry?.unit === 'sat') || (unit === 'usd' && entry?.unit === 'uSTX') ? { unit } : {}
