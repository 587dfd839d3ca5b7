import { parametersOf } from '#kernel/sqlParameters.ts'
import { bindQuery, QueryError, type QueryTool, type SavedQuery } from '#queries/index.ts'
import { toApiError } from '../apiError.ts'

type Change = {
  readonly before: Pick<SavedQuery, 'sql'>
  readonly after: Pick<SavedQuery, 'id' | 'sql' | 'parameters'>
  /** `personKey` of the user who changed it. */
  readonly author: string
  /** Keys of the author that are limited to the query. */
  readonly keys: number
}

/** How a change to a query breaks its schedule or limited keys, as sentences. */
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
      warnings.push(`Its schedule sets ${listed(unused)}, which the query no longer uses.`)
  }
  if (keys > 0) {
    const keyRuns = keys === 1 ? 'runs with the key' : `runs with the ${keys} keys`
    const failure = await failureWith(after.parameters)
    if (failure !== undefined)
      warnings.push(`API ${keyRuns} limited to this query will fail without values. ${failure}`)
    if (gone.length > 0)
      warnings.push(`API ${keyRuns} limited to this query will be refused if they send ${listed(gone)}.`)
  }
  return warnings
}

const namesOf = (sql: string): Set<string> => new Set(parametersOf(sql, {}).map(({ name }) => name))

const listed = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')
