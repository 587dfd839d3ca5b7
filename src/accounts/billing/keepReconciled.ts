import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Billing } from './openBilling.ts'

const DAY_MS = 86_400_000

/** Looks once a day whether a message of the payment provider was lost. Ends with disposal. */
export function keepReconciled(billing: Pick<Billing, 'reconcile'>, log: Log, everyMs = DAY_MS): Disposable {
  const timer = setInterval(() => {
    billing.reconcile().then(
      count => log.info('subscriptions were compared with the payment provider', { count }),
      cause => log.warn('subscriptions cannot be compared', { cause: sentenceOf(cause) }),
    )
  }, everyMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
