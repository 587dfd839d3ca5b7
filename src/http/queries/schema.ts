import { z } from 'zod'
import { AGGREGATIONS } from '#queries/index.ts'
import { chainsAsOf, isoTime, problem } from '../schemas/common.ts'
import { sqlColumn, sqlRequest } from '../schemas/sql.ts'

/** Schemas of the query tool: runs, their stored results, saved queries. */

export const RUN_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const

export const queryResult = z
  .strictObject({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('address of the result: SHA-256 of the query, its parameters, limits and data version'),
    columns: z.array(sqlColumn),
    rowCount: z.int().describe('stored rows'),
    isTruncated: z.boolean().describe('true when the row limit cut the result'),
    rowLimit: z.int(),
    bytes: z.int().describe('size of the stored result'),
    elapsedMs: z.number(),
    readRows: z
      .number()
      .nullable()
      .describe('rows read as last observed while the query ran; null for a quick query'),
    readBytes: z.number().nullable(),
    createdAt: isoTime,
    dataVersion: z.string().describe('version of the data that the query read'),
    isPrivate: z.boolean().describe('true if it rests on an upload: only the owner can read it'),
    asOf: chainsAsOf,
  })
  .meta({ id: 'QueryResult' })

const usedPart = z.strictObject({ used: z.number(), limit: z.number() })
export const dailyUsage = z
  .strictObject({
    runs: usedPart,
    seconds: usedPart.describe('seconds of execution'),
    rows: usedPart.describe('rows read, as observed four times a second'),
    bytes: usedPart,
    resetsAt: isoTime,
  })
  .meta({ id: 'QueryUsage', description: 'What the caller has used today (UTC), over all servers and keys.' })

export const queryRun = z
  .strictObject({
    id: z.uuid(),
    state: z.enum(RUN_STATES),
    sql: z.string(),
    parameters: z.record(z.string(), z.string()),
    createdAt: isoTime,
    startedAt: isoTime.nullable(),
    endedAt: isoTime.nullable(),
    queue: z
      .strictObject({ position: z.int().describe('from 1'), reason: z.string() })
      .nullable()
      .describe('while the run waits for a slot'),
    progress: z
      .strictObject({
        readRows: z.number(),
        readBytes: z.number(),
        totalRows: z.number().nullable().describe('estimate of the rows to read; null if unknown'),
        memoryBytes: z.number(),
        elapsedMs: z.number(),
      })
      .nullable()
      .describe('while the query runs'),
    usage: dailyUsage.exactOptional().describe('when the run began; left out for stored results'),
    result: queryResult.nullable(),
    isReused: z.boolean().describe('true when a stored result of the same query on the same data answered'),
    problem: problem.nullable(),
  })
  .meta({ id: 'QueryRun' })

export const queryRunEvent = queryRun
  .extend({
    firstRows: z
      .strictObject({
        columns: z.array(sqlColumn),
        rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
      })
      .exactOptional()
      .describe('preview of up to 200 rows while the query runs, sent once; not the final result'),
  })
  .meta({ id: 'QueryRunEvent' })

/** Longest wait of a request for the end of a run. */
export const MOST_WAIT_SECONDS = 60

const FILE_FORMATS = ['csv', 'json-array', 'jsonl', 'xlsx', 'arrow', 'parquet', 'native'] as const

export const runRequest = z.strictObject({
  sql: sqlRequest.shape.sql,
  parameters: sqlRequest.shape.parameters,
  isFresh: z
    .boolean()
    .exactOptional()
    .describe('true runs the query even if a stored result of the same query on the same data exists'),
  dataVersion: z
    .string()
    .max(500)
    .exactOptional()
    .describe('data version of a cited result: on other data the run fails with sql.data_changed'),
  waitSeconds: z
    .number()
    .min(0)
    .max(MOST_WAIT_SECONDS)
    .exactOptional()
    .describe(
      `how long to wait for the end of the run before responding; 0 unless given, ${MOST_WAIT_SECONDS} with a format`,
    ),
  format: z
    .enum(FILE_FORMATS)
    .exactOptional()
    .describe(
      'responds with the whole result as a file, with the headers Assay-Run, Assay-Result (its hash), Assay-Rows and Assay-Truncated. A run that has not ended by then is JSON with status 202; a failed one is its problem',
    ),
})

