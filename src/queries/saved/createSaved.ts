import { randomUUID } from 'node:crypto'
import type { Store } from '#store/index.ts'
import { QueryError } from '../errors.ts'

export type Visibility = 'private' | 'link' | 'public'

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
  /** From 1; each save of a changed text, parameter or chart makes the next. */
  readonly version: number
  readonly isOwn: boolean
  readonly isStarred: boolean
  readonly stars: number
  readonly forkOf: string | null
  readonly createdAt: Date
  readonly changedAt: Date
}

export type SavedQueryChange = Pick<
  SavedQuery,
  'name' | 'about' | 'folder' | 'sql' | 'parameters' | 'chart' | 'visibility'
> & {
  /** Version that the change began from. */
  readonly basedOn?: number
  readonly forkOf?: string
}

export type QueryVersion = Pick<SavedQuery, 'version' | 'name' | 'sql' | 'parameters' | 'chart'> & {
  readonly savedAt: Date
}

/** An owner is a `personKey`; undefined stands for a reader who is not signed in. */
export type SavedQueries = {
  /** Own and starred queries of the owner, and the newest public ones. */
  list(owner: string | undefined): Promise<{ own: SavedQuery[]; starred: SavedQuery[]; public: SavedQuery[] }>
  /** Throws `sql.saved_unknown` for a query that does not exist or that this owner may not open. */
  get(id: string, owner: string | undefined): Promise<SavedQuery>
  /** Newest first. All of them for the owner, and the newest for everybody else. */
  versions(id: string, owner: string | undefined): Promise<QueryVersion[]>
  /** Throws `sql.saved_full`. */
  create(change: SavedQueryChange, owner: string): Promise<SavedQuery>
  /** Throws `sql.saved_unknown`, and `sql.saved_conflict` if a newer version than `basedOn` exists. */
  change(id: string, change: SavedQueryChange, owner: string): Promise<SavedQuery>
  remove(id: string, owner: string): Promise<void>
  star(id: string, owner: string, isStarred: boolean): Promise<SavedQuery>
  /** For the export of everything that is a person's. */
  export(owner: string): Promise<unknown>
  deleteAll(owner: string): Promise<void>
}

/** Queries of one owner. */
const MOST_SAVED = 2_000
const PUBLIC_SHOWN = 200
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
  version: number
  fork_of: string | null
  created_at: Date
  changed_at: Date
  is_starred: boolean
  stars: number
}

