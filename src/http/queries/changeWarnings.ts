import { parametersOf } from '#kernel/sqlParameters.ts'
import { bindQuery, QueryError, type QueryTool, type SavedQuery } from '#queries/index.ts'
import { toApiError } from '../apiError.ts'

type Change = {
  readonly before: Pick<SavedQuery, 'sql'>
  readonly after: Pick<SavedQuery, 'id' | 'sql' | 'parameters'>
  /** Who changed it, a `personKey`. */
  readonly author: string
  /** Keys of the author that are limited to the query. */
  readonly keys: number
}

/** What runs by schedule and by key no longer do after a query has changed, as sentences. */
export async function changeWarnings(
  { executor, schedules }: Pick<QueryTool, 'executor' | 'schedules'>,
  { before, after, author, keys }: Change,
): Promise<string[]> {
  const [earlier, names] = [namesOf(before.sql), namesOf(after.sql)]
  const gone = [...earlier].filter(name => !names.has(name))
  const failureWith = async (
    saved: Readonly<Record<string, string>>,
    types: Readonly<Record<string, string>> = {},
  ): Promise<string | undefined> => {
    try {
      await executor.check(bindQuery(after.sql, { saved, types }))
      return undefined
    } catch (thrown) {
      if (thrown instanceof QueryError) return toApiError(thrown).problem.detail
      throw thrown
    }
  }
  const warnings: string[] = []
  const { schedule } = await schedules.read(after.id, author)
  if (schedule !== null && !schedule.isPaused) {
    const failure = await failureWith({ ...after.parameters, ...schedule.parameters }, schedule.types)
    const unused = gone.filter(name => Object.hasOwn(schedule.parameters, name))
    if (failure !== undefined) warnings.push(`Its schedule will fail. ${failure}`)
    if (unused.length > 0)
      warnings.push(`Its schedule has a value for ${listed(unused)}, which the query no longer has.`)
  }
  if (keys > 0) {
    const limited = keys === 1 ? 'one key is limited' : `${keys} keys are limited`
    const failure = await failureWith(after.parameters)
    if (failure !== undefined)
      warnings.push(`Runs without values will fail, and ${limited} to this query. ${failure}`)
    if (gone.length > 0)
      warnings.push(`Runs that send ${listed(gone)} will be refused, and ${limited} to this query.`)
  }
  return warnings
}

const namesOf = (sql: string): Set<string> => new Set(parametersOf(sql, {}).map(({ name }) => name))

const listed = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')
