import type { Readable } from 'node:stream'
import { parserBacktracks } from '#kernel/sqlLimits.ts'
import {
  EXPLAIN,
  formatNamed,
  formattingOf,
  gate,
  isReadingTree,
  MAX_FORMATTING_BYTES,
  placesShiftedBack,
  READ_ONLY,
  readFormatting,
  refusalOfParameters,
} from '../gate/index.ts'
import type { ChangeCount } from './changes.ts'
import type { Control } from './control.ts'
import { FAILURES, failureOf } from './failure.ts'
import type { Connection, NativeEngine, Statement } from './native.ts'
import { overrunMs, watchOverrun } from './overrun.ts'
import type { AnswerPipes, Pipes } from './pipes.ts'
import { withProgress } from './progress.ts'
import type { Slots } from './queue.ts'
import { type EngineRequest, formatOf, insertWithRows } from './request.ts'
import { type Role, type RoleLimits, settingsOf } from './roles.ts'
import { literal } from './sql.ts'

/** What a statement gave. Bytes come block by block; counts of a streamed result are known at its end. */
export type Answer = {
  readonly format: string
  readonly chunks: AsyncIterable<Uint8Array>
  readonly counts: Counts
  /** Stops what still runs. */
  close(): Promise<void>
}

export type Counts = {
  resultRows: number
  resultBytes: number
  writtenRows: number
  writtenBytes: number
}

export type ExecuteDeps = {
  readonly engine: NativeEngine
  readonly control: Control
  readonly changes: ChangeCount
  readonly limits: Readonly<Record<Role, RoleLimits>>
  readonly slots: Readonly<Record<Role, Slots>>
  readonly pipes: Pipes
  readonly answerPipes: AnswerPipes
  /** Setting names that the engine knows: it takes unknown ones without a word. */
  readonly settingNames: ReadonlySet<string>
  /** Ends the engine process: a user query keeps it busy and cannot be ended in any other way. */
  readonly giveUp: (sql: string) => void
  /** How long a user query may keep it busy, ms; by its time limit unless given. */
  readonly mostBusyMs?: number
}

export type Execute = (
  role: Role,
  request: EngineRequest,
  signal: AbortSignal,
  use: (answer: Answer) => Promise<void>,
) => Promise<void>

const PROGRESS_FORMAT = 'JSONEachRowWithProgress'

/** Formats whose blocks may be written one after the other; all others have a head or a foot around the whole. */
const BLOCKWISE = new Set([
  PROGRESS_FORMAT,
  'CSV',
  'JSONCompactEachRow',
  'JSONCompactStringsEachRow',
  'JSONEachRow',
  'JSONLines',
  'JSONStringsEachRow',
  'LineAsString',
  'MsgPack',
  'NDJSON',
  'Native',
  'RawBLOB',
  'RowBinary',
  'TSV',
  'TSVRaw',
  'TabSeparated',
  'TabSeparatedRaw',
])

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
        if (role === 'writer') deps.changes.addStatement(request.sql)
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
  const settings = requestSettings(deps, role, request)
  const connection = connectionFor(deps, role, request, settings)
  // The engine forgets a stop that comes before the statement has begun: ask again until it is over.
  const stop = () => void deps.control.stop(request.queryId).catch(() => {})
  let insisting: NodeJS.Timeout | undefined
  const onAbort = () => {
    stop()
    insisting = setInterval(stop, 50)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    if (signal.aborted) throw FAILURES.cancelled()
    const { isPeople } = deps.limits[role]
    if (!isPeople) await setParameters(connection, request)
    let checkedFormat: string | undefined
    if (isPeople || mayBeSeveral(request.sql)) {
      const statement = await connection.classify(request.sql)
      if (isPeople) checkedFormat = await checkPeoples(deps, role, connection, request, statement)
      if (statement.count > 1) throw FAILURES.multiStatements()
    }
    // Streams start on this thread and evaluate constants there, so user queries use a pipe instead.
    const answer = await answerTo(deps, connection, {
      ...request,
      // Checked above as the query that it is.
      ...(isPeople && request.isEstimate && { sql: `EXPLAIN ESTIMATE ${request.sql}` }),
      isWholeAnswer: isPeople || request.isWholeAnswer,
      isStreamed: isPeople && request.isStreamed,
      // A comment in a user query can contain FORMAT, so only the checked format counts.
      format: isPeople
        ? (checkedFormat ?? request.defaultFormat)
        : (formatOf(request.sql) ?? request.defaultFormat),
    })
    try {
      if (signal.aborted) throw FAILURES.cancelled()
      await use(answer)
    } finally {
      await answer.close()
    }
  } finally {
    clearInterval(insisting)
    signal.removeEventListener('abort', onAbort)
    connection.close()
  }
}

/** Telling statements apart costs another parse of the text, which of our own needs none: they hold no `;` inside. */
const mayBeSeveral = (sql: string): boolean => /;\s*\S/.test(sql)

