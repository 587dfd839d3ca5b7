import { text } from 'node:stream/consumers'
import {
  type BaseQueryParams,
  type ClickHouseClient,
  ClickHouseError,
  type ClickHouseSettings,
  createClient,
  type DataFormat,
} from '@clickhouse/client'
import { parserBacktracks, SQL_LIMITS } from '#kernel/sqlLimits.ts'
import { CLIENT_OPTIONS } from './client.ts'
import { ESTIMATE, UPLOADS } from './engine/request.ts'
import { WarehouseError } from './errors.ts'
import {
  EXPLAIN,
  formattingOf,
  gate,
  isReadingTree,
  MAX_FORMATTING_BYTES,
  placesShiftedBack,
  READ_ONLY,
  readFormatting,
  refusalOfParameters,
} from './gate/index.ts'
import { QUOTA_KEY } from './peopleQuota.ts'
import { UPLOAD_ROLE } from './uploadAccess.ts'

export type ServerConfig = {
  readonly url: string
  readonly user?: string
  readonly password?: string
  /** Who runs people's SQL: a user that may only read. The same user unless given. */
  readonly peopleUser?: string
  readonly peoplePassword?: string
  readonly cluster?: string
}

const GIB = 2 ** 30
const MIB = 2 ** 20
const COMMON: ClickHouseSettings = { use_index_for_in_with_subqueries_max_values: '10000' }

/** On a cluster an insert is acknowledged when it is on its node, and lists of batches are sent to all nodes once. */
const CLUSTER: ClickHouseSettings = { distributed_foreground_insert: 1, distributed_product_mode: 'global' }

/** A query whose asker went away ends on whichever node it runs, also behind a load balancer. */
const PEOPLE: ClickHouseSettings = { readonly: '1', cancel_http_readonly_queries_on_client_close: 1 }

/**
 * The four clients on a ClickHouse server. Limits travel with each request, `readonly` among them, so that SQL cannot lift
 * them; people's SQL passes the same gate as on the embedded engine, and runs as a user of its own where one is given.
 */
export function serverClients(
  config: ServerConfig,
): Record<'writer' | 'reader' | 'guest' | 'member', ClickHouseClient> {
  const { url, user, password, peopleUser = user, peoplePassword = password, cluster } = config
  const clientOf = (
    settings: ClickHouseSettings,
    username: string | undefined,
    secret: string | undefined,
  ): ClickHouseClient =>
    createClient({
      ...CLIENT_OPTIONS,
      url,
      ...(username === undefined ? {} : { username }),
      ...(secret === undefined ? {} : { password: secret }),
      clickhouse_settings: { ...COMMON, ...(cluster === undefined ? {} : CLUSTER), ...settings },
    })
  const own = (settings: ClickHouseSettings) =>
    around(clientOf(settings, user, password), (_, run) => run().catch(explain(url, 'CLICKHOUSE_USER')))
  const reader = own({ readonly: '1', max_execution_time: 300 })
  const people = (settings: ClickHouseSettings) => {
    const client = clientOf({ ...PEOPLE, ...settings }, peopleUser, peoplePassword)
    const explained = explain(url, peopleUser === user ? 'CLICKHOUSE_USER' : 'CLICKHOUSE_PEOPLE_USER')
    const ask = client.exec.bind(client)
    return around(client, async (params, run) => {
      // The server does not know these parameters.
      const {
        [UPLOADS]: uploads = '',
        [ESTIMATE]: estimate,
        [UPLOAD_ROLE]: role,
        ...settings
      } = (params.clickhouse_settings ?? {}) as Record<string, string>
      const { query = '' } = params
      params.clickhouse_settings = {
        ...settings,
        max_parser_backtracks: String(parserBacktracks(query.length)),
      }
      await check(params, ask, new Set(uploads.split(',').filter(Boolean))).catch(explained)
      // Only the query itself: the checks read no table.
      if (role !== undefined) params.role = role
      // The gate checks it as a plain query.
      if (estimate !== undefined) params.query = `EXPLAIN ESTIMATE ${params.query}`
      return run().catch(explained)
    })
  }
  return {
    writer: own({ max_insert_threads: '2', parallel_view_processing: 1 }),
    reader,
    guest: people({
      max_execution_time: 10,
      max_memory_usage: String(GIB),
      // One more row than the limit shows that a result was cut.
      max_result_rows: String(SQL_LIMITS.guest.rows + 1),
      max_result_bytes: String(64 * MIB),
      max_ast_elements: '10000',
      max_query_size: String(256 * 1024),
    }),
    member: people({
      max_execution_time: 60,
      max_memory_usage: String(4 * GIB),
      max_result_rows: String(SQL_LIMITS.member.rows + 1),
      max_result_bytes: String(GIB),
      max_ast_elements: '50000',
      max_query_size: String(MIB),
    }),
  }
}

type Asked = BaseQueryParams & { query?: string; table?: string }

