import { open } from 'node:fs/promises'
import process from 'node:process'
import { Command } from 'commander'
import { z } from 'zod'
import { AssayError, ConfigError, sentenceOf } from '#kernel/errors.ts'
import { firstSigns, replaceHidden } from '#kernel/hiddenCharacters.ts'
import { zodWords } from '#kernel/zodWords.ts'
import {
  type Bundle,
  bundle,
  chartOf,
  type DataServer,
  type Difference,
  firstDifference,
  hashOf,
  input,
  METRIC_TABLE,
  type MetricBundle,
  PROVENANCE_FORMAT,
  PROVENANCE_VERSION,
} from '#queries/index.ts'
import { printLine } from './output.ts'
import { stopSignal } from './stop.ts'

const MOST_FILE_BYTES = 4 * 2 ** 20
const MOST_ANSWER_BYTES = 16 * 2 ** 20
const REQUEST_MS = 120_000
/** A query may wait for a slot and then run for its whole time. */
const RUN_MS = 300_000
const WAIT_SECONDS = 20

export const checkCommand = (): Command =>
  new Command('check')
    .description(
      'compare a provenance file with an Assay server: same figures, and if not, which input differs',
    )
    .argument('<file>', 'provenance file of a figure, chart or query result')
    .option('--server <url>', 'address of the server; default: the local one')
    .option('--json', 'as one JSON object', false)
    .addHelpText(
      'after',
      `
ASSAY_API_KEY: API key of the server; without one the limits of guests apply.
Exit codes: 0 equal, 1 different or not checkable, 2 wrong call.`,
    )
    .action(async (path: string, { server, json }: { server?: string; json: boolean }) => {
      const file = await readProvenanceFile(path)
      const origin = originOf(server ?? `http://localhost:${process.env.PORT ?? 4400}`)
      const verdict = await check(file, createServerClient(origin, process.env.ASSAY_API_KEY, stopSignal()))
      if (json) await printLine(JSON.stringify(verdict))
      else for (const line of linesOf(file, origin, verdict)) await printLine(shown(line))
      if (!verdict.isEqual) process.exitCode = 1
    })

/** Outcome of a check. `difference` is the first input that differs, as a sentence. */
export type Verdict = {
  readonly isEqual: boolean
  /** Null: the server could not give the rows. */
  readonly isResultEqual: boolean | null
  /** Equal except for the last digits of floats. */
  readonly isRounded: boolean
  readonly difference: string | null
  readonly input: Difference | { readonly kind: 'metric' | 'table'; readonly name: string } | null
  /** Of a chart: the first metric whose figures differ. */
  readonly figure: string | null
  /** Why the rows could not be compared, or why they may differ. */
  readonly problem: string | null
}

/** Reads a file of a stranger. Throws AssayError `cli.provenance` with a sentence. */
export async function readProvenanceFile(path: string): Promise<Bundle> {
  const refuse = (sentence: string, cause?: unknown): never => {
    throw new AssayError('cli.provenance', shown(sentence), { cause })
  }
  let text = ''
  try {
    const file = await open(path, 'r')
    try {
      const stat = await file.stat()
      if (!stat.isFile()) return refuse('This is no file.')
      if (stat.size > MOST_FILE_BYTES)
        return refuse(
          `The file is larger than ${MOST_FILE_BYTES / 2 ** 20} MiB, so it is no provenance file.`,
        )
      text = await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (cause) {
    if (cause instanceof AssayError) throw cause
    return refuse(`The file cannot be read: ${sentenceOf(cause)}`, cause)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return refuse('The file is not JSON.', cause)
  }
  const head = z.looseObject({ format: z.literal(PROVENANCE_FORMAT), version: z.unknown() }).safeParse(value)
  if (!head.success) return refuse('The file is not a provenance file of Assay.')
  if (head.data.version !== PROVENANCE_VERSION)
    return refuse(
      `The file has version ${JSON.stringify(head.data.version) ?? 'none'} of the format. This program reads version ${PROVENANCE_VERSION}.`,
    )
  const parsed = bundle.safeParse(value, { error: zodWords })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refuse(`The provenance file is malformed: \`${issue?.path.join('.')}\` ${issue?.message}.`)
  }
  for (const { metric, definition: stated } of figuresOf(parsed.data.subject)) {
    const { version, name, unit, aggregate, definition, sql } = stated
    if (version !== hashOf(JSON.stringify([metric, name, unit, aggregate, definition, sql])))
      return refuse('The provenance file contradicts itself: a definition does not have its version.')
  }
  return parsed.data
}

/** The metrics of a file; none for a query. */
function figuresOf(subject: Bundle['subject']) {
  switch (subject.kind) {
    case 'metric':
      return [subject]
    case 'chart':
      return subject.figures
    case 'query':
      return []
  }
}

/** Throws ConfigError for what is no address of a server. */
function originOf(address: string): string {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new ConfigError(
      'cli.check_server',
      `--server: ${shown(JSON.stringify(address))} is not an http or https address without a password.`,
    )
  return url.origin
}

export type ServerClient = DataServer & {
  /** The same figure or query on the server, as its provenance file. */
  provenance(subject: Bundle['subject']): Promise<Bundle>
}

const answerOf = {
  inputs: z.object({ inputs: z.array(input.nullable()).max(2_000) }),
  blocks: z.object({
    blocks: z.array(z.object({ height: z.int(), hash: z.string().regex(/^[0-9a-f]{64}$/) })).max(10_000),
  }),
  value: z.object({
    value: z
      .object({
        entity: z.string(),
        key: z.string(),
        day: z.string(),
        value: z
          .string()
          .regex(/^-?[0-9.e+-]{1,400}$/i)
          .nullable(),
        isFloat: z.boolean(),
      })
      .nullable(),
  }),
  run: z.object({
    id: z.uuid(),
    state: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
    result: z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/) }).nullable(),
    problem: z.object({ detail: z.string() }).nullable(),
  }),
  file: bundle,
}