async function answerTo(
  deps: ExecuteDeps,
  connection: Connection,
  request: EngineRequest & { readonly format: string },
): Promise<Answer> {
  const { format } = request
  if (request.rows !== undefined) {
    const { rowsWritten, bytesWritten } = await insertRows(deps, connection, request, request.rows)
    return whole(format, new Uint8Array(0), { writtenRows: rowsWritten, writtenBytes: bytesWritten })
  }
  if (BLOCKWISE.has(format) && !request.isWholeAnswer) {
    const { kind } = await connection.classify(request.sql)
    const answer = kind === 'read' ? await streamed(deps, connection, request, format) : undefined
    if (answer !== undefined) return answer
  }
  const piped =
    request.isStreamed && !request.isEstimate && (await throughPipe(deps, connection, request, format))
  if (piped) return piped
  const { bytes, rowsRead, bytesRead } = await connection.run(request.sql, format)
  return whole(format, bytes, { resultRows: rowsRead, resultBytes: bytesRead })
}

function whole(format: string, bytes: Uint8Array, counts: Partial<Counts>): Answer {
  return {
    format,
    chunks: (async function* () {
      if (bytes.length > 0) yield bytes
    })(),
    counts: { resultRows: 0, resultBytes: 0, writtenRows: 0, writtenBytes: 0, ...counts },
    close: async () => {},
  }
}

/** Undefined if the engine cannot give this statement block by block, which it says before it has begun. */
async function streamed(
  { control }: ExecuteDeps,
  connection: Connection,
  { sql, queryId }: EngineRequest,
  format: string,
): Promise<Answer | undefined> {
  const blocks = connection.stream(sql, format)
  const counts: Counts = { resultRows: 0, resultBytes: 0, writtenRows: 0, writtenBytes: 0 }
  const counted = async function* (first: Promise<IteratorResult<{ bytes: Buffer; rowCount: number }>>) {
    for (let block = await first; !block.done; block = await blocks.next()) {
      counts.resultRows += block.value.rowCount
      counts.resultBytes += block.value.bytes.length
      yield block.value.bytes
    }
  }
  const close = async () => void (await blocks.return(undefined))
  const first = blocks.next()
  if (format === PROGRESS_FORMAT)
    return { format, chunks: withProgress(counted(first), () => control.progressOf(queryId)), counts, close }
  try {
    // Waited for, so that an error of the statement is an error of the request and not of its body.
    await first
  } catch (cause) {
    if (/Streaming query is not supported/.test(String(cause))) return undefined
    throw cause
  }
  return { format, chunks: counted(first), counts, close }
}

/** The pipe clause cannot follow a FORMAT clause or a semicolon. */
const mayBePiped = (sql: string, format: string): boolean =>
  BLOCKWISE.has(format) && formatOf(sql) === undefined && !sql.includes(';')

/** Streams the response through a named pipe, off this thread. Undefined if that is not possible. */
async function throughPipe(
  { answerPipes, control }: ExecuteDeps,
  connection: Connection,
  { sql, queryId }: EngineRequest,
  format: string,
): Promise<Answer | undefined> {
  if (!mayBePiped(sql, format)) return undefined
  const chunks = answerPipes.read(
    path => connection.run(`${sql}\nINTO OUTFILE ${literal(path)} APPEND FORMAT ${format}`, format),
    () => control.stop(queryId),
  )
  if (chunks === undefined) return undefined
  const counts: Counts = { resultRows: 0, resultBytes: 0, writtenRows: 0, writtenBytes: 0 }
  // Awaited, so an error before the first row fails the request instead of its body.
  const first = await chunks.next().catch(cause => {
    // The text passed the gate, so the syntax error is in the clause after it.
    if (/^(?:\w+: )?Code: 62\./.test(String(cause))) return undefined
    throw cause
  })
  if (first === undefined) return undefined
  return {
    format,
    chunks: (async function* () {
      if (first.done) return
      yield first.value
      yield* chunks
    })(),
    counts,
    close: async () => void (await chunks.return(undefined)),
  }
}

/** Hands the rows to the engine through a named pipe, as fast as it takes them. A sender who breaks off inserts nothing more. */
async function insertRows(
  { pipes, control }: ExecuteDeps,
  connection: Connection,
  { sql, queryId }: EngineRequest,
  rows: Readable,
): Promise<{ rowsWritten: number; bytesWritten: number }> {
  const parts = insertWithRows(sql)
  if (parts === undefined) throw FAILURES.badArguments('Rows came with a statement that takes none.')
  return pipes.use(async pipe => {
    const insert = connection.insert(`${parts.head} FROM INFILE ${literal(pipe.path)}${parts.tail}`)
    const cancel = async () => void (await control.stop(queryId))
    const [inserted] = await Promise.allSettled([insert, pipe.feed(rows, insert, cancel)])
    if (rows.errored) throw FAILURES.badArguments(`The rows broke off: ${rows.errored.message}.`)
    if (inserted.status === 'rejected') throw failureOf(inserted.reason)
    return inserted.value
  })
}

