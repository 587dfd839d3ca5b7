import { randomUUID } from 'node:crypto'
import type { Store } from '#store/index.ts'
import { boundStatements, boundText } from '../bindQuery.ts'
import { QueryError } from '../errors.ts'
import { ACCESS, IS_READABLE, type QueryAccess } from './access.ts'

export type Visibility = 'private' | 'team' | 'link' | 'public'

/** How a result is drawn. Columns are named, so that it fits results of changed queries. */
export type QueryChart = {
  readonly kind: 'line' | 'bar' | 'area' | 'scatter' | 'pie' | 'heat' | 'counter' | 'pivot'
  readonly x: string | null
  readonly series: string | null
  readonly values: readonly string[]
  readonly aggregation: 'sum' | 'average' | 'median' | 'min' | 'max' | 'count' | 'last'
  readonly stacking: 'none' | 'stacked' | 'share'
  readonly scale: 'linear' | 'log'
}

/** Status of a schedule. */
export type ScheduleMark = 'active' | 'failing' | 'paused'

/** A query as its owner saved it last. */
export type SavedQuery = {
  readonly id: string
  readonly name: string
  readonly about: string
  readonly folder: string
  readonly sql: string
  readonly parameters: Readonly<Record<string, string>>
  /** Null where the rows are shown first. */
  readonly chart: QueryChart | null
  readonly visibility: Visibility
  /** The team that it is shared with. */
  readonly team: { readonly id: string; readonly name: string } | null
  /** Access of the caller. */
  readonly access: QueryAccess
  /** From 1; each save of a changed text, parameter or chart makes the next. */
  readonly version: number
  readonly isOwn: boolean
  readonly isStarred: boolean
  readonly stars: number
  readonly forkOf: string | null
  /** Only for the owner. Null without a schedule. */
  readonly schedule: ScheduleMark | null
  readonly createdAt: Date
  readonly changedAt: Date
}

export type SavedQueryChange = Pick<
  SavedQuery,
  'name' | 'about' | 'folder' | 'sql' | 'parameters' | 'chart'
> & {
  /** As it was unless given; `private` for a new query. */
  readonly visibility?: Visibility
  /** The team of the visibility `team`. */
  readonly team?: string
  /** Version that the change began from. */
  readonly basedOn?: number
  readonly forkOf?: string
}

export type QueryVersion = Pick<SavedQuery, 'version' | 'name' | 'sql' | 'parameters' | 'chart'> & {
  readonly savedAt: Date
  /** Name of who saved it; empty if unknown. */
  readonly savedBy: string
}

/** Who saves: a `personKey`, and the name that others see. */
export type QueryAuthor = { readonly key: string; readonly name: string }

/** An owner is a `personKey`; undefined stands for a reader who is not signed in. */
export type SavedQueries = {
  /** Queries of the owner, starred queries, queries shared with their teams, and a page of public ones that match `search`. */
  list(
    owner: string | undefined,
    ofPublic?: { readonly search?: string | undefined; readonly offset?: number | undefined },
  ): Promise<{ own: SavedQuery[]; starred: SavedQuery[]; team: SavedQuery[]; public: SavedQuery[] }>
  /** Throws `sql.saved_unknown` for a query that does not exist or that this owner may not open. */
  get(id: string, owner: string | undefined): Promise<SavedQuery>
  /** Newest first. All of them for the owner, those since it was shared for a team, and the newest for everybody else. */
  versions(id: string, owner: string | undefined): Promise<QueryVersion[]>
  /** Throws `sql.saved_full`, `sql.saved_team`. */
  create(change: SavedQueryChange, author: QueryAuthor): Promise<SavedQuery>
  /**
   * Throws `sql.saved_unknown`, `sql.saved_conflict` if a newer version than `basedOn` exists, or without `basedOn` if
   * somebody else saved the newest; `sql.saved_owner` for an editor who chooses the readers, `sql.saved_team`.
   */
  change(id: string, change: SavedQueryChange, author: QueryAuthor): Promise<SavedQuery>
  remove(id: string, owner: string): Promise<void>
  /** Those of the ids that are queries of the owner. */
  ownOf(ids: readonly string[], owner: string): Promise<string[]>
  /** Whether a run of one of these queries of the owner can have this text, in any version. */
  hasText(ids: readonly string[], owner: string, sql: string): Promise<boolean>
  /** Whether this is the bound text of a statement in a saved query of the owner. */
  isSaved(owner: string, sql: string): Promise<boolean>
  star(id: string, owner: string, isStarred: boolean): Promise<SavedQuery>
  /** For the export of everything that is a person's. */
  export(owner: string): Promise<unknown>
  deleteAll(owner: string): Promise<void>
}

