import { randomUUID } from 'node:crypto'
import type { Store } from '#store/index.ts'
import { QueryError } from '../errors.ts'
import { ACCESS } from './access.ts'
import type { QueryAuthor } from './createSaved.ts'

export const COMMENT_LIMITS = {
  /** Characters of one comment. */
  length: 2_000,
  /** Comments on one query, and those of one author among them. */
  ofQuery: 500,
  ofAuthor: 100,
} as const

export type QueryComment = {
  readonly id: string
  /** Name of the author when they wrote it. */
  readonly author: string
  /** Plain text. */
  readonly text: string
  readonly isOwn: boolean
  /** The author and the owner of the query delete comments. */
  readonly mayDelete: boolean
  readonly createdAt: Date
}

/** Whoever may read a query reads its comments. All throw `sql.saved_unknown` for a query that the caller may not read. */
export type Comments = {
  /** In the order in which they were written. */
  list(query: string, reader: string | undefined): Promise<QueryComment[]>
  /** Throws `sql.comments_full`. */
  add(query: string, text: string, author: QueryAuthor): Promise<QueryComment[]>
  /** Throws `sql.comment_unknown` for a comment that does not exist or that the caller may not delete. */
  remove(query: string, comment: string, caller: string): Promise<void>
  export(author: string): Promise<unknown>
  deleteAll(author: string): Promise<void>
}

export function createComments(query: Pick<Store, 'query'>['query'], now: () => number = Date.now): Comments {
  const demandReadable = async (id: string, reader: string | undefined): Promise<void> => {
    const [found] = await query<{ access: string | null }>(
      `SELECT (${ACCESS}) AS access FROM assay.saved_queries q WHERE q.id = $2`,
      [reader ?? null, id],
    )
    if (found === undefined || found.access === null)
      throw new QueryError(
        'sql.saved_unknown',
        'No saved query has this id, or its owner does not share it.',
        {
          hint: 'Ask its owner for access, or search the public queries.',
        },
      )
  }
  const list: Comments['list'] = async (id, reader) => {
    await demandReadable(id, reader)
    return query<QueryComment>(
      `SELECT c.id::text, c.author_name AS author, c.body AS text, coalesce(c.author = $1, false) AS "isOwn",
  coalesce($1 IN (c.author, q.owner), false) AS "mayDelete", c.created_at AS "createdAt"
FROM assay.query_comments c JOIN assay.saved_queries q ON q.id = c.query
WHERE c.query = $2 ORDER BY c.created_at, c.id`,
      [reader ?? null, id],
    )
  }
  return {
    list,
    async add(id, text, { key, name }) {
      await demandReadable(id, key)
      const added = await query(
        `INSERT INTO assay.query_comments (id, query, author, author_name, body, created_at)
SELECT $1::uuid, q.id, $3::text, $4::text, $5::text, $6::timestamptz FROM assay.saved_queries q
WHERE q.id = $2 AND (SELECT count(*) < ${COMMENT_LIMITS.ofQuery}
  AND count(*) FILTER (WHERE c.author = $3::text) < ${COMMENT_LIMITS.ofAuthor}
  FROM assay.query_comments c WHERE c.query = $2)
RETURNING id`,
        [randomUUID(), id, key, name, text, new Date(now())],
      )
      if (added.length === 0)
        throw new QueryError(
          'sql.comments_full',
          `A query can have ${COMMENT_LIMITS.ofQuery} comments, and ${COMMENT_LIMITS.ofAuthor} of one author.`,
          { hint: 'Delete a comment that is no longer needed.' },
        )
      return list(id, key)
    },
    async remove(id, comment, caller) {
      await demandReadable(id, caller)
      const gone = await query(
        `DELETE FROM assay.query_comments c USING assay.saved_queries q
WHERE c.id = $1 AND c.query = $2 AND q.id = c.query AND $3 IN (c.author, q.owner) RETURNING c.id`,
        [comment, id, caller],
      )
      if (gone.length === 0)
        throw new QueryError(
          'sql.comment_unknown',
          'The query has no comment with this id that you can delete.',
        )
    },
    export: author =>
      query(
        `SELECT query::text, body AS text, created_at AS "createdAt" FROM assay.query_comments
WHERE author = $1 ORDER BY created_at`,
        [author],
      ),
    async deleteAll(author) {
      await query('DELETE FROM assay.query_comments WHERE author = $1', [author])
    },
  }
}