function connectionFor(
  { engine, giveUp, limits, mostBusyMs }: ExecuteDeps,
  role: Role,
  { sql }: EngineRequest,
  settings: ReadonlyMap<string, string>,
): Connection {
  const connection = engine.connect([...settings].map(([name, value]) => `--${name}=${value}`))
  if (!limits[role].isPeople) return connection
  const mostMs = mostBusyMs ?? overrunMs(Number(settings.get('max_execution_time')))
  return watchOverrun(connection, mostMs, () => giveUp(sql))
}

function requestSettings(deps: ExecuteDeps, role: Role, request: EngineRequest): Map<string, string> {
  for (const [name, value] of request.settings) {
    if (!deps.settingNames.has(name)) throw FAILURES.unknownSetting(name)
    if (value.includes('\0')) throw FAILURES.badArguments(`The value of setting '${name}' holds a zero byte.`)
  }
  const settings = settingsOf(deps.limits[role], request.settings)
  settings.set('log_comment', request.queryId)
  if (deps.limits[role].isPeople)
    settings.set('max_parser_backtracks', String(parserBacktracks(request.sql.length)))
  return settings
}

/** Throws if a user query is not allowed. Otherwise returns its FORMAT, if any. */
async function checkPeoples(
  deps: ExecuteDeps,
  role: Role,
  connection: Connection,
  request: EngineRequest,
  statement: Statement,
): Promise<string | undefined> {
  const { sql } = request
  // Of a text with two statements `EXPLAIN AST` would run the second.
  if (statement.count > 1) throw FAILURES.multiStatements()
  // What does not parse is left to the engine's own words, but never run under another kind.
  if (statement.count === 1 && statement.kind !== 'read') throw FAILURES.readonly(READ_ONLY)
  // What cannot be formatted does not parse: the engine says so without the parameters.
  const early =
    request.parameters.size === 0 ? undefined : await formattingBy(deps, role, sql).catch(() => undefined)
  if (early !== undefined) {
    const refusal = refusalOfParameters(early.formatted)
    if (refusal !== undefined) throw FAILURES.denied(refusal)
    await setParameters(connection, request)
  }
  const { bytes } = await connection.run(`${EXPLAIN}${sql}`, 'TSVRaw').catch(cause => {
    throw failureOf(new Error(placesShiftedBack(failureOf(cause).message)))
  })
  const tree = bytes.toString()
  if (!isReadingTree(tree)) throw FAILURES.readonly(READ_ONLY)
  const formatting = early ?? (await formattingBy(deps, role, sql))
  const refusal = gate(sql, { tree, ...formatting }, request.uploads)
  if (refusal === READ_ONLY) throw FAILURES.readonly(refusal)
  if (refusal !== undefined) throw FAILURES.denied(refusal)
  return formatNamed(formatting.formatted)
}

/** On a connection of its own: the statement as a text is longer than the statement itself may be. */
async function formattingBy({ engine, limits }: ExecuteDeps, role: Role, sql: string) {
  const settings = {
    ...limits[role].settings,
    max_query_size: MAX_FORMATTING_BYTES,
    max_parser_backtracks: parserBacktracks(sql.length),
  }
  const connection = engine.connect(Object.entries(settings).map(([name, value]) => `--${name}=${value}`))
  try {
    const { bytes } = await connection.run(formattingOf(sql), 'JSONCompactEachRow')
    return readFormatting(bytes.toString())
  } finally {
    connection.close()
  }
}

async function kill(control: Control, queryId: string, request: EngineRequest): Promise<Answer> {
  const format = formatOf(request.sql) ?? request.defaultFormat
  const { bytes, rowsRead, bytesRead } = await control.stop(queryId, format)
  return whole(format, bytes, { resultRows: rowsRead, resultBytes: bytesRead })
}

/** The one form of `KILL QUERY` that ClickHouse's documentation gives for an id. */
function killedId({ sql, parameters }: EngineRequest): string | undefined {
  const [, text, name] =
    /^\s*KILL\s+QUERY\s+WHERE\s+query_id\s*=\s*(?:'([^'\\]*)'|\{(\w+):\s*String\})/i.exec(sql) ?? []
  return name === undefined ? text : parameters.get(name)
}

async function setParameters(connection: Connection, { parameters }: EngineRequest): Promise<void> {
  if (parameters.size === 0) return
  const list = [...parameters].map(([name, value]) => `param_${identifier(name)} = ${literal(value)}`)
  await connection.run(`SET ${list.join(', ')}`, 'Null')
}

function identifier(name: string): string {
  if (/^\w+$/.test(name)) return name
  throw FAILURES.badArguments(`'${name}' is no name of a parameter.`)
}
