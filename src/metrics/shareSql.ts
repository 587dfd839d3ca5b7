import { MIN_SHARE_COVERAGE } from '#kernel/share.ts'

/**
 * SQL of what shares of parts are of, by the rule of `sharesOf`: the whole, or the sum of its parts where they exceed it.
 * Null where the whole is unknown or the parts cover less than 80% of it.
 * @param parts SQL of the sum of the parts that are indexed
 * @param whole SQL of the total of the same day by its own source, null where it is unknown
 */
export const sharedWholeSql = (parts: string, whole: string): string =>
  `if(${parts} >= ${MIN_SHARE_COVERAGE} * (${whole}), greatest(${parts}, ${whole}), NULL)`