/** Queries of one owner. */
const MOST_SAVED = 2_000
/** Saved texts compared with the text of a run. */
const MOST_COMPARED = 200
const PUBLIC_SHOWN = 200
const TEAM_SHOWN = 500
const VERSIONS_KEPT = 200

type Row = {
  id: string
  owner: string
  name: string
  about: string
  folder: string
  sql: string
  parameters: Record<string, string>
  chart: QueryChart | null
  visibility: Visibility
  team: string | null
  team_name: string | null
  access: QueryAccess
  version: number
  fork_of: string | null
  schedule: ScheduleMark | null
  created_at: Date
  changed_at: Date
  is_starred: boolean
  stars: number
}

/** `$1` is the owner who asks, or null. */
const COLUMNS = `q.id::text, q.owner, q.name, q.about, q.folder, q.sql, q.parameters, q.chart, q.version,
  -- A team that was deleted, or that its owner has left, shares nothing.
  CASE WHEN q.visibility = 'team' AND shared.name IS NULL THEN 'private' ELSE q.visibility END AS visibility,
  CASE WHEN q.visibility = 'team' AND shared.name IS NOT NULL THEN q.team::text END AS team, shared.name AS team_name,
  (${ACCESS}) AS access,
  (SELECT o.id::text FROM assay.saved_queries o
    WHERE o.id = q.fork_of AND (o.owner = $1 OR q.owner = $1 OR o.visibility = 'public')) AS fork_of, q.created_at, q.changed_at,
  EXISTS (SELECT 1 FROM assay.query_stars s WHERE s.query = q.id AND s.owner = $1) AS is_starred,
  (SELECT count(*)::integer FROM assay.query_stars s WHERE s.query = q.id) AS stars,
  (SELECT CASE WHEN s.is_paused THEN 'paused' WHEN s.failures > 0 THEN 'failing' ELSE 'active' END
    FROM assay.query_schedules s WHERE s.query = q.id AND q.owner = $1) AS schedule`
const FROM = `assay.saved_queries q LEFT JOIN LATERAL (
  SELECT t.name FROM assay.teams t JOIN assay.team_members sharer ON sharer.team = t.id AND sharer.member = q.owner
  WHERE t.id = q.team) shared ON true`

