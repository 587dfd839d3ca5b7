import Stripe from 'stripe'

export type StripeConfig = {
  readonly secretKey: string
  /** In place of the provider’s own, for tests. */
  readonly apiUrl: string | undefined
}

/** A request of a reader waits for it. */
const TIMEOUT_MS = 8000
const RETRIES = 2

/** The provider’s client: two retries, eight seconds each, no telemetry. */
export function openStripe({ secretKey, apiUrl }: StripeConfig): Stripe {
  const url = apiUrl === undefined ? undefined : new URL(apiUrl)
  return new Stripe(secretKey, {
    maxNetworkRetries: RETRIES,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'https:' ? '443' : '80'),
      protocol: url.protocol === 'https:' ? ('https' as const) : ('http' as const),
    }),
  })
}
