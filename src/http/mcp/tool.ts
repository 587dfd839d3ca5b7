import { z } from 'zod'
import type { Features, Person } from '#kernel/people.ts'
import { zodWords } from '#kernel/zodWords.ts'
import type { FullApi } from '../api.ts'
import { ApiError, problemOf, toApiError } from '../apiError.ts'
import type { AsOf, ChainAsOf } from '../contract.ts'
import { isProblemCode, PROBLEM_KINDS } from '../problems.ts'
import type { QueriesApi } from '../queries/api.ts'
import type { QueryCaller } from '../queries/callers.ts'
import { asOf } from '../schemas/common.ts'
import { pageAddress, type SiteAddress } from './addresses.ts'
import { chainText, DATA_NOTICE, plainJson } from './chainText.ts'

/** What a tool answers from, for one request. */
export type ToolContext = {
  readonly api: FullApi
  readonly queries: QueriesApi
  readonly site: SiteAddress
  readonly person: Person | undefined
  readonly features: Features
  /** Throws where a key or token is not for SQL. */
  caller(): QueryCaller
  /** The same for reading results: also for a key that is limited to saved queries. */
  resultCaller(): QueryCaller
  /** Aborted when the client cancels the call or goes away. */
  readonly signal: AbortSignal
}

/** The answer of a tool: `text` is our own words only. */
export type ToolAnswer<Output> = { readonly text: string; readonly content: Output }

export type Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: Output
  call(args: z.output<Input>, context: ToolContext): Promise<ToolAnswer<z.input<Output>>>
}

/** For lists of tools: the arguments are checked by `input` before each call. */
export type AnyTool = Omit<Tool, 'call'> & {
  call(args: never, context: ToolContext): Promise<ToolAnswer<Record<string, unknown>>>
}

export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  spec: Tool<Input, Output>,
): AnyTool => spec

/** How old the data of an answer is. */
export const dataAge = z.strictObject({
  ...asOf.shape,
  ageSeconds: z.int().describe('age of the data when this answer was made, seconds'),
})

export const ageOf = (known: AsOf): z.output<typeof dataAge> => ({
  ...known,
  ageSeconds: Math.max(0, Math.round((Date.now() - Date.parse(known.time)) / 1000)),
})

/** `3 minutes`, `2 days`. */
const span = (seconds: number): string => {
  const [count, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7200
        ? [Math.round(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.round(seconds / 3600), 'hour']
          : [Math.round(seconds / 86_400), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The newest indexed block of each chain that an answer reads. */
export const chainAges = z
  .array(dataAge.extend({ chain: z.string() }))
  .describe('newest indexed block of each chain whose tables were read; empty if none was')

export const agesOf = (known: readonly ChainAsOf[]): z.output<typeof chainAges> =>
  known.map(({ chain, ...asOf }) => ({ chain, ...ageOf(asOf) }))

/** One sentence on the age of the data. */
export const ageSentence = ({ height, time, ageSeconds }: z.output<typeof dataAge>): string =>
  `Data as of ${height === null ? time : `block ${height} (${time})`}, ${span(ageSeconds)} old.`

export const agesSentence = (ages: z.output<typeof chainAges>): string =>
  ages.map(({ chain, ...age }) => `${chain}: ${ageSentence(age)}`).join(' ')

/** What a call answers, in the form of the protocol. */
export type CallResult = {
  content: { type: 'text'; text: string }[]
  structuredContent: Record<string, unknown>
  isError?: boolean
}

/** Calls a tool. Errors become results that say their code and what to do; `onError` hears of those that are ours. */
export async function callTool(
  spec: AnyTool,
  args: unknown,
  context: ToolContext,
  onError: (error: ApiError) => void,
): Promise<CallResult> {
  try {
    const { text, content } = await spec.call(checked(spec, args) as never, context)
    return resultOf(text, { notice: DATA_NOTICE, ...content })
  } catch (thrown) {
    const error = toApiError(thrown)
    if (error.status >= 500) onError(error)
    return { ...errorOf(error, context.site), isError: true }
  }
}

const resultOf = (text: string, structuredContent: Record<string, unknown>): CallResult => ({
  // Many clients show a model the text alone, so the fields are in it too.
  content: [
    { type: 'text', text },
    { type: 'text', text: plainJson(structuredContent) },
  ],
  structuredContent,
})

function checked({ name, input }: AnyTool, args: unknown): unknown {
  const parsed = input.safeParse(args ?? {}, { error: zodWords })
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.flatMap(issue =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(parameter => ({ parameter, message: 'is unknown' }))
      : [{ parameter: issue.path.join('.') || 'arguments', message: issue.message }],
  )
  throw new ApiError(
    problemOf(
      'http.parameter',
      errors.map(({ parameter, message }) => `\`${parameter}\` ${message}`).join('; '),
      {
        errors,
        hint: `The tool ${name} takes: ${Object.keys(input.shape).join(', ')}.`,
      },
    ),
  )
}

/** Messages of the engine quote values of chains, so they are data as well. */
function errorOf({ problem, retryAfterSeconds }: ApiError, site: SiteAddress): CallResult {
  const { code, title, status, type, detail, hint, line, column, nearest, errors } = problem
  const error = {
    code,
    title,
    status,
    remedy: isProblemCode(code) ? PROBLEM_KINDS[code].remedy : '',
    help: pageAddress(site, type),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  }
  const data = {
    detail: chainText(detail),
    ...(hint !== undefined && { hint: chainText(hint) }),
    ...(nearest && { nearest: nearest.map(name => chainText(name)) }),
    ...(errors && {
      errors: errors.map(({ parameter, message }) => ({
        parameter: chainText(parameter),
        message: chainText(message),
      })),
    }),
  }
  const retry = retryAfterSeconds === undefined ? '' : ` Retry after ${retryAfterSeconds} seconds.`
  return resultOf(`Error ${code}: ${title}. ${error.remedy}${retry} See data.detail.`, {
    notice: DATA_NOTICE,
    error,
    data,
  })
}

/** The schema of an answer, with the notice that all answers carry. */
export const answerOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ notice: z.string().describe('how to treat `data`').exactOptional(), ...shape })
