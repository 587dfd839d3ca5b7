import {
  AccountError,
  type ApiKey,
  demandPerson,
  displayName,
  limitedKey,
  personKey,
} from '#accounts/index.ts'
import { type Log, silentLog } from '#kernel/log.ts'
import type { Features, Person } from '#kernel/people.ts'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import {
  bindQuery,
  boundStatements,
  type ChartRequest,
  createQueries,
  type DailyUsage,
  EXECUTION_LIMITS,
  isOfQuery,
  type PastRun,
  QueryError,
  type QueryRole,
  type QueryTool,
  type ResultFile,
  type ResultFileFormat,
  type ResultView,
  type Run,
  type RunCaller,
  type SavedQuery,
  type SavedQueryChange,
  type StoredFile,
  type StoredResult,
  slotsOf,
} from '#queries/index.ts'
import { OPEN_FUNCTIONS } from '#warehouse/index.ts'
import { ApiError, problemOf, toApiError } from '../apiError.ts'
import type {
  ChangedQuery,
  CitedResult,
  ColumnProfile,
  LatestQueryResult,
  QueryDialect,
  QueryEstimate,
  QueryHistory,
  QueryResult,
  QueryRun,
  QueryRunEvent,
  QuerySchema,
  QueryVersion,
  ResultChart,
  ResultPage,
  SavedQuery as SavedQueryAnswer,
  SavedQueries as SavedQueryList,
  TableCoverage,
} from '../contract.ts'
import { changeWarnings } from './changeWarnings.ts'
import { tableCoverage } from './tableCoverage.ts'

/** Who asks, as far as the query tool cares. */
export type QueryCaller = RunCaller & { readonly person: Person | undefined; readonly features: Features }

/**
 * Larger limits for users with the feature `query`. A token or key that runs SQL needs the scope `read:query`; a key limited to
 * saved queries is refused.
 */
export function roleOf(person: Person | undefined, features: Features): QueryRole {
  if (person?.queries !== undefined) throw limitedKey()
  return limitsOf(person, features)
}

function limitsOf(person: Person | undefined, features: Features): QueryRole {
  if (person !== undefined && !person.scopes.has('read:query'))
    throw new AccountError('accounts.scope', 'This key or token is not for SQL.', {
      hint: 'It needs the scope read:query.',
    })
  return features.query === true ? 'member' : 'guest'
}

type Asking = { asker: string; person: Person | undefined; features: Features }

/** Signed-in users own their runs wherever they are; everybody else by network. Refuses keys limited to saved queries. */
export function callerOf(asking: Asking): QueryCaller {
  roleOf(asking.person, asking.features)
  return namedCallerOf(asking)
}

/** The same for what a key limited to saved queries may do, as far as they go. */
export function namedCallerOf({ asker, person, features }: Asking): QueryCaller {
  const role = limitsOf(person, features)
  const owner = person === undefined ? `network ${asker}` : personKey(person)
  const isMember = role === 'member'
  return {
    owner,
    caller: isMember ? owner : asker,
    role,
    hasHistory: isMember,
    uploadsOf: uploadsOf(person, features),
    person,
    features,
  }
}

/** Whose uploads a caller may query: their own, with the feature `query` and a sign-in or key that reads what is theirs. */
export function uploadsOf(person: Person | undefined, features: Features): string | undefined {
  if (person === undefined || features.query !== true) return undefined
  return person.scopes.has(person.via === 'key' ? 'read:own' : 'read:private') ? personKey(person) : undefined
}

/** The owner of what is saved: a signed-in user, or a key of theirs with the scope. Undefined for a caller who is not signed in. */
export function ownerOf(person: Person | undefined, scope: 'read:own' | 'write:own'): string | undefined {
  if (person === undefined) return undefined
  if (person.queries !== undefined) throw limitedKey()
  if (!person.scopes.has(person.via === 'key' ? scope : 'read:private'))
    throw new AccountError('accounts.scope', 'This key or token is not for saved queries.', {
      hint: person.via === 'key' ? `It needs the scope ${scope}.` : 'It needs the scope read:private.',
    })
  return personKey(person)
}

/** Who reads a saved query: a key limited to some, as its owner. Undefined for a caller who is not signed in. */
export function readerOf(id: string, person: Person | undefined): string | undefined {
  if (person?.queries === undefined) return ownerOf(person, 'read:own')
  if (!person.queries.has(id)) throw limitedKey()
  return personKey(person)
}

