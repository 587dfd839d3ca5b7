import { createHash } from 'node:crypto'
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
}

export type AnswerCache = {
  /** The kept answer of this key, or what `make` gives. Equal questions at once are made once. */
  answer(key: string, make: () => Promise<Made>): Promise<KeptAnswer>
  /** The kept answer for an address as it was spelled, without any work. No Accept header is one that admits all. */
  hot(url: string, accept: string | undefined): KeptAnswer | undefined
  /** What the kept answer of this key rests on; undefined where none is kept. */
  partsOf(key: string): ReadonlySet<Part> | undefined
  /** Makes an address as spelled lead straight to the answer, under that Accept header if it had a say. */
  remember(url: string, answer: KeptAnswer, accept?: string): void
}

/** `isKept` false: it is sent, but the next question is answered anew. */
export type Made = { body: Body; isKept: boolean }

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
export function createAnswerCache(version: DataVersion, maxBytes: number): AnswerCache {
  const kept = createBoundedCache<KeptAnswer>(maxBytes)
  const spellings = new Map<string, { key: string; accept: string | undefined }>()
  const making = new Map<string, Promise<KeptAnswer>>()
  version.onChange(changed => {
    kept.dropWhere(({ parts }) => !parts.isDisjointFrom(changed))
    making.clear()
  })

  async function make(key: string, of: () => Promise<Made>): Promise<KeptAnswer> {
    const before = version.byPart()
    const { value, parts } = await withParts(of)
    const { body, isKept } = value
    const etag = `W/"${createHash('sha256').update(body.bytes).digest('base64url').slice(0, 22)}"`
    const answer: KeptAnswer = { key, etag, body, packed: new Map([['identity', body.bytes]]), parts }
    // Made from rows of two versions at worst: then it is sent, not kept.
    if (isKept && areSame(before, version.byPart(), parts)) {
      // Its packed forms come later; they are about a third of it.
      kept.set(key, answer, Math.ceil(body.bytes.length * 1.4) + 1000)
    }
    return answer
  }

  return {
    async answer(key, of) {
      const found = kept.get(key)
      if (found) return found
      const running = making.get(key)
      if (running) return running
      const made = make(key, of).finally(() => {
        if (making.get(key) === made) making.delete(key)
      })
      making.set(key, made)
      return made
    },
    hot(url, accept) {
      const spelling = spellings.get(url)
      if (spelling === undefined || (spelling.accept !== undefined && spelling.accept !== (accept ?? '*/*')))
        return undefined
      return kept.get(spelling.key)
    },
    partsOf: key => kept.get(key)?.parts,
    remember(url, answer, accept) {
      if (url.length > LONGEST_SPELLING || kept.get(answer.key) !== answer) return
      if (spellings.size >= MAX_SPELLINGS) spellings.clear()
      spellings.set(url, { key: answer.key, accept })
    },
  }
}
