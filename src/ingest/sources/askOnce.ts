import type { Catalog } from '#catalog/index.ts'
import { SourceError } from '#sources/errors.ts'
import type { LiveSource, SourceAnswer, SourceRequest } from '#sources/live.ts'
import type { RefusedValue } from '#sources/parts.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { observations, prices } from '#warehouse/tables/observations.ts'
import { stxReads } from '#warehouse/tables/stacksReads.ts'
import { stxTokenMetadata } from '#warehouse/tables/stacksTokenMetadata.ts'
import { yieldListings } from '#warehouse/tables/yields.ts'
import { addressOf } from './address.ts'
import { askCalls } from './askCalls.ts'
import { askElsewhere, type Came } from './askElsewhere.ts'
import { type Checked, checkAnswer, demandForwards, newOf } from './checkAnswer.ts'
import { fetchAnswer } from './fetchAnswer.ts'
import { knownEntities } from './figures.ts'
import { readHeld } from './heldFigures.ts'
import { JumpError, type Suspects, type WithoutJumps, withoutJumps } from './jumps.ts'
import { readPoolMarks } from './poolMarks.ts'
import type { Outcome } from './schedule.ts'

export type AskDeps = {
  readonly warehouse: Pick<Warehouse, 'reader' | 'insertRows'>
  readonly catalog: Catalog
  /** Values of the variables that sources name for their keys. */
  readonly keys: Readonly<Record<string, string | undefined>>
  /** Answers for every host, in place of the publishers. */
  readonly mirror?: string | undefined
  /** Node or API that answers read-only calls in place of the public API, and its key. */
  readonly stacks?: { readonly url: string; readonly apiKey?: string | undefined } | undefined
  /** Waits until the host of a request takes a further one of several. */
  readonly turn?: (request: SourceRequest, signal: AbortSignal | undefined) => Promise<void>
  readonly timeoutMs?: number
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export type Before = {
  readonly etag: string | null
  readonly lastModified: string | null
  readonly suspects: Suspects | null
}

/** What one request came to, and what of it is to be kept; nothing is written yet. */
export type Asked = {
  readonly outcome: Outcome
  readonly code: string | null
  /** Of a success: why another address than the first answered. */
  readonly reason: string | null
  readonly status: number | null
  readonly bytes: number
  readonly retryAtMs: number | null
  readonly isUnreachable: boolean
  readonly marks: { readonly etag: string | null; readonly lastModified: string | null } | null
  readonly suspects: Suspects | null
  /** Values that were left out of an answer that was otherwise used; null where no answer was. */
  readonly refused: readonly RefusedValue[] | null
  readonly refusal: { readonly field: string; readonly body: Buffer; readonly bytes: number } | null
  /** New or changed figures. */
  readonly rows: Checked
}

const MEGABYTE = 1_000_000
const MOST_BYTES = 20 * MEGABYTE
export const ASK_TIMEOUT_MS = 30_000
const NO_ROWS: Checked = {
  observations: [],
  prices: [],
  contractAnswers: [],
  tokenWords: [],
  poolListings: [],
  refused: [],
}

/** The variable of the key that a source demands and does not have; undefined where it can be asked. */
export const missingKey = ({ key }: LiveSource, keys: AskDeps['keys']): string | undefined =>
  key?.isDemanded && !keys[key.variable] ? key.variable : undefined

/** Asks a publisher once and judges its answer against what is held. Writes nothing. */
export async function askOnce(
  deps: AskDeps,
  source: LiveSource,
  request: SourceRequest,
  { etag, lastModified, suspects }: Before,
  signal?: AbortSignal,
): Promise<Asked> {
  const key = source.key && deps.keys[source.key.variable]
  const question = {
    headers: {
      ...request.headers,
      ...(source.key !== undefined && key
        ? { [source.key.header]: source.key.scheme === undefined ? key : `${source.key.scheme} ${key}` }
        : {}),
    },
    maxBytes: source.maxBytes ?? MOST_BYTES,
    timeoutMs: deps.timeoutMs ?? ASK_TIMEOUT_MS,
    now: deps.now,
    signal,
  }
  const whole = { etag: null, lastModified: null }
  const turn = async (of: SourceRequest): Promise<void> => await deps.turn?.(of, signal)
  if (request.calls === undefined) {
    const came = await askElsewhere(request, {
      turn,
      ask: (url, isFirst) =>
        fetchAnswer({
          ...question,
          ...addressOf(url, deps.mirror),
          // An answer that is being doubted is asked for whole, and marks are of the address that gave them.
          ...(suspects === null && isFirst ? { etag, lastModified } : whole),
        }),
    })
    return await judged(deps, source, came, suspects)
  }
  const fetched = await askCalls({
    url: stacksUrl(request.url, deps),
    calls: request.calls,
    turn: () => turn(request),
    ask: (url, body) =>
      fetchAnswer({
        ...question,
        ...whole,
        ...addressOf(url, deps.mirror),
        headers: { ...question.headers, ...stacksKey(deps) },
        body,
      }),
  })
  const isUnreachable = fetched.kind === 'failed' && fetched.isUnreachable
  return await judged(deps, source, { request, fetched, instead: null, isUnreachable }, suspects)
}

/** Where read-only calls go: the address that the source names, or the one of this installation in its place. */
const stacksUrl = (url: string, { stacks }: AskDeps): string =>
  stacks === undefined ? url : `${stacks.url.replace(/\/$/, '')}${new URL(url).pathname}`

const stacksKey = ({ stacks }: AskDeps): Record<string, string> =>
  stacks?.apiKey === undefined ? {} : { 'x-api-key': stacks.apiKey }

async function judged(
  deps: AskDeps,
  source: LiveSource,
  { request, fetched, instead, isUnreachable }: Came,
  suspects: Suspects | null,
): Promise<Asked> {
  const none: Asked = {
    outcome: 'failed',
    code: null,
    reason: instead,
    status: fetched.status,
    bytes: 0,
    retryAtMs: null,
    isUnreachable,
    marks: null,
    suspects,
    refused: null,
    refusal: null,
    rows: NO_ROWS,
  }
  switch (fetched.kind) {
    case 'failed': {
      const { code, reason, retryAtMs } = fetched
      return { ...none, code, reason, retryAtMs }
    }
    case 'unchanged':
      return { ...none, outcome: 'unchanged' }
    case 'refused': {
      const { code, reason, body } = fetched
      return {
        ...none,
        outcome: 'refused',
        code,
        reason,
        bytes: body.length,
        refusal: { field: '', body, bytes: body.length },
      }
    }
    case 'json': {
      const { json, body, etag, lastModified } = fetched
      const seenAt = Math.floor(deps.now() / 1000)
      try {
        const { checked: rows, suspects: doubted } = await taken(deps, source, request, json, {
          seenAt,
          suspects,
        })
        const isNew = rows.observations.length + rows.prices.length > 0
        return {
          ...none,
          outcome: isNew ? 'figures' : 'same',
          bytes: body.length,
          marks: instead === null && doubted === null ? { etag, lastModified } : null,
          suspects: doubted,
          refused: rows.refused,
          rows,
        }
      } catch (thrown) {
        if (!(thrown instanceof SourceError)) throw thrown
        const field = String(thrown.facts.field ?? '')
        return {
          ...none,
          outcome: 'refused',
          code: thrown.code,
          reason: thrown.message,
          bytes: body.length,
          suspects: thrown instanceof JumpError ? thrown.suspects : null,
          refusal: { field, body, bytes: body.length },
        }
      }
    }
  }
}

/** The new figures of an answer, and those in doubt. Throws a SourceError where the answer as a whole does not fit. */
async function taken(
  { warehouse, catalog }: AskDeps,
  source: LiveSource,
  request: SourceRequest,
  json: unknown,
  { seenAt, suspects }: { readonly seenAt: number; readonly suspects: Suspects | null },
): Promise<WithoutJumps> {
  const marks = request.pool === undefined ? [] : await readPoolMarks(warehouse.reader, request.pool)
  const answer = read(source, request, json, { catalog, seenAt, marks })
  if (source.mayBeEmpty && answer.observations.length + answer.prices.length === 0)
    return { checked: { ...NO_ROWS, refused: answer.refused ?? [] }, suspects: null }
  const checked = checkAnswer(source.id, answer, knownEntities(catalog), seenAt)
  const held = await readHeld(warehouse.reader, source.id, checked)
  // What was refused may have been its newest day.
  if (checked.refused.length === 0) demandForwards(checked, held)
  const judged = withoutJumps(checked, held, suspects)
  return { ...judged, checked: newOf(judged.checked, held) }
}

/** What a reading did not foresee is a fault of the answer too: none of it is kept. */
function read(
  source: LiveSource,
  request: SourceRequest,
  json: unknown,
  context: Parameters<LiveSource['read']>[2],
): SourceAnswer {
  try {
    return source.read(request, json, context)
  } catch (thrown) {
    if (thrown instanceof SourceError) throw thrown
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    throw new SourceError('sources.unread', `${source.id} ${request.about}: invalid response: ${reason}.`, {
      cause: thrown,
    })
  }
}

/** Keeps new figures, each kind in one insert: a stop in between leaves whole kinds, and the next answer brings the rest. */
export async function keepRows(
  { insertRows }: Pick<Warehouse, 'insertRows'>,
  rows: Checked,
): Promise<number> {
  await insertRows(observations, rows.observations)
  await insertRows(prices, rows.prices)
  await insertRows(stxReads, rows.contractAnswers)
  await insertRows(stxTokenMetadata, rows.tokenWords)
  await insertRows(yieldListings, rows.poolListings)
  return rows.observations.length + rows.prices.length
}