/** Saving and history are for users with the feature `query`. */
export function requireOwner({ person, features }: Who, scope: 'read:own' | 'write:own'): string {
  const owner = ownerOf(demandPerson(person), scope) ?? ''
  if (features.query !== true)
    throw new ApiError(
      problemOf('sql.premium', 'Saving queries and their history needs Premium.', {
        hint: 'See /pricing. Copy the text of the query to keep it meanwhile.',
      }),
    )
  return owner
}

/** Who saves, with the name that others see. */
const authorOf = (who: Who) => ({
  key: requireOwner(who, 'write:own'),
  name: displayName(demandPerson(who.person)),
})

/** The text and parameters of a saved query that this caller may run. */
type SavedRun = {
  readonly id: string
  readonly parameters: Record<string, string>
  readonly isFresh: boolean
  readonly waitMs: number
}

type Who = { readonly person: Person | undefined; readonly features: Features }

const TABLES_SQL = `SELECT table_name, table_comment FROM information_schema.tables
WHERE table_schema = 'default' ORDER BY table_name`
const COLUMNS_SQL = `SELECT table_name, column_name, data_type, column_comment FROM information_schema.columns
WHERE table_schema = 'default' ORDER BY table_name, ordinal_position`
/** Rows of a result that users without the feature may export. */
const FREE_EXPORT_ROWS = SQL_LIMITS.guest.rows
const FREE_FORMATS: readonly ResultFileFormat[] = ['csv', 'json-array', 'jsonl']
/** Rows that a page shows of a result before its script comes, and how long it waits for them. */
const DRAWN_ROWS = 50
const DRAWN_MS = 3_000

export type QueriesApi = ReturnType<typeof createQueriesApi>

