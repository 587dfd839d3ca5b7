import type { QueryResult, QueryRun } from '#http/contract.ts'
import { type ChoiceSource, directivesOf } from '#kernel/sqlDirectives.ts'
import { bindSql, parametersOf, valuesToSend } from '#kernel/sqlParameters.ts'
import { statementsOf } from '#kernel/sqlStatements.ts'
import { ApiRefusal } from '../../api.ts'
import { isEnded, type QueryClient, type RunRequest } from './queryClient.ts'

/** A value of a parameter with its label in the list. */
export type Choice = { readonly value: string; readonly label: string }

export type ChoicePage = {
  readonly values: readonly Choice[]
  /** Values that match. */
  readonly total: number
  /** Whether the list was truncated at the row limit. */
  readonly isCut: boolean
}

/** Choices for a parameter from a query: values in the first column, labels in the second. */
export type ChoiceList = {
  /** All values, if the list is short enough to load at once. */
  readonly all: ReadonlySet<string> | undefined
  /** A page of the values that contain all words. Long lists are searched in SQL. */
  find(words: readonly string[], offset: number, signal: AbortSignal): Promise<ChoicePage>
}

/** Values of one page. */
export const PAGE_VALUES = 100
/** Shorter lists are searched in the browser. */
const MOST_AT_HAND = 1_000

type Client = Pick<QueryClient, 'run' | 'follow' | 'cancel' | 'savedQuery' | 'resultRows'>

/** Runs a list query with the permissions and limits of the user. Throws `ApiRefusal`, or an Error if it is not a list. */
export async function openChoices(
  client: Client,
  source: ChoiceSource,
  signal: AbortSignal,
): Promise<ChoiceList> {
  const list = await requestOf(client, source)
  const result = await resultOf(client, list, signal)
  if (!result.isTruncated && result.rowCount <= MOST_AT_HAND) {
    const values = await valuesOf(client, result, { offset: 0, limit: MOST_AT_HAND }, signal)
    return {
      all: new Set(values.map(({ value }) => value)),
      async find(words, offset) {
        const matching = values.filter(({ value, label }) =>
          words.every(word => `${value} ${label}`.toLowerCase().includes(word.toLowerCase())),
        )
        return { values: matching.slice(offset, offset + PAGE_VALUES), total: matching.length, isCut: false }
      },
    }
  }
  let found = { of: '', result }
  return {
    all: undefined,
    async find(words, offset, ended) {
      const of = words.join('\n')
      const matching =
        of === ''
          ? result
          : of === found.of
            ? found.result
            : await resultOf(client, searchOf(list, result.columns, words), ended)
      if (of !== '') found = { of, result: matching }
      const values = await valuesOf(client, matching, { offset, limit: PAGE_VALUES }, ended)
      return { values, total: matching.rowCount, isCut: matching.isTruncated }
    },
  }
}

/** Prefixed to avoid clashes with parameters of the list query. */
const WORD = 'searched_word_'

/** Wraps a list query so that it returns only values containing all words. The words are bound. */
export function searchOf(
  { sql, parameters }: RunRequest,
  [value, label]: QueryResult['columns'],
  words: readonly string[],
): RunRequest {
  if (value === undefined) throw new Error('The list query returns no columns.')
  const text = ({ name, shownAs }: QueryResult['columns'][number]) => {
    const column = `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
    return shownAs === 'hex' ? `lower(hex(${column}))` : `toString(${column})`
  }
  const conditions = words.map(
    (_, at) =>
      `positionCaseInsensitiveUTF8(concat(found_value, ' ', found_label), {${WORD}${at}:String}) > 0`,
  )
  return {
    sql: `SELECT DISTINCT found_value, found_label
FROM (
  SELECT assumeNotNull(${text(value)}) AS found_value, ${label === undefined ? "''" : `ifNull(${text(label)}, '')`} AS found_label
  FROM (
${sql}
  )
  WHERE isNotNull(${text(value)})
)
WHERE ${conditions.join(' AND ')}
ORDER BY positionCaseInsensitiveUTF8(found_value, {${WORD}0:String}) != 1, found_value`,
    parameters: { ...parameters, ...Object.fromEntries(words.map((word, at) => [`${WORD}${at}`, word])) },
  }
}

async function requestOf(client: Client, source: ChoiceSource): Promise<RunRequest> {
  if ('sql' in source) return { sql: source.sql, parameters: {} }
  const { sql, parameters: saved } = await client.savedQuery(source.saved)
  const [statement, second] = statementsOf(sql)
  if (statement === undefined || second !== undefined)
    throw new Error('The list query must be a single statement.')
  const { types, defaults } = directivesOf(sql)
  const parameters = parametersOf(statement.text, types)
  return {
    sql: bindSql(statement.text, parameters).sql,
    parameters: valuesToSend(parameters, { ...defaults, ...saved }),
  }
}

async function resultOf(client: Client, request: RunRequest, signal: AbortSignal): Promise<QueryResult> {
  let run: QueryRun = await client.run(request)
  if (!isEnded(run)) {
    const { id } = run
    // The user has typed on, so the search has changed.
    const handleEnd = () => void client.cancel(id).catch(() => undefined)
    if (signal.aborted) handleEnd()
    signal.addEventListener('abort', handleEnd, { once: true })
    try {
      await client.follow(
        id,
        next => {
          run = next
        },
        signal,
      )
    } finally {
      signal.removeEventListener('abort', handleEnd)
    }
  }
  if (run.problem !== null) throw new ApiRefusal(run.problem)
  if (run.result === null) throw new Error('The list query was canceled.')
  return run.result
}

async function valuesOf(
  client: Client,
  { hash }: QueryResult,
  { offset, limit }: { offset: number; limit: number },
  signal: AbortSignal,
): Promise<readonly Choice[]> {
  const { rows } = await client.resultRows(hash, limit, offset)
  signal.throwIfAborted()
  const values = new Map(
    rows.flatMap(([value, label]) =>
      value === null || value === undefined ? [] : [[String(value), label == null ? '' : String(label)]],
    ),
  )
  return [...values].map(([value, label]) => ({ value, label }))
}
