import { dayRangesOf, directivesOf } from '#kernel/sqlDirectives.ts'
import {
  bindSql,
  fieldKind,
  isReversed,
  ownOf,
  parametersOf,
  typeFault,
  valuesToSend,
} from '#kernel/sqlParameters.ts'
import { type Statement, statementsOf } from '#kernel/sqlStatements.ts'
import { QueryError } from './errors.ts'
import { tokensOf } from './tokens.ts'

export type BoundQuery = { readonly sql: string; readonly parameters: Record<string, string> }

export type QueryValues = {
  /** Values of this run. The run fails if the text does not have the parameter. */
  readonly given?: Readonly<Record<string, string>>
  /** Fallback values. Parameters that the text no longer has are ignored. */
  readonly saved?: Readonly<Record<string, string>>
  /** Types for `{{name}}` parameters without a type comment. */
  readonly types?: Readonly<Record<string, string>>
}

/**
 * Converts a query tool text for the engine, like the page does: `{{name}}` becomes `{name:Type}`, comments set types and
 * defaults, and values are bound, never part of the text. Throws
 * `sql.two_statements`, `sql.syntax`, `sql.parameter_type`, and `sql.parameter_value` for a range that ends before it begins.
 */
export function bindQuery(text: string, { given = {}, saved = {}, types = {} }: QueryValues): BoundQuery {
  const { text: statement } = singleStatement(text)
  const directives = directivesOf(text)
  const parameters = parametersOf(statement, { ...types, ...directives.types })
  for (const { name, refusedType } of parameters)
    if (refusedType !== undefined)
      throw new QueryError('sql.parameter_type', typeFault(refusedType), {
        parameter: name,
        hint: `Change the comment \`-- {{${name}}} type: …\` in the query.`,
      })
  const values = { ...directives.defaults, ...saved, ...given }
  checkRanges(parameters, values)
  const names = new Set(parameters.map(({ name }) => name))
  const foreign = Object.entries(given).filter(([name]) => !names.has(name))
  return {
    sql: bindSql(statement, parameters).sql,
    parameters: Object.fromEntries([...foreign, ...Object.entries(valuesToSend(parameters, values))]),
  }
}

/** The bound text of a saved query. Undefined if it cannot run. */
export function boundText(text: string, types: Readonly<Record<string, string>> = {}): string | undefined {
  try {
    return bindQuery(text, { types }).sql
  } catch (thrown) {
    if (thrown instanceof QueryError) return undefined
    throw thrown
  }
}

/** The bound text of each statement, as the page runs them. */
export function boundStatements(text: string): string[] {
  const { types } = directivesOf(text)
  return statementsOf(text).map(each => bindSql(each.text, parametersOf(each.text, types)).sql)
}

function singleStatement(text: string): Statement {
  const [first, second, ...rest] = statementsOf(text)
  if (second === undefined) return first ?? { text, from: 0, to: text.length }
  // Throws for unclosed quotes, which could look like several statements.
  tokensOf(text)
  throw new QueryError(
    'sql.two_statements',
    `The query has ${rest.length + 2} statements, but only one can run.`,
    {
      hint: 'Save each statement as a separate query.',
    },
  )
}

function checkRanges(
  parameters: ReturnType<typeof parametersOf>,
  values: Readonly<Record<string, string>>,
): void {
  const ranges = dayRangesOf(parameters.map(({ name, type }) => ({ name, kind: fieldKind(type) })))
  const wrong = ranges.find(range => isReversed(range, values))
  if (wrong === undefined) return
  const { from, to } = wrong
  throw new QueryError(
    'sql.parameter_value',
    `The parameter \`${to}\` (${ownOf(values, to)}) is before \`${from}\` (${ownOf(values, from)}).`,
    { parameter: to, hint: 'Swap the days.' },
  )
}