/** The query tool as the API answers it. Throws ApiError only. */
export function createQueriesApi(
  tool: QueryTool,
  /** API keys of a user. */
  keysOf: (person: Person) => Promise<readonly Pick<ApiKey, 'queries'>[]> = async () => [],
  log: Pick<Log, 'warn'> = silentLog,
) {
  const { executor, estimate, runs, results, history, saved } = tool
  const queries = createQueries(executor)
  const asking = async <T>(ask: () => T | Promise<T>): Promise<T> => {
    try {
      return await ask()
    } catch (thrown) {
      throw toApiError(thrown)
    }
  }
  /** A key limited to saved queries runs and reads their texts alone, whoever first ran them. */
  const checkText = async (sql: string, { person, owner }: QueryCaller): Promise<void> => {
    if (person?.queries === undefined) return
    if (!(await saved.hasText([...person.queries], owner, sql))) throw limitedKey()
  }
  const checkResult = async (hash: string, caller: QueryCaller): Promise<void> => {
    if (caller.person?.queries === undefined) return
    // A removed result still names its query, which may be another one than those of the key.
    const { sql } = await results.info(hash, caller.uploadsOf).catch(cause => {
      throw cause instanceof QueryError && cause.code === 'sql.result_expired'
        ? new QueryError('sql.result_expired', 'The result is no longer stored.', {
            hint: 'Run the query again.',
          })
        : cause
    })
    await checkText(sql, caller)
  }
  const checkExport = async (hash: string, format: ResultFileFormat, caller: QueryCaller): Promise<void> => {
    await checkResult(hash, caller)
    const { rowCount } = await results.info(hash, caller.uploadsOf)
    if (caller.role !== 'member' && (rowCount > FREE_EXPORT_ROWS || !FREE_FORMATS.includes(format)))
      throw new ApiError(
        problemOf('sql.export', 'This export needs Premium.', {
          hint: `Without it, results of up to ${FREE_EXPORT_ROWS.toLocaleString('en-US')} rows can be exported as CSV, JSON and JSON Lines.`,
        }),
      )
  }
  const fileReaderOf = ({ caller, role, uploadsOf }: QueryCaller, signal: AbortSignal) => ({
    caller,
    isMember: role === 'member',
    owner: uploadsOf,
    signal,
  })
  const checkRun = async (id: string, caller: QueryCaller): Promise<void> => {
    const run = await runs.get(id, caller.owner)
    if (run !== undefined) await checkText(run.sql, caller)
  }
  /** The saved query, if this caller may run it. */
  const runnable = async (id: string, { person, owner }: QueryCaller): Promise<SavedQuery> => {
    if (person?.queries !== undefined) {
      if (!person.queries.has(id)) throw limitedKey()
      const own = await saved.get(id, owner)
      if (!own.isOwn) throw limitedKey()
      return own
    }
    const isKeyForSql = person?.via === 'key' && !person.scopes.has('read:own')
    // The answer holds the text, which such a key may not read unless everybody may.
    return saved.get(id, person === undefined || isKeyForSql ? undefined : owner)
  }
  const found = (run: Run | undefined): QueryRun => {
    if (run !== undefined) return runOf(run)
    throw new ApiError(
      problemOf('sql.unknown_run', 'No query run has this id, or it belongs to another user.', {
        hint: 'Runs are available for an hour after they end.',
      }),
    )
  }
  const rowsOf = async (sql: string, caller: QueryCaller, parameters: Record<string, string> = {}) =>
    (
      await queries.rows(
        { sql, parameters, uploadsOf: caller.uploadsOf },
        caller.caller,
        undefined,
        caller.role,
        false,
      )
    ).rows

  /** The newest results of a query that is saved stay with it. */
  const pinResultsOf = async (sql: string, { person }: Who): Promise<void> => {
    const texts = [sql, ...boundStatements(sql)]
    const owner = personKey(demandPerson(person))
    for (const result of await history.resultsOf(owner, texts)) {
      // What another process stored is pinned once it is known here.
      await results.find(result)
      await results.pin(result, owner)
    }
  }

  const warningsOf = async (before: SavedQuery, after: SavedQuery, { person }: Who): Promise<string[]> => {
    const author = demandPerson(person)
    const keys = after.isOwn ? await keysOf(author) : []
    return changeWarnings(tool, {
      before,
      after,
      author: personKey(author),
      keys: keys.filter(({ queries }) => queries?.includes(after.id)).length,
    })
  }

  /** What follows a save. A failure would otherwise refuse what was saved, and the next save conflicts with it. */
  const onceSaved = async <T>(id: string, follow: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await follow()
    } catch (cause) {
      log.warn('A query was saved, but what follows a save failed.', { id, cause: String(cause) })
      return undefined
    }
  }

  const pastOf = async (run: PastRun): Promise<QueryHistory['runs'][number]> => {
    const stored = run.result === null ? undefined : await results.find(run.result)
    return {
      ...run,
      parameters: { ...run.parameters },
      createdAt: run.createdAt.toISOString(),
      startedAt: run.startedAt?.toISOString() ?? null,
      endedAt: run.endedAt?.toISOString() ?? null,
      result: stored === undefined ? null : resultOf(stored),
      // Written by `problemOf` when the run ended.
      problem: run.problem as QueryRun['problem'],
    }
  }

  const citedOf = ({ sql, parameters, ...stored }: StoredResult): CitedResult => ({
    result: resultOf({ sql, parameters, ...stored }),
    sql,
    parameters: { ...parameters },
    currentDataVersion: tool.dataVersion(),
  })

  return {
    async start(
      request: {
        sql: string
        parameters: Record<string, string>
        isFresh: boolean
        waitMs: number
        dataVersion?: string
      },
      caller: QueryCaller,
      signal: AbortSignal,
    ): Promise<QueryRun> {
      return asking(async () => {
        await checkText(request.sql, caller)
        const run = await runs.start(request, caller)
        return found(await runs.settle(run.id, caller.owner, request.waitMs, signal))
      })
    },
    /** Runs a saved query as it is now, with its own values for parameters that are not given. */
    startSaved(request: SavedRun, caller: QueryCaller, signal: AbortSignal): Promise<QueryRun> {
      return asking(async () => {
        const { sql, parameters: saved } = await runnable(request.id, caller)
        const { parameters: given, isFresh, waitMs } = request
        const run = await runs.start({ ...bindQuery(sql, { given, saved }), isFresh }, caller)
        return found(await runs.settle(run.id, caller.owner, waitMs, signal))
      })
    },
    /** The run once it has ended, or as it is after `ms`. */
    wait: (id: string, caller: QueryCaller, ms: number, signal: AbortSignal) =>
      asking(async () => {
        await checkRun(id, caller)
        return found(await runs.settle(id, caller.owner, ms, signal))
      }),
    run: (id: string, caller: QueryCaller) =>
      asking(async () => {
        await checkRun(id, caller)
        return found(await runs.get(id, caller.owner))
      }),
    cancel: (id: string, caller: QueryCaller) =>
      asking(async () => {
        await checkRun(id, caller)
        return found(await runs.cancel(id, caller.owner))
      }),
    async follow(
      id: string,
      caller: QueryCaller,
      signal: AbortSignal,
    ): Promise<AsyncIterable<{ name: string; data: QueryRunEvent }>> {
      await asking(() => checkRun(id, caller))
      const followed = await runs.follow(id, caller.owner, signal)
      if (followed === undefined) found(undefined)
      return (async function* () {
        let sent: Run['firstRows']
        for await (const run of followed ?? []) {
          const { firstRows = sent } = run
          const isReadable = firstRows?.isOfUploads === false || caller.uploadsOf === run.owner
          const isNew = firstRows !== sent && isReadable
          sent = firstRows
          yield { name: 'run', data: { ...runOf(run), ...(isNew && firstRowsOf(firstRows)) } }
        }
      })()
    },
    page: (
      hash: string,
      view: ResultView,
      window: { offset: number; limit: number },
      caller: QueryCaller,
      signal: AbortSignal,
    ): Promise<ResultPage> =>
      asking(async () => {
        await checkResult(hash, caller)
        const reader = { caller: caller.owner, owner: caller.uploadsOf, signal }
        const [result, { rows, matchingRows }] = await Promise.all([
          results.info(hash, reader.owner),
          results.page(hash, view, window, reader),
        ])
        return { result: resultOf(result), rows, offset: window.offset, matchingRows }
      }),
    /** What is known of a result. Throws where this caller may not read it, or it is no longer stored. */
    result: (hash: string, caller: QueryCaller): Promise<QueryResult> =>
      asking(async () => {
        await checkResult(hash, caller)
        return resultOf(await results.info(hash, caller.uploadsOf))
      }),
    file: (
      hash: string,
      view: ResultView,
      format: ResultFileFormat,
      caller: QueryCaller,
      signal: AbortSignal,
    ): Promise<ResultFile> =>
      asking(async () => {
        await checkExport(hash, format, caller)
        return results.file(hash, view, format, fileReaderOf(caller, signal))
      }),
    /** Throws what `file` would throw before it reads a row. */
    checkFile: (
      hash: string,
      view: ResultView,
      format: ResultFileFormat,
      caller: QueryCaller,
    ): Promise<void> =>
      asking(async () => {
        await checkExport(hash, format, caller)
        await results.checkFile(hash, view, format, caller.uploadsOf)
      }),
    /** The stored rows as they are on the disk; undefined where only a file that is written anew has just the rows of the result. */
    storedFile: (hash: string, caller: QueryCaller, signal: AbortSignal): Promise<StoredFile | undefined> =>
      asking(async () => {
        await checkExport(hash, 'native', caller)
        return results.storedFile(hash, fileReaderOf(caller, signal))
      }),
    chart: (
      hash: string,
      request: ChartRequest,
      caller: QueryCaller,
      signal: AbortSignal,
    ): Promise<ResultChart> =>
      asking(async () => {
        await checkResult(hash, caller)
        return results.chart(hash, request, { caller: caller.owner, owner: caller.uploadsOf, signal })
      }),
    profile: (
      hash: string,
      column: number,
      filters: ResultView['filters'],
      caller: QueryCaller,
      signal: AbortSignal,
    ): Promise<ColumnProfile> =>
      asking(async () => {
        await checkResult(hash, caller)
        const profile = await results.profile(hash, column, filters, {
          caller: caller.owner,
          owner: caller.uploadsOf,
          signal,
        })
        return {
          ...profile,
          top: [...profile.top],
          histogram: [...profile.histogram],
        }
      }),
    estimate: (
      { sql, parameters }: { sql: string; parameters: Record<string, string> },
      caller: QueryCaller,
    ): Promise<QueryEstimate> =>
      asking(async () => {
        const { seconds, memoryBytes, rows } = SQL_LIMITS[caller.role]
        const running = slotsOf(EXECUTION_LIMITS.turns, caller.role === 'member').most
        const limits = { seconds, memoryBytes, rows, running }
        const counted = await executor.usageOf(caller.caller, caller.role)
        const usage = counted && usageAnswer(counted)
        try {
          return {
            ...(usage && { usage }),
            rows: await estimate({ sql, parameters, uploadsOf: caller.uploadsOf }, caller),
            limits,
          }
        } catch (cause) {
          if (isOfQuery(cause)) return { ...(usage && { usage }), rows: null, limits }
          throw cause
        }
      }),
    schema: (caller: QueryCaller): Promise<QuerySchema> =>
      asking(async () => {
        const [tables, columns] = [await rowsOf(TABLES_SQL, caller), await rowsOf(COLUMNS_SQL, caller)]
        const byTable = Map.groupBy(columns, ([table]) => String(table))
        return {
          tables: tables.map(([name, about]) => ({
            name: String(name),
            about: String(about ?? ''),
            columns: (byTable.get(String(name)) ?? []).map(([, column, type, comment]) => ({
              name: String(column),
              type: String(type),
              about: String(comment ?? ''),
            })),
          })),
        }
      }),
    coverage: (table: string, caller: QueryCaller): Promise<TableCoverage> =>
      asking(async () => {
        const columns = (await rowsOf(COLUMNS_SQL, caller)).filter(([name]) => name === table)
        if (columns.length === 0)
          throw new ApiError(
            problemOf('sql.unknown_table', 'No table has this name.', {
              hint: 'SHOW TABLES lists what can be read.',
            }),
          )
        return tableCoverage(
          table,
          columns.map(([, name, type]) => ({ name: String(name), type: String(type) })),
          {
            estimate: sql => estimate({ sql, parameters: {} }, caller),
            rowsOf: sql => rowsOf(sql, caller),
          },
        )
      }),
    history: (
      who: Who,
      window: { limit: number; before: Date | undefined; search?: string | undefined },
    ): Promise<QueryHistory> =>
      asking(async () => {
        const past = await history.list(requireOwner(who, 'read:own'), window)
        return { runs: await Promise.all(past.map(pastOf)) }
      }),
    list: ({ person }: Who, ofPublic: { search?: string; offset?: number }): Promise<SavedQueryList> =>
      asking(async () => {
        const { own, starred, team, public: shown } = await saved.list(ownerOf(person, 'read:own'), ofPublic)
        return {
          own: own.map(summaryOf),
          starred: starred.map(summaryOf),
          team: team.map(summaryOf),
          public: shown.map(summaryOf),
        }
      }),
    read: (id: string, { person }: Who): Promise<SavedQueryAnswer> =>
      asking(async () => savedOf(await saved.get(id, ownerOf(person, 'read:own')))),
    versions: (id: string, { person }: Who): Promise<{ versions: QueryVersion[] }> =>
      asking(async () => ({
        versions: (await saved.versions(id, ownerOf(person, 'read:own'))).map(
          ({ savedAt, parameters, chart, ...version }) => ({
            ...version,
            parameters: { ...parameters },
            chart: chartOf(chart),
            savedAt: savedAt.toISOString(),
          }),
        ),
      })),
    create: (change: SavedQueryChange, who: Who): Promise<SavedQueryAnswer> =>
      asking(async () => {
        const query = savedOf(await saved.create(change, authorOf(who)))
        await onceSaved(query.id, () => pinResultsOf(change.sql, who))
        return query
      }),
    change: (id: string, change: SavedQueryChange, who: Who): Promise<ChangedQuery> =>
      asking(async () => {
        const author = authorOf(who)
        const before = await saved.get(id, author.key)
        const after = await saved.change(id, change, author)
        const warnings = (await onceSaved(id, () => warningsOf(before, after, who))) ?? []
        await onceSaved(id, () => pinResultsOf(change.sql, who))
        return { ...savedOf(after), warnings }
      }),
    remove: (id: string, who: Who): Promise<void> =>
      // Whoever no longer has the feature still takes back what they shared.
      asking(() => saved.remove(id, ownerOf(demandPerson(who.person), 'write:own') ?? '')),
    /** Refuses queries that this user did not save: nobody else may change what a key runs. */
    requireOwn: (ids: readonly string[], person: Person): Promise<void> =>
      asking(async () => {
        const own = await saved.ownOf(ids, personKey(person))
        const missing = ids.find(id => !own.includes(id))
        if (missing !== undefined)
          throw new AccountError('accounts.form', `You have no saved query ${missing}.`, {
            hint: 'A key can be limited to queries that you saved. Save a copy of a query of somebody else.',
          })
      }),
    star: (id: string, isStarred: boolean, who: Who): Promise<SavedQueryAnswer> =>
      asking(async () => {
        const owner = ownerOf(demandPerson(who.person), 'write:own') ?? ''
        return savedOf(await saved.star(id, owner, isStarred))
      }),
    equivalence: (first: string, second: string, caller: QueryCaller) =>
      asking(async () => {
        const treeOf = async (sql: string) => JSON.stringify(await rowsOf(`EXPLAIN AST ${sql}`, caller))
        return { isEquivalent: (await treeOf(first)) === (await treeOf(second)) }
      }),
    /** A stored result with the query that it is of. */
    cited: (hash: string, caller: QueryCaller): Promise<CitedResult> =>
      asking(async () => {
        await checkResult(hash, caller)
        return citedOf(await results.info(hash, caller.uploadsOf))
      }),
    /** The same with the rows that a page shows before its script comes. */
    drawn: (hash: string, caller: QueryCaller): Promise<CitedResult & Pick<ResultPage, 'rows'>> =>
      asking(async () => {
        const stored = await results.info(hash, caller.uploadsOf)
        const reader = {
          caller: caller.owner,
          owner: caller.uploadsOf,
          signal: AbortSignal.timeout(DRAWN_MS),
        }
        const { rows } = await results
          .page(hash, {}, { offset: 0, limit: DRAWN_ROWS }, reader)
          // Facts and text are drawn all the same; the grid asks again.
          .catch(() => ({ rows: [] }))
        return { ...citedOf(stored), rows }
      }),
    /** Stores a result for longer, for users with the feature. */
    pin: (hash: string, caller: QueryCaller): Promise<{ isPinned: boolean }> =>
      asking(async () => {
        await results.info(hash, caller.uploadsOf)
        return { isPinned: caller.role === 'member' && (await results.pin(hash, caller.owner)) }
      }),
    /** The latest scheduled result of a saved query, for whoever may read both. */
    latest: (id: string, caller: QueryCaller): Promise<LatestQueryResult> =>
      asking(async () => {
        const { latest } = await tool.schedules.read(id, readerOf(id, caller.person))
        const stored = latest?.result == null ? null : await results.info(latest.result, caller.uploadsOf)
        return {
          result: stored && resultOf(stored),
          resultAt: latest?.resultAt?.toISOString() ?? null,
          endedAt: latest?.endedAt.toISOString() ?? null,
          problem: (latest?.problem ?? null) as LatestQueryResult['problem'],
        }
      }),
    dialect: (): Promise<QueryDialect> =>
      asking(async () => ({ keywords: await results.keywords(), functions: [...OPEN_FUNCTIONS] })),
  }
}

