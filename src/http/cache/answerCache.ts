import { createHash } from 'node:crypto'
import type { AvailabilityWatch } from '#kernel/availability.ts'
import { sentenceOf } from '#kernel/errors.ts'
import { type Log, silentLog } from '#kernel/log.ts'
import { toApiError } from '../apiError.ts'
import { staleBody } from '../outage/staleBody.ts'
import { createBoundedCache } from './boundedCache.ts'
import type { DataVersion } from './dataVersion.ts'
import { compress, type Encoding, encodingFor, isPackable } from './encodings.ts'
import { areSame, type Part, withParts } from './parts.ts'

/** A body with the headers that go with it in every encoding. */
export type Body = {
  readonly bytes: Buffer
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  /** 200 unless said. */
  readonly status?: number
}

/** An answer kept as the very bytes that leave, by encoding. */
export type KeptAnswer = {
  readonly key: string
  readonly etag: string
  readonly body: Body
  readonly packed: Map<Encoding, Buffer>
  /** What it rests on. */
  readonly parts: ReadonlySet<Part>
  /** Set on the last good answer that stands in for one that cannot be made now: until when it was right, milliseconds since 1970. */
  readonly asOfMs?: number
}

export type AnswerCache = {
  /**
   * The cached answer of this key, or what `make` gives. Equal questions at once are made once. While the data engine is away,
   * or where `make` fails for a fault of ours, it is the last good answer, marked with its age.
   */
  answer(key: string, make: () => Promise<Made>): Promise<KeptAnswer>
  /** The kept answer for an address as it was spelled, without any work. No Accept header is one that admits all. */
  hot(url: string, accept: string | undefined): KeptAnswer | undefined
  /** Whether an answer of this key is kept, be it of older data. */
  isKnown(key: string): boolean
  /** What the kept answers of this key rest on, whatever query follows it; undefined where none is kept. */
  partsOf(key: string): ReadonlySet<Part> | undefined
  /** Makes an address as spelled lead straight to the answer, under that Accept header if it had a say. */
  remember(url: string, answer: KeptAnswer, accept?: string): void
}

/**
 * `isKept` false: it is sent, but the next question is answered anew. `lacksPart`: a fault of ours left something out, so the last
 * whole answer is better.
 */
export type Made = { body: Body; isKept: boolean; lacksPart?: boolean }

export type AnswerCacheOptions = {
  /** Absent: always up. */
  readonly availability?: AvailabilityWatch
  /** Bytes of last good answers that are no longer current; half of `maxBytes` unless given. */
  readonly lastGoodBytes?: number
  readonly log?: Log
}

type LastGood = { readonly answer: KeptAnswer; readonly asOfMs: number }

const MAX_SPELLINGS = 10_000
const LONGEST_SPELLING = 500

/** Bytes of the best encoding that an Accept-Encoding header admits, packed at their first use. */
export async function packedBytes(
  { body, packed }: KeptAnswer,
  acceptEncoding: string | undefined,
): Promise<{ encoding: Encoding; bytes: Buffer }> {
  const encoding = isPackable(body.contentType, body.bytes.length) ? encodingFor(acceptEncoding) : 'identity'
  const ready = packed.get(encoding)
  if (ready) return { encoding, bytes: ready }
  const bytes = await compress(body.bytes, encoding, 'hot')
  packed.set(encoding, bytes)
  return { encoding, bytes }
}

