export { BillingError } from './errors.ts'
export { keepReconciled } from './keepReconciled.ts'
export {
  type Billing,
  type BillingConfig,
  openBilling,
  type PersonSubscription,
} from './openBilling.ts'
export { PERIODS, type Period, type Price } from './prices.ts'
