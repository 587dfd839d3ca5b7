import type { Readable } from 'node:stream'
import { FAILURES, failureOf } from './failure.ts'
import type { Gate } from './gate.ts'
import type { Connection, NativeEngine, Statement } from './native.ts'
import type { Pipes } from './pipes.ts'
import type { Slots } from './queue.ts'
import { type EngineRequest, formatOf, insertWithRows } from './request.ts'
import { type Role, type RoleLimits, settingsOf } from './roles.ts'

/** What a statement gave. Bytes come block by block; counts are known once they have all come. */
export type Answer = {
  readonly format: string
  readonly chunks: AsyncIterable<Uint8Array>
  readonly counts: Counts
}

export type Counts = { resultRows: number; resultBytes: number; writtenRows: number; writtenBytes: number }

export type ExecuteDeps = {
  readonly engine: NativeEngine
  /** For `KILL QUERY` and checks, never queued behind others. */
  readonly control: Connection
  readonly limits: Readonly<Record<Role, RoleLimits>>
  readonly slots: Readonly<Record<Role, Slots>>
  readonly gate: Gate
  readonly pipes: Pipes
  /** Setting names that the engine knows: it takes unknown ones without a word. */
  readonly settingNames: ReadonlySet<string>
}

/** Formats whose blocks may be written one after the other; all others have a head or a foot around the whole. */
const BLOCKWISE = new Set(
  'Native RowBinary JSONEachRow JSONLines NDJSON JSONStringsEachRow JSONCompactEachRow JSONCompactStringsEachRow TabSeparated TSV TabSeparatedRaw TSVRaw CSV MsgPack LineAsString RawBLOB JSONEachRowWithProgress'.split(
    ' ',
  ),
)

export type Execute = (
  role: Role,
  request: EngineRequest,
  signal: AbortSignal,
  use: (answer: Answer) => Promise<void>,
) => Promise<void>

/**
 * Runs one statement on a connection of its own, opened with the limits of the role and the settings of the request
 * (opening takes a tenth of a millisecond), so that nothing of it outlives the request. `use` gets the answer while the
 * connection is open. Aborting the signal stops the statement in the engine.
 */
export function createExecute(deps: ExecuteDeps): Execute {
  const running = new Set<string>()
  return async (role, request, signal, use) => {
    const { queryId } = request
    const killed = killedId(request)
    if (killed !== undefined && role === 'writer') return use(await kill(deps.control, killed, request))
    if (running.has(queryId)) throw FAILURES.sameId(queryId)
    running.add(queryId)
    try {
      const slot = await deps.slots[role].take(request.asker, signal)
      try {
        await runOn(deps, role, request, signal, use)
      } finally {
        slot.release()
      }
    } finally {
      running.delete(queryId)
    }
  }
}

async function runOn(
  deps: ExecuteDeps,
  role: Role,
  request: EngineRequest,
  signal: AbortSignal,
  use: (answer: Answer) => Promise<void>,
): Promise<void> {
  const connection = deps.engine.connect(engineArguments(deps, role, request))
  // The engine ignores a kill that comes before it has begun: ask again until the statement is over.
  const insist = () => void stop(deps.control, request.queryId)
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    insist()
    timer = setInterval(insist, 50)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    if (signal.aborted) throw FAILURES.cancelled()
    if (request.parameters.size > 0) await connection.run(parametersSql(request.parameters), 'Null')
    const statement = await connection.classify(request.sql)
    if (deps.limits[role].isPeople) await checkPeoples(deps.gate, connection, request.sql, statement)
    if (statement.count > 1)
      throw FAILURES.denied('One statement at a time: multi-statements are not allowed.')
    await use(await answerTo(deps, connection, request, statement, signal))
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', onAbort)
    connection.close()
  }
}

async function answerTo(
  deps: ExecuteDeps,
  connection: Connection,
  request: EngineRequest,
  statement: Statement,
  signal: AbortSignal,
): Promise<Answer> {
  const format = formatOf(request.sql) ?? request.defaultFormat
  const counts: Counts = { resultRows: 0, resultBytes: 0, writtenRows: 0, writtenBytes: 0 }
  if (request.rows !== undefined) {
    const written = await insertRows(deps.pipes, connection, request.sql, request.rows, () =>
      stop(deps.control, request.queryId),
    )
    counts.writtenRows = written.rowsWritten
    counts.writtenBytes = written.bytesWritten
    return { format, chunks: none(), counts }
  }
  if (statement.kind === 'read' && BLOCKWISE.has(format) && !request.isWholeAnswer) {
    const chunks = await streamed(connection, request.sql, format, counts)
    if (chunks !== undefined) return { format, chunks, counts }
  }
  const { bytes, rowsRead, bytesRead } = await connection.run(request.sql, format)
  if (signal.aborted) throw FAILURES.cancelled()
  counts.resultRows = rowsRead
  counts.resultBytes = bytesRead
  return { format, chunks: one(bytes), counts }
}

