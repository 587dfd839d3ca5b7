const NEWEST = '(SELECT max(day) FROM stx_pool_values)'

/**
 * SQL: whether every block of the six days before the newest day with pools is indexed. Only then is a sum over the week
 * complete, and a 0 known.
 */
export const COVERS_WEEK = `(SELECT count() = 6 FROM stx_whole_days WHERE day BETWEEN ${NEWEST} - 6 AND ${NEWEST} - 1)`