export const savedRunRequest = runRequest.omit({ sql: true, parameters: true }).extend({
  parameters: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe('values of `{name:Type}`; the saved query has its own for those left out'),
})

export const runId = z.strictObject({ id: z.uuid() })
export const resultHash = z.strictObject({ hash: queryResult.shape.hash })

const searchWords = z
  .string()
  .max(200)
  .refine(text => !text.includes(String.fromCharCode(0)), 'must not contain a zero byte')
  .exactOptional()

/** Public queries per response. */
export const PUBLIC_PAGE = 200
export const savedQueriesRequest = z.strictObject({
  search: searchWords.describe('words in the name or description of public queries'),
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .exactOptional()
    .describe(`public queries to skip; a response has at most ${PUBLIC_PAGE}`),
})

export const historyRequest = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.iso.datetime().exactOptional().describe('runs created before this time'),
  search: searchWords.describe('words in the text of the query'),
})
export const runHistory = z
  .strictObject({ runs: z.array(queryRun.omit({ progress: true, queue: true, usage: true })) })
  .meta({ id: 'QueryHistory' })

export const FILTER_OPERATORS = [
  'equals',
  'differs',
  'contains',
  'less',
  'lessOrEqual',
  'greater',
  'greaterOrEqual',
  'isNull',
  'isNotNull',
] as const

export const resultFilter = z.strictObject({
  column: z.int().min(0).describe('position of the column, from 0'),
  operator: z.enum(FILTER_OPERATORS),
  value: z.string().max(1000).default(''),
})

const queryAggregation = z.enum(AGGREGATIONS)

/** A JSON text of a query parameter, checked by `schema`. */
const jsonText = <Schema extends z.ZodType>(schema: Schema, example: string) =>
  z
    .string()
    .max(20_000)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: `must be JSON, such as ${example}` })
        return z.NEVER
      }
    })
    .pipe(schema)

/** Repeating a wide column thousands of times would turn a small result into a file of gigabytes. */
function isEachPositionOnce(columns: string): boolean {
  const positions = columns.split(',').map(Number)
  return new Set(positions).size === positions.length
}

export const resultRequest = z.strictObject({
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .default(0)
    .describe('rows to skip in the page or file'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .exactOptional()
    .describe('maximum number of rows. Pages: 200 by default, at most 10,000. Files: all by default'),
  columns: z
    .string()
    .regex(/^\d{1,5}(?:,\d{1,5}){0,9999}$/)
    .refine(isEachPositionOnce, { error: 'must not list a column twice' })
    .exactOptional()
    .describe('comma-separated column positions from 0; all by default'),
  sort: z
    .string()
    .regex(/^-?\d{1,5}$/)
    .exactOptional()
    .describe('position of a column, from 1; with a minus, descending'),
  filter: jsonText(
    z.array(resultFilter).max(20),
    '[{"column":0,"operator":"contains","value":"sbtc"}]',
  ).exactOptional(),
  format: z
    .enum(['json', ...FILE_FORMATS])
    .exactOptional()
    .describe(
      'json is one page of rows. Every other format is a file of all matching rows, or of those selected by offset and limit. json-array is a JSON array of objects. native without sort, filter, columns, offset or limit has a strong ETag and supports byte ranges (Range, If-Range), unless the result is truncated. The file name and the header Assay-Truncated say whether it is',
    ),
})

export const resultPage = z
  .strictObject({
    result: queryResult,
    rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
    offset: z.int(),
    matchingRows: z.int().describe('rows that the filter keeps'),
  })
  .meta({ id: 'QueryResultPage' })

export const profileRequest = z.strictObject({
  column: z.coerce.number().int().min(0).max(100_000).describe('position of the column, from 0'),
  filter: resultRequest.shape.filter,
})
const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])
export const columnProfile = z
  .strictObject({
    column: sqlColumn,
    rows: z.int(),
    nulls: z.int(),
    distinct: z.int(),
    min: cell,
    max: cell,
    mean: z.number().nullable().describe('numbers only'),
    median: z.number().nullable(),
    top: z
      .array(z.strictObject({ value: cell, rows: z.int() }))
      .describe('most frequent values, at most ten'),
    histogram: z
      .array(z.strictObject({ from: z.number(), to: z.number(), rows: z.int() }))
      .describe('numbers and times (seconds since 1970); empty otherwise'),
  })
  .meta({ id: 'QueryColumnProfile' })