/** `?a=1&b=2` whatever the order in which they came; a repeated name keeps its own order. */
export function canonicalSearch(search: string): string {
  const parameters = new URLSearchParams(search)
  parameters.sort()
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/** Answers by canonical address, as final bytes, bounded by bytes. A part of the data that changes drops what rests on it. */
export function createAnswerCache(
  version: DataVersion,
  maxBytes: number,
  { availability, lastGoodBytes = maxBytes / 2, log = silentLog }: AnswerCacheOptions = {},
): AnswerCache {
  const kept = createBoundedCache<KeptAnswer>(maxBytes)
  const lastGood = createBoundedCache<LastGood>(lastGoodBytes)
  const spellings = new Map<string, { key: string; accept: string | undefined }>()
  const making = new Map<string, Promise<KeptAnswer>>()
  const staleForms = new WeakMap<KeptAnswer, KeptAnswer>()
  /** Those who would rather take the last good answer once the engine goes away. */
  const waiting = new Set<() => void>()
  version.onChange(changed => {
    const asOfMs = version.checkedAt()
    kept.dropWhere(
      ({ parts }) => !parts.isDisjointFrom(changed),
      (key, answer, sizeBytes) => lastGood.set(key, { answer, asOfMs }, sizeBytes),
    )
    making.clear()
  })
  availability?.onChange(({ isUp }) => {
    if (!isUp) for (const stopWaiting of waiting) stopWaiting()
  })
  const isAway = (): boolean => availability?.current().isUp === false

  async function make(key: string, of: () => Promise<Made>): Promise<KeptAnswer | 'failed'> {
    const before = version.byPart()
    const beganAt = Date.now()
    const { value, parts } = await withParts(of)
    const { body, isKept, lacksPart } = value
    if ((lacksPart || (body.status ?? 200) >= 500) && lastGood.get(key)) return 'failed'
    const etag = `W/"${createHash('sha256').update(body.bytes).digest('base64url').slice(0, 22)}"`
    const answer: KeptAnswer = { key, etag, body, packed: new Map([['identity', body.bytes]]), parts }
    if (!isKept) return answer
    // Its packed forms come later; they are about a third of it.
    const sizeBytes = Math.ceil(body.bytes.length * 1.4) + 1000
    if (areSame(before, version.byPart(), parts)) {
      kept.set(key, answer, sizeBytes)
      lastGood.drop(key)
    } else {
      // Made from rows of two versions at worst: then it is sent, and stands in only where there is nothing else.
      lastGood.set(key, { answer, asOfMs: beganAt }, sizeBytes)
    }
    return answer
  }

  function makeOnce(key: string, of: () => Promise<Made>): Promise<KeptAnswer> {
    const running = making.get(key)
    if (running) return running
    const made = make(key, of)
      .catch(cause => {
        if (lastGood.get(key) === undefined || toApiError(cause).status < 500) throw cause
        log.warn('an answer failed and the last good one is sent', { key, cause: sentenceOf(cause) })
        return 'failed' as const
      })
      .then(answer => (answer === 'failed' ? staleForm(lastGood.get(key)!) : answer))
      .finally(() => {
        if (making.get(key) === made) making.delete(key)
      })
    making.set(key, made)
    return made
  }

  /** What is being made, or the last good answer as soon as the engine goes away. */
  async function unlessAway(made: Promise<KeptAnswer>, last: LastGood): Promise<KeptAnswer> {
    const away = Promise.withResolvers<void>()
    waiting.add(away.resolve)
    try {
      return (await Promise.race([made, away.promise])) ?? staleForm(last)
    } finally {
      waiting.delete(away.resolve)
      // Nobody may be left who hears of its failure.
      made.catch(() => {})
    }
  }

  function staleForm({ answer, asOfMs }: LastGood): KeptAnswer {
    const known = staleForms.get(answer)
    if (known?.asOfMs === asOfMs) return known
    const body = staleBody(answer.body, asOfMs)
    const packed = body === answer.body ? answer.packed : new Map([['identity' as const, body.bytes]])
    const form = { ...answer, body, packed, asOfMs }
    staleForms.set(answer, form)
    return form
  }

  return {
    async answer(key, of) {
      const found = kept.get(key)
      if (found && !(isAway() && needsEngine(found))) return found
      const last = found ? { answer: found, asOfMs: version.checkedAt() } : lastGood.get(key)
      if (last === undefined) return makeOnce(key, of)
      return isAway() ? staleForm(last) : unlessAway(makeOnce(key, of), last)
    },
    hot(url, accept) {
      const spelling = spellings.get(url)
      if (spelling === undefined || (spelling.accept !== undefined && spelling.accept !== (accept ?? '*/*')))
        return undefined
      const found = kept.get(spelling.key)
      return found && isAway() && needsEngine(found) ? undefined : found
    },
    isKnown: key => kept.get(key) !== undefined || lastGood.get(key) !== undefined,
    partsOf(key) {
      const found = [...kept.values()].filter(
        answer => answer.key === key || answer.key.startsWith(`${key}?`),
      )
      return found.length === 0 ? undefined : new Set(found.flatMap(({ parts }) => [...parts]))
    },
    remember(url, answer, accept) {
      if (url.length > LONGEST_SPELLING || kept.get(answer.key) !== answer) return
      if (spellings.size >= MAX_SPELLINGS) spellings.clear()
      spellings.set(url, { key: answer.key, accept })
    },
  }
}

/** Texts of editors are in memory: what rests on nothing else is as good without the engine. */
const needsEngine = ({ parts }: KeptAnswer): boolean => [...parts].some(part => part !== 'texts')