export function createSavedQueries(
  query: Pick<Store, 'query'>['query'],
  now: () => number = Date.now,
): SavedQueries {
  const savedOf = (row: Row, owner: string | undefined): SavedQuery => ({
    id: row.id,
    name: row.name,
    about: row.about,
    folder: row.folder,
    sql: row.sql,
    parameters: row.parameters,
    chart: row.chart,
    visibility: row.visibility,
    team: row.team === null ? null : { id: row.team, name: row.team_name ?? '' },
    access: row.access,
    version: row.version,
    isOwn: row.owner === owner,
    isStarred: row.is_starred,
    stars: row.stars,
    forkOf: row.fork_of,
    schedule: row.schedule,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  })
  const select = async (
    where: string,
    owner: string | undefined,
    values: unknown[] = [],
  ): Promise<SavedQuery[]> =>
    (await query<Row>(`SELECT ${COLUMNS} FROM ${FROM} ${where}`, [owner ?? null, ...values])).map(row =>
      savedOf(row, owner),
    )
  const get = async (id: string, owner: string | undefined): Promise<SavedQuery> => {
    const [found] = await select(`WHERE q.id = $2 AND ${IS_READABLE}`, owner, [id])
    if (found === undefined) throw unknown()
    return found
  }
  const versions: SavedQueries['versions'] = async (id, owner) => {
    const { access, visibility } = await get(id, owner)
    const isOfTeam = visibility === 'team'
    // What was saved before it was shared may be private.
    const most = access === 'owner' || isOfTeam ? VERSIONS_KEPT : 1
    const rows = await query<{
      version: number
      name: string
      sql: string
      parameters: Record<string, string>
      chart: QueryChart | null
      saved_at: Date
      saved_by_name: string
    }>(
      `SELECT version, name, sql, parameters, chart, saved_at, saved_by_name FROM assay.saved_query_versions
WHERE query = $1 AND ($2 OR version >= (SELECT team_since FROM assay.saved_queries WHERE id = $1))
ORDER BY version DESC LIMIT ${most}`,
      [id, access === 'owner' || !isOfTeam],
    )
    return rows.map(({ saved_at: savedAt, saved_by_name: savedBy, ...version }) => ({
      ...version,
      savedAt,
      // Readers of a link or of a public query are not told who its author is.
      savedBy: access === 'owner' || isOfTeam ? savedBy : '',
    }))
  }
  /** The team to share with; null for another visibility. Throws `sql.saved_team`. */
  async function teamOf(
    visibility: Visibility,
    team: string | undefined,
    owner: string,
  ): Promise<string | null> {
    if (visibility !== 'team') return null
    const [found] = await query<{ id: string }>(
      `SELECT team::text AS id FROM assay.team_members
WHERE team::text = $1 AND member = $2 AND role IN ('owner', 'editor')`,
      [team ?? '', owner],
    )
    if (found === undefined)
      throw new QueryError('sql.saved_team', 'You are not an owner or editor of this team.', {
        parameter: 'team',
        hint: 'Choose one of your teams. GET /api/v1/teams lists them.',
      })
    return found.id
  }
  return {
    async list(owner, { search = '', offset = 0 } = {}) {
      const [own, starred, team, shown] = await Promise.all([
        owner === undefined ? [] : select('WHERE q.owner = $1 ORDER BY q.folder, q.name', owner),
        owner === undefined
          ? []
          : select(
              `WHERE EXISTS (SELECT 1 FROM assay.query_stars s WHERE s.query = q.id AND s.owner = $1)
  AND ${IS_READABLE} ORDER BY q.name`,
              owner,
            ),
        owner === undefined
          ? []
          : select(
              `WHERE q.visibility = 'team' AND q.owner <> $1 AND ${IS_READABLE}
  AND q.team IN (SELECT m.team FROM assay.team_members m WHERE m.member = $1)
ORDER BY shared.name, q.folder, q.name LIMIT ${TEAM_SHOWN}`,
              owner,
            ),
        select(
          `WHERE q.visibility = 'public' AND NOT EXISTS (
  SELECT FROM unnest($2::text[]) word WHERE position(word IN lower(q.name || ' ' || q.about)) = 0)
ORDER BY stars DESC, q.changed_at DESC, q.id LIMIT ${PUBLIC_SHOWN} OFFSET $3`,
          owner,
          [search.toLowerCase().split(/\s+/).filter(Boolean), offset],
        ),
      ])
      return { own, starred, team, public: shown }
    },
    get,
    versions,
    async create(
      { name, about, folder, sql, parameters, chart, visibility = 'private', team, forkOf },
      { key: owner, name: authorName },
    ) {
      const id = randomUUID()
      const at = new Date(now())
      if (forkOf !== undefined) await get(forkOf, owner)
      const shared = await teamOf(visibility, team, owner)
      const made = await query(
        withVersion(
          `INSERT INTO assay.saved_queries
  (id, owner, name, about, folder, sql, parameters, visibility, version, fork_of, created_at, changed_at, team, chart)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, 1, $9::uuid, $10, $10, $11::uuid, $13::jsonb
WHERE (SELECT count(*) FROM assay.saved_queries WHERE owner = $2) < ${MOST_SAVED}
RETURNING *`,
          { by: '$2', name: '$12' },
        ),
        [
          id,
          owner,
          name,
          about,
          folder,
          sql,
          JSON.stringify(parameters),
          visibility,
          forkOf ?? null,
          at,
          shared,
          authorName,
          jsonOf(chart),
        ],
      )
      if (made.length === 0)
        throw new QueryError('sql.saved_full', `You have ${MOST_SAVED} saved queries, the most possible.`, {
          hint: 'Delete a query that you no longer need.',
        })
      return get(id, owner)
    },
    async change(
      id,
      { name, about, folder, sql, parameters, chart, visibility, team, basedOn },
      { key: author, name: authorName },
    ) {
      const at = new Date(now())
      const before = await get(id, author)
      const isOwner = before.access === 'owner'
      const isOtherTeam = team !== undefined && team !== before.team?.id
      if (before.access === 'viewer') throw unknown()
      if (!isOwner && ((visibility !== undefined && visibility !== 'team') || isOtherTeam))
        throw new QueryError('sql.saved_owner', 'Only the owner of the query can change who can open it.', {
          hint: 'Leave `visibility` and `team` out, or save a copy.',
        })
      const next = visibility ?? before.visibility
      const isShown = isOwner && (next !== before.visibility || isOtherTeam)
      const shared = isShown ? await teamOf(next, team ?? before.team?.id, author) : null
      const changed = await query(
        withVersion(
          `UPDATE assay.saved_queries q SET name = $3, about = $4, folder = $5, sql = $6, parameters = $7, chart = $14::jsonb,
  visibility = CASE WHEN $11 THEN $8 ELSE q.visibility END,
  team = CASE WHEN $11 THEN $12::uuid ELSE q.team END,
  team_since = CASE WHEN $11 AND $12::uuid IS DISTINCT FROM q.team THEN ${NEXT_VERSION} ELSE q.team_since END,
  version = ${NEXT_VERSION}, changed_at = $9
WHERE q.id = $2 AND (${ACCESS}) IN ('owner', 'editor') AND (q.owner = $1 OR NOT $11) AND CASE
  WHEN $10::integer IS NOT NULL THEN q.version = $10
  ELSE EXISTS (SELECT 1 FROM assay.saved_query_versions v
    WHERE v.query = q.id AND v.version = q.version AND v.saved_by IN ($1, ''))
END RETURNING *`,
          { by: '$1', name: '$13' },
        ),
        [
          author,
          id,
          name,
          about,
          folder,
          sql,
          JSON.stringify(parameters),
          next,
          at,
          basedOn ?? null,
          isShown,
          shared,
          authorName,
          jsonOf(chart),
        ],
      )
      if (changed.length === 0) {
        const current = await get(id, author)
        if (current.access === 'viewer') throw unknown()
        const [newest] = await versions(id, author)
        const by = newest === undefined || newest.savedBy === '' ? '' : ` by ${newest.savedBy}`
        throw new QueryError(
          'sql.saved_conflict',
          `The query was saved as version ${current.version}${by} meanwhile. ${basedOn === undefined ? 'Your change does not say which version it began from.' : `Your change began from version ${basedOn}.`}`,
          { hint: 'Compare both versions, then save again based on the newest.' },
        )
      }
      return get(id, author)
    },
    async remove(id, owner) {
      const gone = await query('DELETE FROM assay.saved_queries WHERE id = $1 AND owner = $2 RETURNING id', [
        id,
        owner,
      ])
      if (gone.length === 0) throw unknown()
    },
    async ownOf(ids, owner) {
      const rows = await query<{ id: string }>(
        'SELECT id::text FROM assay.saved_queries WHERE id = ANY($1::uuid[]) AND owner = $2',
        [[...ids], owner],
      )
      return rows.map(({ id }) => id)
    },
    async isSaved(owner, sql) {
      const rows = await query<{ sql: string }>(
        `SELECT sql FROM assay.saved_queries WHERE owner = $1 AND strpos(sql, $2) > 0 LIMIT ${MOST_COMPARED}`,
        [owner, unboundLine(sql)],
      )
      return rows.some(({ sql: text }) => text === sql || boundStatements(text).includes(sql))
    },
    async hasText(ids, owner, sql) {
      const line = unboundLine(sql)
      const rows = await query<{ sql: string; types: Record<string, string> | null }>(
        `SELECT v.sql, s.types FROM assay.saved_query_versions v JOIN assay.saved_queries q ON q.id = v.query
LEFT JOIN assay.query_schedules s ON s.query = q.id
WHERE q.id = ANY($1::uuid[]) AND q.owner = $2 AND strpos(v.sql, $3) > 0
GROUP BY v.sql, s.types ORDER BY v.sql = $4 DESC, max(v.saved_at) DESC LIMIT ${MOST_COMPARED}`,
        [[...ids], owner, line, sql],
      )
      return rows.some(
        ({ sql: text, types }) =>
          text === sql || boundText(text) === sql || (types !== null && boundText(text, types) === sql),
      )
    },
    async star(id, owner, isStarred) {
      if (isStarred) await get(id, owner)
      await query(
        isStarred
          ? 'INSERT INTO assay.query_stars (query, owner) VALUES ($1, $2) ON CONFLICT DO NOTHING'
          : 'DELETE FROM assay.query_stars WHERE query = $1 AND owner = $2',
        [id, owner],
      )
      return get(id, owner)
    },
    export: owner => select('WHERE q.owner = $1 ORDER BY q.created_at', owner),
    async deleteAll(owner) {
      await query('DELETE FROM assay.query_stars WHERE owner = $1', [owner])
      await query('DELETE FROM assay.saved_queries WHERE owner = $1', [owner])
    },
  }
}