const position = z.coerce.number().int().min(0).max(100_000)
export const chartRequest = z.strictObject({
  x: position
    .exactOptional()
    .describe('position of the axis column, from 0; without it, all rows form one group'),
  series: position.exactOptional().describe('position of the column that splits the data into series'),
  values: z
    .string()
    .regex(/^(?:\d{1,5}(?:,\d{1,5}){0,7})?$/)
    .default('')
    .describe('comma-separated positions of up to eight numeric columns; counts rows if empty'),
  aggregation: queryAggregation.default('sum').describe('last: the last value in row order'),
  filter: resultRequest.shape.filter,
})
export const resultChart = z
  .strictObject({
    matchingRows: z.int().describe('rows that match the filter, each in exactly one group'),
    step: z
      .union([z.number(), z.literal('month')])
      .nullable()
      .describe('time bucket size in seconds, or month; null if times are not bucketed'),
    groups: z
      .array(z.array(cell))
      .describe(
        'for each group: x, series, row count, then for each value column its aggregate and the number of rows with a value',
      ),
  })
  .meta({ id: 'QueryResultChart', description: 'All rows of a result, grouped for a chart.' })

export const estimateRequest = runRequest.pick({ sql: true, parameters: true })
export const queryEstimate = z
  .strictObject({
    rows: z.number().nullable().describe('rows to read; null if the engine cannot tell'),
    usage: dailyUsage.exactOptional(),
    limits: z.strictObject({
      seconds: z.int(),
      memoryBytes: z.int(),
      rows: z.int().describe('rows of a result'),
      running: z.int().describe('queries of one user at a time'),
    }),
  })
  .meta({ id: 'QueryEstimate' })

export const querySchema = z
  .strictObject({
    tables: z.array(
      z.strictObject({
        name: z.string(),
        about: z.string(),
        columns: z.array(z.strictObject({ name: z.string(), type: z.string(), about: z.string() })),
      }),
    ),
  })
  .meta({ id: 'QuerySchema' })

export const tableName = z.strictObject({ table: z.string().regex(/^[a-z0-9_]{1,80}$/) })
export const tableCoverage = z
  .strictObject({
    rows: z.number(),
    isEstimate: z
      .boolean()
      .describe('true for an upper bound of the rows of a large table, without its ranges'),
    firstDay: z.iso.date().nullable(),
    lastDay: z.iso.date().nullable(),
    firstHeight: z.int().nullable(),
    lastHeight: z.int().nullable(),
  })
  .meta({ id: 'TableCoverage', description: 'Rows of a table, and the days and heights that they cover.' })

export const queryDialect = z
  .strictObject({
    keywords: z.array(z.string()),
    functions: z.array(z.strictObject({ name: z.string(), isAggregate: z.boolean() })),
  })
  .meta({ id: 'QueryDialect', description: 'What the editor completes: functions open to user queries.' })

export const equivalenceRequest = z.strictObject({ first: z.string(), second: z.string() })
export const equivalence = z
  .strictObject({ isEquivalent: z.boolean().describe('true when the engine parses both to the same tree') })
  .meta({ id: 'QueryEquivalence' })

export const queryExample = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    about: z.string(),
    topic: z.string(),
    sql: z.string(),
    parameters: z.record(z.string(), z.string()),
  })
  .meta({ id: 'QueryExample' })
export const queryExamples = z.strictObject({ examples: z.array(queryExample) })

/** Who may open a saved query. */
export const VISIBILITIES = ['private', 'team', 'link', 'public'] as const
const NUL = String.fromCharCode(0)
/** PostgreSQL keeps no zero bytes in texts. */
const storable = (text: string): boolean => !text.includes(NUL)
const NO_NUL = 'must not contain a zero byte'
const columnName = z.string().max(1000).refine(storable, NO_NUL)
export const queryChart = z
  .strictObject({
    kind: z.enum(['line', 'bar', 'area', 'scatter', 'pie', 'heat', 'counter', 'pivot']),
    x: columnName.nullable(),
    series: columnName.nullable().describe('column whose values become lines, slices or columns'),
    values: z.array(columnName).max(8).describe('number columns; empty counts rows'),
    aggregation: queryAggregation,
    stacking: z.enum(['none', 'stacked', 'share']),
    scale: z.enum(['linear', 'log']),
  })
  .meta({ id: 'QueryChart', description: 'How a result is drawn. Columns are named.' })
