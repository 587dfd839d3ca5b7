import type { UNITS } from './vocabulary.ts'

type Unit = (typeof UNITS)[number]

/** Amounts of bitcoin, on its own chain or on a layer whose coin stands for it. */
const BITCOINS: readonly string[] = ['sat', 'wei.BTC', 'wei.RBTC']
/** Coins with prices of their own. */
const isOtherCoin = (unit: string): boolean => unit === 'uSTX' || unit.startsWith('wei.')

/** The unit to ask for, where a metric takes it: amounts alone; bitcoin is told in BTC or dollars, other coins in themselves or in dollars. */
export function amountUnit(
  entry: { readonly unit: string } | undefined,
  unit: Unit = 'native',
): { unit?: Unit } {
  const own = entry?.unit ?? ''
  return (unit !== 'native' && BITCOINS.includes(own)) || (unit === 'usd' && isOtherCoin(own)) ? { unit } : {}
}
