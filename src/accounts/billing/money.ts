/** Currencies whose amounts come in whole units, and in thousandths: https://docs.stripe.com/currencies. UGX and ISK count as hundredths there. */
const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const THOUSANDTHS = new Set('bhd jod kwd omr tnd'.split(' '))

/** Digits after the point that the provider’s amounts of this currency have. */
export const digitsOf = (currency: string): number =>
  WHOLE.has(currency) ? 0 : THOUSANDTHS.has(currency) ? 3 : 2

/** An amount in the smallest unit as a decimal string: `1900` of `usd` is `19.00`. */
export function decimalOf(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
