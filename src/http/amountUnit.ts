import type { UNITS } from './vocabulary.ts'

type Unit = (typeof UNITS)[number]

/** Amounts of bitcoin, on its own chain or on a layer whose coin stands for it. */
const BITCOINS: readonly string[] = ['sat', 'wei.BTC', 'wei.RBTC']

/** The unit to ask for, where a metric takes it: amounts alone; STX are told in STX or in dollars, coins without a price in themselves. */
export const amountUnit = (
  entry: { readonly unit: string } | undefined,
  unit: Unit = 'native',
): { unit?: Unit } =>
  (unit !== 'native' && BITCOINS.includes(entry?.unit ?? '')) || (unit === 'usd' && entry?.unit === 'uSTX')
    ? { unit }
    : {}
