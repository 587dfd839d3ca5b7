import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Billing } from './openBilling.ts'

const DAY_MS = 86_400_000
/** A server that is restarted every day is to look as well. */
const FIRST_MS = 60_000

/** Compares with the payment provider a minute after the start and then once a day: what a lost message would have said. Ends with disposal. */
export function keepReconciled(
  billing: Pick<Billing, 'reconcile'>,
  log: Log,
  { firstMs = FIRST_MS, everyMs = DAY_MS } = {},
): Disposable {
  const look = () =>
    void billing.reconcile().then(
      count => log.info('subscriptions were compared with the payment provider', { count }),
      cause => log.warn('subscriptions cannot be compared', { cause: sentenceOf(cause) }),
    )
  const first = setTimeout(look, firstMs).unref()
  const timer = setInterval(look, everyMs).unref()
  return {
    [Symbol.dispose]: () => {
      clearTimeout(first)
      clearInterval(timer)
    },
  }
}
