import Stripe from 'stripe'

/** The id of an object that the provider gives whole or as its id; undefined for neither. */
export const idOf = (of: unknown): string | undefined => {
  const id = typeof of === 'object' && of !== null && 'id' in of ? of.id : of
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** What is there no more is no failure. */
export function missing(cause: unknown): undefined {
  if (cause instanceof Stripe.errors.StripeInvalidRequestError && cause.code === 'resource_missing')
    return undefined
  throw cause
}

/** A value of JSON below some names; undefined where one of them is missing. */
export const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (within, name) =>
      typeof within === 'object' && within !== null
        ? (within as Readonly<Record<string, unknown>>)[name]
        : undefined,
    value,
  )

/**
 * The subscriptions that an invoice is for, in every form of the interface: endpoints keep the version that they were made
 * with. Since 2025-03-31 they stand in `parent`, before at the top, and lines may name further ones.
 */
export function subscriptionsOfInvoice(invoice: unknown): string[] {
  const lines = at(invoice, 'lines', 'data')
  const found = [
    at(invoice, 'parent', 'subscription_details', 'subscription'),
    at(invoice, 'subscription'),
    ...(Array.isArray(lines) ? lines : []).flatMap((line: unknown) => [
      at(line, 'parent', 'subscription_item_details', 'subscription'),
      at(line, 'parent', 'invoice_item_details', 'subscription'),
      at(line, 'subscription'),
    ]),
  ]
  return [...new Set(found.flatMap(each => idOf(each) ?? []))]
}
