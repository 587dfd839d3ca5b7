import type { Facts } from './errors.ts'

/** Where a room says what it does. Built once in `main.ts` and handed down. */
export type Log = {
  info(message: string, facts?: Facts): void
  warn(message: string, facts?: Facts): void
  error(message: string, facts?: Facts): void
}

/** For tests and one-shot commands that print nothing. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} }
