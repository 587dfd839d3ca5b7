import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnswerCache, type Made, packedBytes } from './answerCache.ts'
import { createBoundedCache } from './boundedCache.ts'
import type { DataVersion } from './dataVersion.ts'
import { encodingFor } from './encodings.ts'
import { type Part, restsOn, untracked, withParts } from './parts.ts'
import { createValueCache } from './valueCache.ts'

const ALL: readonly Part[] = ['bitcoin', 'layers', 'outside', 'head.core', 'head.bob', 'figures', 'any']

/** A data version that the test turns, all of it or some parts. */
function turnable(): DataVersion & { turn(parts?: readonly Part[]): void } {
  const listeners: ((changed: ReadonlySet<Part>) => void)[] = []
  let count = 0
  let versions: ReadonlyMap<Part, string> = new Map(ALL.map(part => [part, '0']))
  return {
    current: () => String(count),
    byPart: () => versions,
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
