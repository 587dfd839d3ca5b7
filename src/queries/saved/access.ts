/** Access to a saved query: viewers read and run it, editors also change its text. */
export type QueryAccess = 'owner' | 'editor' | 'viewer'

/**
 * SQL for the access of the user `$1` (null for nobody) to the query `q`; null for none. A query stays shared with a team
 * only while its owner is a member, so nobody who left a team has a say in what it reads.
 */
export const ACCESS = `CASE
  WHEN q.owner = $1 THEN 'owner'
  WHEN q.visibility = 'team' THEN (
    SELECT CASE WHEN reader.role IN ('owner', 'editor') THEN 'editor' ELSE 'viewer' END
    FROM assay.team_members reader JOIN assay.team_members sharer ON sharer.team = reader.team
    WHERE reader.team = q.team AND reader.member = $1 AND sharer.member = q.owner)
  WHEN q.visibility IN ('link', 'public') THEN 'viewer'
END`

/** SQL condition: the user `$1` may read the query `q`. */
export const IS_READABLE = `(${ACCESS}) IS NOT NULL`
