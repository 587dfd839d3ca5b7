/** Readers would get outdated answers, or everyone would wait for the same one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAvailability } from '#kernel/availability.ts'
import { createAnswerCache, type Made, packedBytes } from './answerCache.ts'
import { createBoundedCache } from './boundedCache.ts'
import type { DataVersion } from './dataVersion.ts'
import { encodingFor } from './encodings.ts'
import { type Part, restsOn, untracked, withParts } from './parts.ts'
import { createValueCache } from './valueCache.ts'

const ALL: readonly Part[] = ['bitcoin', 'layers', 'outside', 'head.core', 'head.bob', 'figures', 'any']

/** When the fake version was last seen to be current. */
const CHECKED_AT = Date.parse('2026-08-05T12:04:30Z')

/** A data version that the test turns, all of it or some parts. */
function turnable(): DataVersion & { turn(parts?: readonly Part[]): void } {
  const listeners: ((changed: ReadonlySet<Part>) => void)[] = []
  let count = 0
  let versions: ReadonlyMap<Part, string> = new Map(ALL.map(part => [part, '0']))
  return {
    current: () => String(count),
    rows: () => String(count),
    byPart: () => versions,
    checkedAt: () => CHECKED_AT,
    refresh: async () => {},
    onChange: listener => listeners.push(listener),
    turn(parts = ALL) {
      count += 1
      versions = new Map([...versions, ...parts.map(part => [part, String(count)] as const)])
      for (const listener of listeners) listener(new Set(parts))
    },
    async [Symbol.asyncDispose]() {},
  }
}

const made = (text: string, isKept = true): Made => ({
  isKept,
  body: { bytes: Buffer.from(text), contentType: 'text/plain' },
})

test('the least recently used value goes first, and what is larger than all is not kept', () => {
  const cache = createBoundedCache<string>(10)
  cache.set('a', 'A', 5)
  cache.set('b', 'B', 5)
  assert.equal(cache.get('a'), 'A')
  cache.set('c', 'C', 5)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c')], ['A', undefined, 'C'])
  cache.set('d', 'D', 11)
  assert.equal(cache.get('d'), undefined)
  assert.equal(cache.sizeBytes, 10)
})

test('equal questions at once are answered once, and again after the data changed', async () => {
  const version = turnable()
  const cache = createAnswerCache(version, 1000_000)
  let count = 0
  const ask = () => cache.answer('key', async () => made(String(++count)))
  const [first, second] = await Promise.all([ask(), ask()])
  assert.equal(first, second)
  assert.equal((await ask()).body.bytes.toString(), '1')
  version.turn()
  assert.equal((await ask()).body.bytes.toString(), '2')
})

test('an answer that was made while the data changed is sent but not kept', async () => {
  const version = turnable()
  const cache = createAnswerCache(version, 1000_000)
  const answer = await cache.answer('key', async () => {
    version.turn()
    return made('old')
  })
  assert.equal(answer.body.bytes.toString(), 'old')
  assert.equal((await cache.answer('key', async () => made('new'))).body.bytes.toString(), 'new')
})

test('a failure is told to all who asked and to nobody after', async () => {
  const cache = createAnswerCache(turnable(), 1000_000)
  const fail = () =>
    cache.answer('key', async () => {
      throw new Error('away')
    })
  await assert.rejects(Promise.all([fail(), fail()]), /away/)
  assert.equal((await cache.answer('key', async () => made('back'))).body.bytes.toString(), 'back')
})

test('a spelling leads to its answer only under the Accept header that chose it', async () => {
  const version = turnable()
  const cache = createAnswerCache(version, 1000_000)
  const answer = await cache.answer('key', async () => made('x'))
  cache.remember('/a', answer)
  cache.remember('/b', answer, 'text/csv')
  assert.equal(cache.hot('/a', 'anything'), answer)
  assert.equal(cache.hot('/b', 'text/csv'), answer)
  assert.equal(cache.hot('/b', undefined), undefined)
  version.turn()
  assert.equal(cache.hot('/a', undefined), undefined)
})

test('the encoding is the best that the header admits', () => {
  assert.equal(encodingFor('gzip, deflate, br'), 'br')
  assert.equal(encodingFor('gzip;q=1.0, br;q=0'), 'gzip')
  assert.equal(encodingFor('*'), 'br')
  assert.equal(encodingFor('identity'), 'identity')
  assert.equal(encodingFor(undefined), 'identity')
})

test('small bodies and pictures are sent as they are', async () => {
  const cache = createAnswerCache(turnable(), 1000_000)
  const small = await cache.answer('small', async () => made('x'))
  assert.equal((await packedBytes(small, 'br')).encoding, 'identity')
  const large = await cache.answer('large', async () => made('x'.repeat(10_000)))
  const packed = await packedBytes(large, 'br')
  assert.equal(packed.encoding, 'br')
  assert.equal((await packedBytes(large, 'br')).bytes, packed.bytes)
})