/** The public API of a server. Nothing of a file leads to another address, and redirects are not followed. */
export function createServerClient(
  origin: string,
  key: string | undefined,
  signal: AbortSignal,
): ServerClient {
  async function request<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    body?: unknown,
  ): Promise<z.output<Schema>> {
    let answer: Response
    try {
      answer = await fetch(`${origin}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
      })
    } catch (cause) {
      signal.throwIfAborted()
      throw new AssayError('cli.check_away', `No Assay server answers at ${origin}.`, {
        hint: 'Start one with `npm start`, or name another with --server.',
        cause,
      })
    }
    if (answer.status >= 300 && answer.status < 400) {
      await answer.body?.cancel()
      throw new AssayError(
        'cli.check_redirect',
        shown(
          `The server redirects to ${firstSigns(answer.headers.get('location') ?? 'another address', 200)}. Redirects are not followed: name that address with --server.`,
        ),
      )
    }
    const text = await textOf(answer)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (cause) {
      throw new AssayError('cli.check_answer', `What answers at ${origin} is no Assay server.`, { cause })
    }
    if (!answer.ok) {
      const problem = z.object({ detail: z.string(), hint: z.string().optional() }).safeParse(value)
      throw new AssayError(
        'cli.check_refused',
        problem.success
          ? shown(firstSigns([problem.data.detail, problem.data.hint ?? ''].join(' ').trim(), 1_000))
          : `The server answers with status ${answer.status}.`,
      )
    }
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    throw new AssayError(
      'cli.check_answer',
      `The server at ${origin} answers in an unknown form. It may run another version of Assay.`,
      { cause: parsed.error },
    )
  }

  async function run(sql: string, parameters: Record<string, string>): Promise<string> {
    const until = Date.now() + RUN_MS
    let { id, state, result, problem } = await request('/api/v1/queries/runs', answerOf.run, {
      sql,
      parameters,
      isFresh: true,
      waitSeconds: WAIT_SECONDS,
    })
    while ((state === 'queued' || state === 'running') && Date.now() < until) {
      signal.throwIfAborted()
      await new Promise(resolve => setTimeout(resolve, 500))
      ;({ id, state, result, problem } = await request(`/api/v1/queries/runs/${id}`, answerOf.run))
    }
    if (result !== null) return result.hash
    throw new AssayError(
      'cli.check_refused',
      shown(
        firstSigns(problem?.detail ?? `The query did not finish within ${RUN_MS / 60_000} minutes.`, 1_000),
      ),
    )
  }

  return {
    digest: async inputs => (await request('/api/v1/provenance/inputs', answerOf.inputs, { inputs })).inputs,
    blocks: async ({ kind: _, ...selector }) =>
      (await request(`/api/v1/provenance/blocks?${queryOf(selector)}`, answerOf.blocks)).blocks,
    valueAt: async ({ kind: _, ...selector }, position) =>
      (await request(`/api/v1/provenance/value?${queryOf({ ...selector, position })}`, answerOf.value)).value,
    async provenance(subject) {
      if (subject.kind === 'query')
        return request(
          `/api/v1/queries/results/${await run(subject.sql, subject.parameters)}/provenance`,
          answerOf.file,
        )
      const files: MetricBundle[] = []
      for (const { metric, request: asked } of figuresOf(subject)) {
        const { breakdown, switches, ...rest } = asked
        const query = queryOf({
          ...rest,
          ...(breakdown !== undefined && { breakdown: breakdown.join(',') }),
          ...(switches !== undefined && { switches: switches.join(',') }),
        })
        const file = await request(
          `/api/v1/metrics/${encodeURIComponent(metric)}/provenance?${query}`,
          answerOf.file,
        )
        if (!isOfMetric(file))
          throw new AssayError('cli.check_answer', 'The server answers another question.')
        files.push(file)
      }
      const [first] = files
      if (first === undefined) throw new AssayError('cli.provenance', 'The file names no metric.')
      return subject.kind === 'metric' ? first : { ...first, ...chartOf(files) }
    },
  }
}

const isOfMetric = (file: Bundle): file is MetricBundle => file.subject.kind === 'metric'

const queryOf = (values: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString()

/** The text of an answer, up to a limit. */
async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_ANSWER_BYTES)
      throw new AssayError('cli.check_answer', 'The server answers with more than 16 MiB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Compares inputs first, then runs the figure or query again. Throws AssayError where the server cannot be asked. */
export async function check(file: Bundle, server: ServerClient): Promise<Verdict> {
  const found = await firstDifference(file.inputs, server)
  let theirs: Bundle
  try {
    theirs = await server.provenance(file.subject)
  } catch (thrown) {
    if (!(thrown instanceof AssayError) || thrown.code !== 'cli.check_refused') throw thrown
    return {
      isEqual: false,
      isResultEqual: null,
      isRounded: false,
      difference: found === undefined ? null : differenceSentence(found),
      input: found ?? null,
      figure: null,
      problem: thrown.message,
    }
  }
  const defined = definitionDifference(file, theirs)
  const isExact = theirs.result.hash === file.result.hash && theirs.result.rowCount === file.result.rowCount
  const isResultEqual =
    isExact ||
    (theirs.result.roundedHash === file.result.roundedHash && theirs.result.rowCount === file.result.rowCount)
  const loading = file.tables.find(({ name }) => OF_LOADING.test(name))
  const difference = defined?.sentence ?? (found === undefined ? null : differenceSentence(found))
  return {
    isEqual: isResultEqual && difference === null,
    isResultEqual,
    isRounded: isResultEqual && !isExact,
    difference,
    input: defined?.input ?? found ?? null,
    figure: isResultEqual ? null : differingFigure(file, theirs),
    problem:
      isResultEqual || difference !== null
        ? null
        : theirs.result.rowLimit !== file.result.rowLimit
          ? `The server limits results of this caller to ${theirs.result.rowLimit} rows, and the file was made with up to ${file.result.rowLimit}. Set ASSAY_API_KEY.`
          : loading !== undefined
            ? `The query reads the table ${loading.name}, which says when each server loaded its data.`
            : 'The inputs in the file are the same. The server may have newer data that the query also reads, or the query may return other rows each time: LIMIT without ORDER BY, ties, now() or rand().',
  }
}

/** The first metric of a chart whose rows differ. */
function differingFigure({ subject }: Bundle, theirs: Bundle): string | null {
  if (subject.kind !== 'chart' || theirs.subject.kind !== 'chart') return null
  const { figures } = theirs.subject
  const found = subject.figures.find(({ roundedHash }, at) => figures[at]?.roundedHash !== roundedHash)
  return found === undefined ? null : `${found.metric} of ${found.request.entity}`
}

/** Tables that differ between servers with the same data. */
const OF_LOADING = /^sources$|_(?:batches|ingest_states|endpoints|followers|runs)$/

/** The first definition that differs: of the metric, then of the tables beneath it. */
function definitionDifference(
  file: Bundle,
  theirs: Bundle,
):
  | {
      readonly sentence: string
      readonly input: { readonly kind: 'metric' | 'table'; readonly name: string }
    }
  | undefined {
  const others = figuresOf(theirs.subject)
  for (const [at, { metric, definition: ours }] of figuresOf(file.subject).entries()) {
    const other = others[at]?.definition
    if (other === undefined || ours.version === other.version) continue
    const fields = (['name', 'unit', 'aggregate', 'definition', 'sql'] as const).filter(
      field => ours[field] !== other[field],
    )
    return {
      sentence: `The definition of the metric ${metric} differs (${fields.map(field => (field === 'sql' ? 'SQL' : field)).join(', ')}): version ${ours.version.slice(0, 12)} in the file, ${other.version.slice(0, 12)} on the server.`,
      input: { kind: 'metric', name: metric },
    }
  }
  const versions = new Map(theirs.tables.map(({ name, version }) => [name, version]))
  const table = file.tables.find(({ name, version }) => versions.get(name) !== version)
  if (table === undefined) return undefined
  if (table.name.startsWith(METRIC_TABLE)) {
    const metric = table.name.slice(METRIC_TABLE.length).replace(/\(.*/, '')
    return {
      sentence: `The definition of the metric ${metric} differs (SQL): version ${table.version.slice(0, 12)} in the file, ${versions.get(table.name)?.slice(0, 12) ?? 'none'} on the server.`,
      input: { kind: 'metric', name: metric },
    }
  }
  return {
    sentence: `The table ${table.name} is defined differently: version ${table.version.slice(0, 12)} in the file, ${versions.get(table.name)?.slice(0, 12) ?? 'none'} on the server.`,
    input: { kind: 'table', name: table.name },
  }
}

const CHAIN_NAMES: Readonly<Record<string, string>> = {
  bitcoin: 'Bitcoin',
  stacks: 'Stacks',
  'stacks-burn': 'Bitcoin as Stacks nodes report it',
}
const chainName = (chain: string): string => CHAIN_NAMES[chain] ?? chain
const recordName = (record: string): string =>
  ({ blocks: 'block', headers: 'block header', statistics: 'node statistics of block' })[record] ?? record

/** The first input that differs, as a sentence. */
export function differenceSentence(found: Difference): string {
  switch (found.kind) {
    case 'block': {
      const { record, chain, height, file, server } = found
      const what = `${capital(recordName(record))} ${height} of ${chainName(chain)}`
      if (record === 'statistics') return `${what} differ.`
      if (server === null) return `${what} is missing on the server; the file has ${file ?? 'one'}.`
      return file === null
        ? `${what} is on the server (${server}) but not in the file.`
        : `${what} differs: ${file} in the file, ${server} on the server.`
    }
    case 'blocks':
      return `More than one ${recordName(found.record)} of ${chainName(found.chain)} differs between heights ${found.from} and ${found.to}.`
    case 'missing-blocks':
      return found.upTo === null
        ? `This server has no ${recordName(found.record)}s of ${chainName(found.chain)}. The file needs ${found.height} and others.`
        : `This server has ${chainName(found.chain)} up to height ${found.upTo}. The file needs ${recordName(found.record)} ${found.height}.`
    case 'value': {
      const { name, source, entity, key, day, file, server } = found
      return `${capital(valueName(found.table, name))} of ${entity}${key === '' ? '' : ` (${key})`} on ${day} by source ${source} differs: ${file ?? 'no value'} in the file, ${server ?? 'no value'} on the server.`
    }
    case 'values':
      return found.fileCount === found.serverCount
        ? `More than one value of ${valueName(found.table, found.name)} by source ${found.source} differs.`
        : `${capital(valueName(found.table, found.name))} by source ${found.source}: ${found.fileCount} values in the file, ${found.serverCount} on the server.`
    case 'records':
      return found.serverCount === null
        ? `The server has no table ${found.table}.`
        : `Recorded rows of ${found.table} differ: ${found.fileCount} in the file, ${found.serverCount} on the server.`
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const valueName = (table: string, name: string): string => (table === 'prices' ? `price ${name}` : name)

/** Text of strangers on a terminal: no control characters, one line. */
const shown = (text: string): string => firstSigns(replaceHidden(text, '�'), 4_000)

const MOST_SIGNS = 60

const shortened = (text: string): string => {
  const start = firstSigns(text, MOST_SIGNS)
  return start.length < text.length ? `${start.trimEnd()}…` : text
}

function linesOf(file: Bundle, origin: string, verdict: Verdict): string[] {
  const { subject, result } = file
  const figures = figuresOf(subject).map(
    ({ metric, request: { entity, from, to } }) =>
      `${metric} of ${entity}${from === undefined || to === undefined ? '' : from === to ? `, ${to}` : `, ${from} to ${to}`}`,
  )
  const what =
    subject.kind === 'query'
      ? `query ${shortened(subject.sql.replace(/\s+/g, ' ').trim())}`
      : `${figures[0]}${figures.length > 1 ? ` and ${figures.length - 1} more` : ''}`
  const rows = `${result.rowCount} ${result.rowCount === 1 ? 'row' : 'rows'}`
  return [
    `${verdict.isEqual ? 'Equal' : verdict.isResultEqual === null ? 'Not checked' : 'Different'}: ${what} (${rows}), written ${file.createdAt}, checked against ${origin}`,
    ...(verdict.isRounded
      ? ['Floating-point values agree to 9 significant digits, not in the last digits.']
      : []),
    ...(verdict.difference === null ? [] : [verdict.difference]),
    ...(!verdict.isEqual && verdict.isResultEqual === true ? ['The rows of the result are the same.'] : []),
    ...(verdict.isResultEqual === false
      ? [
          verdict.figure === null
            ? 'The rows of the result differ.'
            : `The figures of ${verdict.figure} differ.`,
        ]
      : []),
    ...(verdict.problem === null ? [] : [verdict.problem]),
  ]
}
