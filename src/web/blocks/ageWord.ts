import type { AsOf } from '#http/contract.ts'

/** Written after a day, because a color alone is not seen by everybody. */
export const AGE_WORD: Record<AsOf['state'], string> = {
  live: '',
  recorded: '',
  stale: ', stale',
  overdue: ', overdue',
}