/** A change of a query and its version are written by one statement: both or neither. */
const withVersion = (change: string, author: { by: string; name: string }): string => `WITH changed AS (
${change}
), kept AS (
INSERT INTO assay.saved_query_versions (query, version, name, sql, parameters, chart, saved_at, saved_by, saved_by_name)
SELECT id, version, name, sql, parameters, chart, changed_at, ${author.by}, ${author.name} FROM changed
ON CONFLICT (query, version) DO UPDATE SET name = excluded.name
)
SELECT id FROM changed`

/** In an update of a query `q`: a changed text is a further version. */
const NEXT_VERSION = `q.version + CASE WHEN q.sql <> $6 OR q.parameters <> $7::jsonb OR q.chart IS DISTINCT FROM $14::jsonb THEN 1 ELSE 0 END`

/**
 * The longest part of a text that binding does not change: a line without parameters, or else the text between two parameters.
 */
const unboundLine = (sql: string): string =>
  longest(sql.split('\n').filter(each => !each.includes('{'))) || longest(sql.split(/\{[^{}]*\}/))

const longest = (texts: readonly string[]): string =>
  texts.reduce((found, text) => (text.length > found.length ? text : found), '')

const jsonOf = (chart: QueryChart | null): string | null => (chart === null ? null : JSON.stringify(chart))

const unknown = (): QueryError =>
  new QueryError('sql.saved_unknown', 'No saved query has this id, or its owner does not share it.', {
    hint: 'Ask its owner for access, or search the public queries.',
  })