/** The client with each way of asking led through `lead`. */
function around(
  client: ClickHouseClient,
  lead: <T>(params: Asked, run: () => Promise<T>) => Promise<T>,
): ClickHouseClient {
  const own = {
    query: client.query.bind(client),
    exec: client.exec.bind(client),
    command: client.command.bind(client),
    insert: client.insert.bind(client),
  }
  const query = (params: Parameters<typeof own.query>[0]) => lead(params, () => own.query(params))
  return Object.assign(client, {
    // The generic signature of `query` cannot be restated: the format is passed through as it came.
    query: query as unknown as typeof own.query,
    exec: (params: Parameters<typeof own.exec>[0]) => lead(params, () => own.exec(params)),
    command: (params: Parameters<typeof own.command>[0]) => lead(params, () => own.command(params)),
    insert: (params: Parameters<typeof own.insert>[0]) => lead(params, () => own.insert(params)),
  })
}

/**
 * The parse check of the gate by the server's own parser. The server refuses several statements and `INTO OUTFILE` by
 * itself: its HTTP interface takes neither.
 */
async function check(
  { query, query_params, abort_signal, clickhouse_settings }: Asked,
  ask: ClickHouseClient['exec'],
  uploads: ReadonlySet<string>,
): Promise<void> {
  if (query === undefined) throw refused(READ_ONLY)
  const quotaKey = (clickhouse_settings as Record<string, string> | undefined)?.[QUOTA_KEY]
  // The client's list of formats is shorter than the server's.
  const asking = async (query: string, default_format: string, more: Partial<Asked> = {}) =>
    text(
      (
        await ask({
          query,
          ...(abort_signal === undefined ? {} : { abort_signal }),
          ...more,
          clickhouse_settings: {
            default_format: default_format as DataFormat,
            // A server with a quota by key refuses requests without one.
            ...(quotaKey !== undefined && { [QUOTA_KEY]: quotaKey }),
            max_parser_backtracks: String(parserBacktracks(query.length)),
            ...more.clickhouse_settings,
          },
        })
      ).stream,
    )
  const formattingNow = async () =>
    readFormatting(
      await asking(formattingOf(query), 'JSONCompactEachRow', {
        clickhouse_settings: { max_query_size: String(MAX_FORMATTING_BYTES) },
      }),
    )
  const hasParameters = query_params !== undefined && Object.keys(query_params).length > 0
  // What cannot be formatted does not parse: the server says so without the parameters.
  const early = hasParameters
    ? await formattingNow().catch((cause: unknown) => {
        if (cause instanceof ClickHouseError) return undefined
        throw cause
      })
    : undefined
  const earlyRefusal = early && refusalOfParameters(early.formatted)
  if (earlyRefusal !== undefined) throw refused(earlyRefusal)
  const tree = await asking(EXPLAIN + query, 'TSVRaw', early && { query_params: query_params! }).catch(
    cause => {
      if (cause instanceof ClickHouseError) cause.message = placesShiftedBack(cause.message)
      throw cause
    },
  )
  if (!isReadingTree(tree)) throw refused(READ_ONLY)
  const refusal = gate(query, { tree, ...(early ?? (await formattingNow())) }, uploads)
  if (refusal !== undefined) throw refused(refusal)
}

/** As the server itself would refuse it, so that whoever reads its errors reads this one too. */
const refused = (refusal: string): ClickHouseError =>
  refusal === READ_ONLY
    ? new ClickHouseError({ message: refusal, code: '164', type: 'READONLY' })
    : new ClickHouseError({ message: refusal, code: '497', type: 'ACCESS_DENIED' })

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'its name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to that host',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it dropped the connection',
  EPIPE: 'it dropped the connection',
  EPROTO: 'it does not speak TLS',
}

/** What a failure of the server itself means, as a sentence; what it says about a statement is passed on as it is. */
const explain =
  (url: string, userVariable: string) =>
  (cause: unknown): never => {
    const at = `The ClickHouse server at ${new URL(url).origin}`
    if (cause instanceof ClickHouseError) {
      if (cause.code !== '516') throw cause
      throw new WarehouseError('warehouse.server_user', `${at} refuses the user or its password.`, {
        hint: `Correct ${userVariable} and its password.`,
        cause,
      })
    }
    const words = UNREACHABLE[cause instanceof Error && 'code' in cause ? String(cause.code) : '']
    if (words !== undefined)
      throw new WarehouseError('warehouse.server_away', `${at} cannot be reached: ${words}.`, {
        hint: 'Start it, or correct CLICKHOUSE_URL.',
        cause,
      })
    // The client gives a body that is none of ClickHouse's errors as the message.
    if (cause instanceof Error && /^\s*<|^(?:HTTP|Not Found|404)\b/i.test(cause.message))
      throw new WarehouseError('warehouse.server_other', `${at} is none: it does not answer as one would.`, {
        hint: 'Correct CLICKHOUSE_URL: it is the address of the HTTP interface, by default on port 8123.',
        cause,
      })
    throw cause
  }