/** Waits for the first block, so that an error of the statement is an error of the request. */
async function streamed(
  connection: Connection,
  sql: string,
  format: string,
  counts: Counts,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const blocks = connection.stream(sql, format)
  let block = await blocks.next().catch(cause => {
    if (/Streaming query is not supported/.test(String(cause))) return undefined
    throw cause
  })
  if (block === undefined) return undefined
  const repeatsHead = format === 'JSONEachRowWithProgress'
  return (async function* () {
    try {
      for (let isFirst = true; !block.done; isFirst = false) {
        const { bytes, rowCount } = block.value
        counts.resultRows += rowCount
        counts.resultBytes += bytes.length
        yield repeatsHead && !isFirst ? bytes.subarray(bytes.indexOf(0x0a) + 1) : bytes
        block = await blocks.next()
      }
    } finally {
      await blocks.return(undefined)
    }
  })()
}

/** Hands the rows to the engine through a named pipe, as fast as it takes them. A sender who breaks off inserts nothing more. */
async function insertRows(
  pipes: Pipes,
  connection: Connection,
  sql: string,
  rows: Readable,
  cancel: () => Promise<void>,
): Promise<{ rowsWritten: number; bytesWritten: number }> {
  const parts = insertWithRows(sql)
  if (parts === undefined) throw FAILURES.badArguments('Rows came with a statement that takes none.')
  return pipes.use(async pipe => {
    const insert = connection.insert(`${parts.head} FROM INFILE '${pipe.path}'${parts.tail}`)
    const [inserted] = await Promise.allSettled([insert, pipe.feed(rows, insert, cancel)])
    if (inserted.status === 'rejected') throw failureOf(inserted.reason)
    if (rows.errored) throw FAILURES.cancelled()
    return inserted.value
  })
}

function engineArguments(deps: ExecuteDeps, role: Role, request: EngineRequest): string[] {
  for (const [name, value] of request.settings) {
    if (!deps.settingNames.has(name)) throw FAILURES.unknownSetting(name)
    if (value.includes('\0')) throw FAILURES.badArguments(`The value of setting '${name}' holds a zero byte.`)
  }
  const settings = settingsOf(deps.limits[role], request.settings)
  settings.set('log_comment', request.queryId)
  return [...settings].map(([name, value]) => `--${name}=${value}`)
}

async function checkPeoples(
  gate: Gate,
  connection: Connection,
  sql: string,
  statement: Statement,
): Promise<void> {
  // A text of two statements must not reach `EXPLAIN AST`, which would run the second.
  const syntaxTree = statement.count === 1 ? await connection.run(`EXPLAIN AST ${sql}`, 'TSVRaw') : undefined
  gate.check(statement, syntaxTree === undefined ? '' : syntaxTree.bytes.toString())
}

/** The engine gives its own ids; ours travels as the connection's `log_comment`, which a read-only one cannot change. */
async function stop(control: Connection, queryId: string): Promise<void> {
  await control
    .run(`KILL QUERY WHERE Settings['log_comment'] = ${literal(queryId)} ASYNC`, 'Null')
    .catch(() => {})
}

async function kill(control: Connection, queryId: string, request: EngineRequest): Promise<Answer> {
  const format = formatOf(request.sql) ?? request.defaultFormat
  const { bytes, rowsRead, bytesRead } = await control.run(
    `KILL QUERY WHERE Settings['log_comment'] = ${literal(queryId)} ASYNC FORMAT ${format}`,
    format,
  )
  return {
    format,
    chunks: one(bytes),
    counts: { resultRows: rowsRead, resultBytes: bytesRead, writtenRows: 0, writtenBytes: 0 },
  }
}

/** The one form of `KILL QUERY` that ClickHouse's documentation gives for an id. */
function killedId({ sql, parameters }: EngineRequest): string | undefined {
  const [, text, name] =
    /^\s*KILL\s+QUERY\s+WHERE\s+query_id\s*=\s*(?:'([^'\\]*)'|\{(\w+):\s*String\})/i.exec(sql) ?? []
  return name === undefined ? text : parameters.get(name)
}

const parametersSql = (parameters: ReadonlyMap<string, string>): string =>
  `SET ${[...parameters].map(([name, value]) => `param_${identifier(name)} = ${literal(value)}`).join(', ')}`

function identifier(name: string): string {
  if (/^\w+$/.test(name)) return name
  throw FAILURES.badArguments(`'${name}' is no name of a parameter.`)
}

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

async function* none(): AsyncGenerator<Uint8Array> {}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}