const chartOf = (chart: SavedQuery['chart']): SavedQueryAnswer['chart'] =>
  chart && { ...chart, values: [...chart.values] }

const savedOf = ({ createdAt, changedAt, ...query }: SavedQuery): SavedQueryAnswer => ({
  ...query,
  parameters: { ...query.parameters },
  chart: chartOf(query.chart),
  createdAt: createdAt.toISOString(),
  changedAt: changedAt.toISOString(),
})

function summaryOf(query: SavedQuery): SavedQueryList['own'][number] {
  const { sql: _sql, parameters: _parameters, chart: _chart, ...summary } = savedOf(query)
  return summary
}

const usageAnswer = ({ resetsAt, ...parts }: DailyUsage) => ({
  ...parts,
  resetsAt: new Date(resetsAt).toISOString(),
})

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

function runOf(run: Run): QueryRun {
  return {
    id: run.id,
    state: run.state,
    sql: run.sql,
    parameters: { ...run.parameters },
    createdAt: new Date(run.createdAt).toISOString(),
    startedAt: iso(run.startedAt),
    endedAt: iso(run.endedAt),
    queue: run.queue,
    ...(run.usage && { usage: usageAnswer(run.usage) }),
    progress: run.progress,
    result: run.result && resultOf(run.result),
    isReused: run.isReused,
    problem:
      run.state === 'failed' ? ((run.problem as QueryRun['problem']) ?? toApiError(run.error).problem) : null,
  }
}

const firstRowsOf = (found: Run['firstRows']): Pick<QueryRunEvent, 'firstRows'> =>
  found === undefined ? {} : { firstRows: { columns: [...found.columns], rows: [...found.rows] } }

const resultOf = ({ sql: _sql, parameters: _parameters, owner, ...result }: StoredResult): QueryResult => ({
  ...result,
  isPrivate: owner !== undefined,
})