/** `$1` is the owner who asks, or null. */
const COLUMNS = `q.id::text, q.owner, q.name, q.about, q.folder, q.sql, q.parameters, q.chart, q.visibility, q.version,
  (SELECT o.id::text FROM assay.saved_queries o
    WHERE o.id = q.fork_of AND (o.owner = $1 OR q.owner = $1 OR o.visibility = 'public')) AS fork_of, q.created_at, q.changed_at,
  EXISTS (SELECT 1 FROM assay.query_stars s WHERE s.query = q.id AND s.owner = $1) AS is_starred,
  (SELECT count(*)::integer FROM assay.query_stars s WHERE s.query = q.id) AS stars`

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
    version: row.version,
    isOwn: row.owner === owner,
    isStarred: row.is_starred,
    stars: row.stars,
    forkOf: row.fork_of,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  })
  const select = async (
    where: string,
    owner: string | undefined,
    values: unknown[] = [],
  ): Promise<SavedQuery[]> =>
    (
      await query<Row>(`SELECT ${COLUMNS} FROM assay.saved_queries q ${where}`, [owner ?? null, ...values])
    ).map(row => savedOf(row, owner))
  const get = async (id: string, owner: string | undefined): Promise<SavedQuery> => {
    const [found] = await select("WHERE q.id = $2 AND (q.owner = $1 OR q.visibility <> 'private')", owner, [
      id,
    ])
    if (found === undefined) throw unknown()
    return found
  }
  return {
    async list(owner) {
      const [own, starred, shown] = await Promise.all([
        owner === undefined ? [] : select('WHERE q.owner = $1 ORDER BY q.folder, q.name', owner),
        owner === undefined
          ? []
          : select(
              `WHERE EXISTS (SELECT 1 FROM assay.query_stars s WHERE s.query = q.id AND s.owner = $1)
  AND (q.owner = $1 OR q.visibility <> 'private') ORDER BY q.name`,
              owner,
            ),
        select(
          `WHERE q.visibility = 'public' ORDER BY stars DESC, q.changed_at DESC LIMIT ${PUBLIC_SHOWN}`,
          owner,
        ),
      ])
      return { own, starred, public: shown }
    },
    get,
    async versions(id, owner) {
      const { isOwn } = await get(id, owner)
      // What was saved before it was shared may be private.
      const most = isOwn ? VERSIONS_KEPT : 1
      const rows = await query<{
        version: number
        name: string
        sql: string
        parameters: Record<string, string>
        chart: QueryChart | null
        saved_at: Date
      }>(
        `SELECT version, name, sql, parameters, chart, saved_at FROM assay.saved_query_versions
WHERE query = $1 ORDER BY version DESC LIMIT ${most}`,
        [id],
      )
      return rows.map(({ saved_at: savedAt, ...version }) => ({ ...version, savedAt }))
    },
    async create({ name, about, folder, sql, parameters, chart, visibility, forkOf }, owner) {
      const id = randomUUID()
      const at = new Date(now())
      if (forkOf !== undefined) await get(forkOf, owner)
      const made = await query(
        withVersion(`INSERT INTO assay.saved_queries
  (id, owner, name, about, folder, sql, parameters, chart, visibility, version, fork_of, created_at, changed_at)
SELECT $1, $2, $3, $4, $5, $6, $7, $11::jsonb, $8, 1, $9::uuid, $10, $10
WHERE (SELECT count(*) FROM assay.saved_queries WHERE owner = $2) < ${MOST_SAVED}
RETURNING *`),
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
          jsonOf(chart),
        ],
      )
      if (made.length === 0)
        throw new QueryError('sql.saved_full', `You have ${MOST_SAVED} saved queries, the most possible.`, {
          hint: 'Delete a query that you no longer need.',
        })
      return get(id, owner)
    },
    async change(id, { name, about, folder, sql, parameters, chart, visibility, basedOn }, owner) {
      const at = new Date(now())
      const changed = await query(
        withVersion(`UPDATE assay.saved_queries SET name = $3, about = $4, folder = $5, sql = $6, parameters = $7, chart = $11::jsonb, visibility = $8,
  version = version + CASE WHEN sql <> $6 OR parameters <> $7::jsonb OR chart IS DISTINCT FROM $11::jsonb THEN 1 ELSE 0 END, changed_at = $9
WHERE id = $1 AND owner = $2 AND ($10::integer IS NULL OR version = $10) RETURNING *`),
        [
          id,
          owner,
          name,
          about,
          folder,
          sql,
          JSON.stringify(parameters),
          visibility,
          at,
          basedOn ?? null,
          jsonOf(chart),
        ],
      )
      if (changed.length === 0) {
        const current = await get(id, owner)
        if (!current.isOwn) throw unknown()
        throw new QueryError(
          'sql.saved_conflict',
          `The query was saved as version ${current.version} meanwhile. Your change began from version ${basedOn}.`,
          { hint: 'Compare both versions, then save again based on the newest.' },
        )
      }
      return get(id, owner)
    },
    async remove(id, owner) {
      const gone = await query('DELETE FROM assay.saved_queries WHERE id = $1 AND owner = $2 RETURNING id', [
        id,
        owner,
      ])
      if (gone.length === 0) throw unknown()
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
const withVersion = (change: string): string => `WITH changed AS (
${change}
), kept AS (
INSERT INTO assay.saved_query_versions (query, version, name, sql, parameters, chart, saved_at)
SELECT id, version, name, sql, parameters, chart, changed_at FROM changed
ON CONFLICT (query, version) DO UPDATE SET name = excluded.name
)
SELECT id FROM changed`

const jsonOf = (chart: QueryChart | null): string | null => (chart === null ? null : JSON.stringify(chart))

const unknown = (): QueryError =>
  new QueryError('sql.saved_unknown', 'No saved query has this id, or its owner does not share it.', {
    hint: 'Ask its owner for access, or search the public queries.',
  })