export const savedQueryChange = z.strictObject({
  name: z.string().trim().min(1).max(200).refine(storable, NO_NUL),
  about: z.string().max(5000).refine(storable, NO_NUL).default(''),
  folder: z.string().trim().max(100).refine(storable, NO_NUL).default(''),
  sql: sqlRequest.shape.sql.max(100_000).refine(storable, NO_NUL),
  parameters: z.record(z.string().refine(storable, NO_NUL), z.string().refine(storable, NO_NUL)).default({}),
  chart: queryChart.nullable().default(null).describe('null shows the rows first'),
  visibility: z
    .enum(VISIBILITIES)
    .exactOptional()
    .describe('as it was unless given, and private for a new query; only the owner can change it'),
  basedOn: z
    .int()
    .exactOptional()
    .describe(
      'version that the change began from; an older one than the newest is refused. Required if somebody else saved the newest',
    ),
  forkOf: z.uuid().exactOptional().describe('query that this one was copied from'),
  team: z.uuid().exactOptional().describe('team to share with, for the visibility `team`'),
})
export const savedQuery = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    about: z.string(),
    folder: z.string(),
    sql: z.string(),
    parameters: z.record(z.string(), z.string()),
    chart: queryChart.nullable(),
    visibility: z.enum(VISIBILITIES),
    version: z.int(),
    team: z
      .strictObject({ id: z.uuid(), name: z.string() })
      .nullable()
      .describe('team that it is shared with'),
    access: z
      .enum(['owner', 'editor', 'viewer'])
      .describe('what the caller may do: viewers read and run, editors also change the text'),
    isOwn: z.boolean(),
    isStarred: z.boolean(),
    stars: z.int(),
    forkOf: z.uuid().nullable(),
    schedule: z
      .enum(['active', 'failing', 'paused'])
      .nullable()
      .describe('status of the schedule, for the owner only; null without a schedule'),
    createdAt: isoTime,
    changedAt: isoTime,
  })
  .meta({ id: 'SavedQuery' })
export const changedQuery = savedQuery
  .extend({
    warnings: z
      .array(z.string())
      .describe('how this change breaks its schedule or keys limited to it, as sentences'),
  })
  .meta({ id: 'ChangedQuery' })
export const savedQueries = z.strictObject({
  own: z.array(savedQuery.omit({ sql: true, parameters: true, chart: true })),
  starred: z.array(savedQuery.omit({ sql: true, parameters: true, chart: true })),
  team: z
    .array(savedQuery.omit({ sql: true, parameters: true, chart: true }))
    .describe('queries that others share with the teams of the caller'),
  public: z.array(savedQuery.omit({ sql: true, parameters: true, chart: true })),
})
export const queryVersion = z.strictObject({
  version: z.int(),
  name: z.string(),
  sql: z.string(),
  parameters: z.record(z.string(), z.string()),
  chart: queryChart.nullable(),
  savedAt: isoTime,
  savedBy: z.string().describe('name of who saved it, for its owner and team; empty if unknown'),
})
export const queryVersions = z.strictObject({ versions: z.array(queryVersion) })

export const citedResult = z
  .strictObject({
    result: queryResult,
    sql: z.string(),
    parameters: z.record(z.string(), z.string()),
    currentDataVersion: z
      .string()
      .describe('current data version; `result` has the one it was computed with'),
  })
  .meta({ id: 'CitedQueryResult', description: 'A stored result with its query.' })
export const pinnedResult = z
  .strictObject({
    isPinned: z
      .boolean()
      .describe('false for a result of a user without Premium, and for callers without Premium'),
  })
  .meta({ id: 'PinnedQueryResult' })
export const latestResult = z
  .strictObject({
    result: queryResult.nullable().describe('of the latest successful scheduled run; null if there is none'),
    resultAt: isoTime.nullable().describe('when that run ended'),
    endedAt: isoTime.nullable().describe('when the latest scheduled run ended'),
    problem: problem.nullable().describe('why the latest run failed, for the owner only'),
  })
  .meta({ id: 'LatestQueryResult' })
