import { limitedKey } from '#accounts/index.ts'
import { QueryError, type QueryTool } from '#queries/index.ts'
import type { QueryCaller } from './callers.ts'

export type KeyChecks = ReturnType<typeof createKeyChecks>

/** Checks what a key limited to saved queries may run and read. Other callers pass. */
export function createKeyChecks({ saved, results }: Pick<QueryTool, 'saved' | 'results'>) {
  /** A key limited to saved queries may run and read only their texts, no matter who ran them first. */
  const checkText = async (sql: string, { person, owner }: QueryCaller): Promise<void> => {
    if (person?.queries === undefined) return
    if (!(await saved.hasText([...person.queries], owner, sql))) throw limitedKey()
  }
  const checkResult = async (hash: string, caller: QueryCaller): Promise<void> => {
    if (caller.person?.queries === undefined) return
    // The error for a removed result includes its query, which the key may not be allowed to read.
    const { sql } = await results.info(hash, caller.uploadsOf).catch(cause => {
      throw cause instanceof QueryError && cause.code === 'sql.result_expired'
        ? new QueryError('sql.result_expired', 'The result is no longer stored.', {
            hint: 'Run the query again.',
          })
        : cause
    })
    await checkText(sql, caller)
  }
  return { checkText, checkResult }
}
