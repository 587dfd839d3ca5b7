import { AssayError } from '#kernel/errors.ts'

/** A payment that cannot be begun, or a message of the payment provider that cannot be believed. */
export class BillingError extends AssayError {}