test('an answer is dropped with a part that it rests on, and outlasts the others', async () => {
  const version = turnable()
  const cache = createAnswerCache(version, 1_000_000)
  const values = createValueCache(version, 1_000_000)
  let count = 0
  const blocks = () =>
    values.get('blocks', async () => {
      restsOn(['head.core'])
      return ++count
    })
  const figure = () =>
    values.get('figure', async () => {
      restsOn(['outside'])
      return ++count
    })
  const ask = (key: string, of: () => Promise<number>) =>
    cache.answer(key, async () => made(String(await of()))).then(({ body }) => body.bytes.toString())
  const page = () => ask('page', async () => (await blocks()) * 10 + (await figure()))

  assert.deepEqual([await page(), await ask('figure', figure)], ['12', '2'])
  // Kept values count for who asks for them as well as those that are made.
  assert.deepEqual([...cache.partsOf('page')!].sort(), ['head.core', 'outside'])
  assert.deepEqual([...cache.partsOf('figure')!], ['outside'])
  // Of one path all queries together, and of no longer path.
  await ask('page?tab=prices', async () => {
    restsOn(['prices'])
    return 1
  })
  await ask('pages', async () => {
    restsOn(['bitcoin'])
    return 1
  })
  assert.deepEqual([...cache.partsOf('page')!].sort(), ['head.core', 'outside', 'prices'])
  assert.equal(cache.partsOf('pag'), undefined)
  version.turn(['prices'])
  version.turn(['head.bob', 'bitcoin'])
  assert.deepEqual([await page(), await ask('figure', figure)], ['12', '2'])
  version.turn(['head.core'])
  assert.equal(cache.partsOf('page'), undefined)
  assert.deepEqual([await page(), await ask('figure', figure)], ['32', '2'])
})

test('what is made while a part changes is kept only where it does not rest on it', async () => {
  const version = turnable()
  const values = createValueCache(version, 1_000_000)
  let count = 0
  const ask = (question: string, part: Part) =>
    values.get(question, async () => {
      restsOn([part])
      version.turn(['head.core'])
      return ++count
    })
  await ask('a', 'head.core')
  await ask('b', 'bitcoin')
  assert.deepEqual([await ask('a', 'head.core'), await ask('b', 'bitcoin')], [3, 2])
})

test('what names no part rests on all, and what all share on none of the asker’s', async () => {
  assert.deepEqual((await withParts(async () => 1)).parts, new Set(['any']))
  const { parts } = await withParts(async () => {
    await untracked(async () => restsOn(['layers']))
    restsOn(['bitcoin'])
  })
  assert.deepEqual([...parts], ['bitcoin'])
})

const textOf = ({ body }: { body: Made['body'] }) => body.bytes.toString()
const unavailable = async (): Promise<Made> => {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
}

test('while the engine is away the last good answer is sent with its age, current or not, and nothing is made', async () => {
  const version = turnable()
  const availability = createAvailability()
  const cache = createAnswerCache(version, 1000_000, { availability })
  cache.remember('/current', await cache.answer('current', async () => made('current')))
  await cache.answer('outdated', async () => {
    restsOn(['head.core'])
    return made('outdated')
  })
  version.turn(['head.core'])
  availability.away('The engine ended.')
  const never = async (): Promise<Made> => assert.fail('made during an outage')
  assert.equal(cache.hot('/current', undefined), undefined)
  for (const key of ['current', 'outdated']) {
    const answer = await cache.answer(key, never)
    assert.deepEqual([textOf(answer), answer.asOfMs], [key, CHECKED_AT])
  }
  await assert.rejects(cache.answer('never served', unavailable), /ECONNREFUSED/)
  availability.up()
  const back = await cache.answer('outdated', async () => made('new'))
  assert.deepEqual([textOf(back), back.asOfMs], ['new', undefined])
  assert.equal(textOf(cache.hot('/current', undefined)!), 'current')
})

test('who waits for an answer when the engine goes away gets the last good one', async () => {
  const version = turnable()
  const availability = createAvailability()
  const cache = createAnswerCache(version, 1000_000, { availability })
  await cache.answer('key', async () => made('old'))
  version.turn()
  const frozen = Promise.withResolvers<Made>()
  const waiting = cache.answer('key', () => frozen.promise)
  availability.away('It does not answer.')
  assert.equal(textOf(await waiting), 'old')
  frozen.reject(new Error('killed'))
})

test('a fault of ours never replaces a good answer, and a refusal is told', async () => {
  const version = turnable()
  const cache = createAnswerCache(version, 1000_000)
  await cache.answer('key', async () => made('good'))
  version.turn()
  const broken: (() => Promise<Made>)[] = [
    unavailable,
    async () => ({ ...made('half', false), lacksPart: true }),
    async () => ({ isKept: false, body: { ...made('error page').body, status: 503 } }),
  ]
  for (const make of broken) assert.equal(textOf(await cache.answer('key', make)), 'good')
  const gone = async () => ({ isKept: false, body: { ...made('not found').body, status: 404 } })
  assert.equal((await cache.answer('key', gone)).body.status, 404)
})

test('texts of editors need no engine and are sent unmarked while it is away', async () => {
  const availability = createAvailability()
  const cache = createAnswerCache(turnable(), 1000_000, { availability })
  const text = async () => {
    restsOn(['texts'])
    return made('text')
  }
  await cache.answer('text', text)
  availability.away('It ended.')
  assert.equal((await cache.answer('text', text)).asOfMs, undefined)
})

test('last good answers are bounded by bytes', async () => {
  const version = turnable()
  const cache = createAnswerCache(version, 1000_000, { lastGoodBytes: 3_000 })
  for (const key of ['a', 'b', 'c']) await cache.answer(key, async () => made(key))
  version.turn()
  await assert.rejects(cache.answer('a', unavailable))
  assert.equal(textOf(await cache.answer('c', unavailable)), 'c')
})
