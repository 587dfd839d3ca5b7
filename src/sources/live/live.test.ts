/** Publishers’ answers would be read wrongly. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { Catalog } from '#catalog/index.ts'
import { testCatalog } from '#catalog/testing.ts'
import { LIVE_SOURCES, sourcesOf } from '../all.ts'
import { SourceError } from '../errors.ts'
import type { LiveSource, SourceAnswer, SourceRequest } from '../live.ts'
import { SAID } from './said.testing.ts'
import { SAID_ELSEWHERE } from './saidElsewhere.testing.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
/** An answer that was recorded of somebody whom the sources are not asked about: what it holds shows that its form is read. */
type Elsewhere = { readonly about: string; readonly seenAt: string; readonly answer: Json }
type Fixture = {
  readonly seenAt: string
  readonly answers: Readonly<Record<string, Json>>
  /** Answers that were seen at another time. */
  readonly seenAts?: Readonly<Record<string, string>>
  /** By what was recorded, and when. */
  readonly elsewhere?: Readonly<Record<string, Elsewhere>>
}

type Case = {
  readonly source: LiveSource
  /** `about`, of another address than the first also ` @ ` and a part of it. */
  readonly name: string
  readonly request: SourceRequest
  readonly answer: Json
  readonly seenAt: number
}

/** Those of the catalogue that the answers are about: what is added to it changes none of their figures. */
const only = ({ layers, tokens, protocols, ...rest }: Catalog): Catalog => ({
  ...rest,
  layers: layers.filter(({ slug }) => ['rootstock', 'stacks', 'bob', 'core', 'starknet'].includes(slug)),
  tokens: tokens.filter(({ id }) => ['btc', 'stx', 'rbtc', 'usda', 'usdc', 'welsh'].includes(id)),
  protocols: protocols.filter(({ slug }) =>
    ['alex', 'bitflow', 'velar', 'sovryn-dex', 'granite', 'stacking-dao', 'arkadiko'].includes(slug),
  ),
})

let whole: Catalog
let catalog: Catalog
let publisher: Server
const cases: Case[] = []
const elsewhere: Case[] = []
before(async () => {
  whole = await testCatalog()
  catalog = only(whole)
  for (const source of LIVE_SOURCES) {
    const fixture: Fixture = JSON.parse(
      await readFile(new URL(`../../../tests/fixtures/sources/${source.id}.json`, import.meta.url), 'utf8'),
    )
    const requests = source.requests(catalog)
    for (const [name, answer] of Object.entries(fixture.answers)) {
      const [about, part] = name.split(' @ ')
      const asked = requests.find(known => known.about === about)
      const url = [asked?.url ?? '', ...(asked?.otherwise ?? [])].find(
        known => part === undefined || known.includes(part),
      )
      assert.ok(asked && url, `${source.id} does not ask for ${name}`)
      const seenAt = Date.parse(fixture.seenAts?.[name] ?? fixture.seenAt) / 1000
      cases.push({ source, name, request: { ...asked, url }, answer, seenAt })
    }
    for (const [name, { about, seenAt, answer }] of Object.entries(fixture.elsewhere ?? {})) {
      const request = requests.find(known => known.about === about)
      assert.ok(request, `${source.id} does not ask for ${about}`)
      elsewhere.push({ source, name, request, answer, seenAt: Date.parse(seenAt) / 1000 })
    }
  }
  const byPath = new Map(cases.map(({ request, answer }) => [pathOf(request), answer]))
  publisher = createServer(({ url = '' }, response) => {
    const answer = byPath.get(url)
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? null))
  })
  await new Promise<void>(resolve => publisher.listen(0, '127.0.0.1', resolve))
})
after(() => publisher.close())

/** Where a mirror answers for a publisher. */
function pathOf({ url }: SourceRequest): string {
  const { host, pathname, search } = new URL(url)
  return `/${host}${pathname}${search}`
}

const linesOf = ({ observations, prices, tokenWords = [], poolListings = [] }: SourceAnswer): string[] => [
  ...observations.map(({ metric, entity, key, day, amount, value }) =>
    [metric, entity, key, day, amount ?? value].filter(part => part !== undefined).join(' '),
  ),
  ...prices.map(({ asset, quote, day, close }) => `price ${asset} ${quote} ${day} ${close}`),
  ...tokenWords.map(word => Object.values(word).join(' | ')),
  ...poolListings.map(listed => Object.values(listed).join(' | ')),
]

const readCase = ({ source, request, seenAt }: Case, json: unknown, of: Catalog = catalog): SourceAnswer =>
  source.read(request, json, { catalog: of, seenAt })

test('each source asks over https for what it names once, and its answer is exactly the figures that it holds', async () => {
  const { port } = publisher.address() as AddressInfo
  for (const each of cases) {
    const { source, name, request } = each
    // What becomes of several read-only calls is one answer, made by `askCalls`.
    const isOne = request.calls === undefined
    const answer = isOne ? await fetch(`http://127.0.0.1:${port}${pathOf(request)}`) : undefined
    if (isOne) assert.equal(answer?.status, 200, request.url)
    assert.deepEqual(
      linesOf(readCase(each, answer === undefined ? each.answer : await answer.json())),
      SAID[source.id]?.[name]?.figures,
      `${source.id} ${name}`,
    )
  }
  for (const source of LIVE_SOURCES) {
    const requests = source.requests(whole)
    assert.equal(new Set(requests.map(({ about }) => about)).size, requests.length, source.id)
    assert.ok(
      requests
        .flatMap(({ url, otherwise = [] }) => [url, ...otherwise])
        .every(url => new URL(url).protocol === 'https:'),
    )
  }
})

test('answers that were recorded of others are read as those of our own are', () => {
  const read = Map.groupBy(elsewhere, ({ source }) => source.id)
  for (const [id, some] of read)
    for (const each of some) {
      const { observations, tokenWords = [] } = readCase(each, each.answer)
      const figures = observations.map(({ metric, key, day, amount, value }) =>
        [metric, key, day, amount ?? value].filter(part => part !== undefined).join(' '),
      )
      const words = tokenWords.map(({ contract: _, ...word }) => Object.values(word).join(' | '))
      assert.deepEqual([...figures, ...words], SAID_ELSEWHERE[id]?.[each.name], `${id}: ${each.name}`)
    }
  assert.deepEqual(
    Object.entries(SAID_ELSEWHERE).flatMap(([id, names]) => Object.keys(names).map(name => `${id} ${name}`)),
    elsewhere.map(({ source, name }) => `${source.id} ${name}`),
  )
})

test('no two sources have one id', () => {
  const ids = sourcesOf(whole).map(({ id }) => id)
  assert.deepEqual(
    ids.filter((id, i) => ids.indexOf(id) !== i),
    [],
  )
})

test('every layer that DefiLlama lists is asked for, and every token that a publisher prices', () => {
  const countOf = (id: string) => LIVE_SOURCES.find(source => source.id === id)!.requests(whole).length
  const layers = whole.layers.filter(({ ids }) => ids.defillamaChain !== undefined).length
  assert.ok(layers >= 20)
  assert.deepEqual(['defillama.tvl', 'defillama.dexs', 'defillama.fees', 'defillama.stables'].map(countOf), [
    layers,
    layers,
    3 * layers,
    layers + 1,
  ])
  const tokens = whole.tokens.filter(({ ids }) => ids.coingecko !== undefined)
  const [markets] = LIVE_SOURCES.find(({ id }) => id === 'coingecko.markets')!.requests(whole)
  for (const { ids } of tokens)
    assert.ok(new URL(markets!.url).searchParams.get('ids')?.includes(ids.coingecko!))
})

const nameIn = (key: string): string => key.replace(/^!?~?/, '')

/** The paths in an answer that a pattern stands for. */
function pathsOf(
  answer: Json,
  [head, ...rest]: readonly string[],
  before: readonly string[] = [],
): string[][] {
  if (head === undefined) return [[...before]]
  const keys = head === '*' ? Object.keys(answer as object) : [head]
  return keys.flatMap(key =>
    pathsOf((answer as Record<string, Json>)[nameIn(key)] as Json, rest, [...before, key]),
  )
}

const isPlace = (key: string): boolean => /^\d+$/.test(key)

/** The answer with its field changed; `undefined` takes it away. */
function changed(answer: Json, path: readonly string[], value: unknown, newName?: string): unknown {
  const copy = structuredClone(answer) as Record<string, unknown>
  const last = path.at(-1)!
  const parent = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy)
  if (newName !== undefined) parent[newName] = parent[last]
  if (value === undefined && !isPlace(last)) delete parent[last]
  else parent[last] = value
  return copy
}

/** Values that a field of this kind may never have. */
function strangeFor(value: Json, isSigned: boolean): fc.Arbitrary<unknown> {
  const others = [fc.boolean(), fc.constant([1]), fc.constant({ a: 1 }), fc.constant('many'), fc.constant('')]
  if (typeof value === 'number')
    return fc.oneof(
      ...others,
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      ...(isSigned ? [] : [fc.double({ max: -Number.MIN_VALUE, noNaN: true })]),
    )
  if (typeof value === 'string') return fc.oneof(fc.constantFrom('', 1.5, -1, Number.NaN), fc.boolean())
  return fc.oneof(fc.constant(7), fc.constant('many'), fc.constant(null))
}

/** Figures that are among these; a word or a listing may have lost some of its cells. */
function assertPartOf(answer: SourceAnswer, whole: SourceAnswer, name: string): void {
  const lines = new Set(linesOf({ observations: whole.observations, prices: whole.prices }))
  for (const line of linesOf({ observations: answer.observations, prices: answer.prices }))
    assert.ok(lines.has(line), `${name}: ${line}`)
  const rowsOf = ({ tokenWords = [], poolListings = [] }: SourceAnswer) => [...tokenWords, ...poolListings]
  for (const row of rowsOf(answer)) {
    const cells = Object.entries(row)
    const isPart = rowsOf(whole).some(known => {
      const values: Readonly<Record<string, unknown>> = { ...known }
      return cells.every(([cell, value]) => value === null || value === values[cell])
    })
    assert.ok(
      isPart,
      `${name}: ${JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`,
    )
  }
}

test('a field missing, renamed, of another kind, NaN or negative is refused by name and changes no other figure', () => {
  const places = cases.flatMap(each =>
    (SAID[each.source.id]?.[each.name]?.fields ?? []).flatMap(pattern =>
      pathsOf(each.answer, pattern.split('.')).map(marked => {
        const path = marked.map(nameIn)
        const value = path.reduce<Json>((at, key) => (at as Record<string, Json>)[key] as Json, each.answer)
        return {
          each,
          path,
          value,
          isName: marked.at(-1)!.startsWith('!'),
          isSigned: marked.at(-1)!.includes('~'),
        }
      }),
    ),
  )
  assert.ok(places.length > 100)
  const isOf = (field: string, path: readonly string[]) => `${field}.`.startsWith(`${path.join('.')}.`)
  const refuses = (each: Case, json: unknown, path: readonly string[]) => {
    const name = `${each.source.id} ${each.name}: ${path.join('.')}`
    let answer: SourceAnswer
    try {
      answer = readCase(each, json)
    } catch (error) {
      assert.ok(error instanceof SourceError, String(error))
      assert.equal(error.code, 'sources.shape')
      assert.ok(isOf(String(error.facts.field), path), `${name}: ${error.facts.field}`)
      assert.ok(error.message.includes(path.join('.')), name)
      return
    }
    const found = (answer.refused ?? []).find(({ field }) => isOf(field, path))
    assert.ok(found, `${name} is not refused`)
    assert.ok(found.reason.includes(path.join('.')), name)
    assertPartOf(answer, readCase(each, each.answer), name)
  }
  for (const { each, path, value, isName, isSigned } of places) {
    if (!isName) {
      refuses(each, changed(each.answer, path, undefined), path)
      if (!isPlace(path.at(-1)!)) refuses(each, changed(each.answer, path, undefined, 'renamed'), path)
    }
    // Null says in a few fields that a figure is not known.
    if (value === null) continue
    fc.assert(
      fc.property(strangeFor(value, isSigned), strange =>
        refuses(each, changed(each.answer, path, strange), path),
      ),
      { numRuns: 20 },
    )
  }
})

test('no source gives a figure of anybody whom the catalogue does not name', () => {
  const some = <Entry>(entries: readonly Entry[]) => fc.subarray([...entries])
  fc.assert(
    fc.property(
      some(whole.layers),
      some(whole.tokens),
      some(whole.protocols),
      fc.constantFrom(...cases),
      (layers, tokens, protocols, each) => {
        const less = { ...whole, layers, tokens, protocols }
        if (!each.source.requests(less).some(({ about }) => about === each.request.about)) return
        const { observations, prices } = readCase(each, each.answer, less)
        const named = new Set([
          'bitcoin',
          ...layers.map(({ slug }) => slug),
          ...tokens.map(({ id }) => id),
          ...protocols.map(({ slug }) => slug),
          ...whole.treasuries.map(({ id }) => id),
          ...whole.opportunities.map(({ id }) => id),
        ])
        const priced = new Set(tokens.map(({ priceAsset }) => priceAsset))
        for (const { entity } of observations) assert.ok(named.has(entity), `${each.source.id}: ${entity}`)
        for (const { asset } of prices) assert.ok(priced.has(asset), `${each.source.id}: ${asset}`)
      },
    ),
  )
})

test('a further field changes nothing', () => {
  for (const each of cases) {
    const more = JSON.parse(JSON.stringify(each.answer), (_, value) =>
      value !== null && typeof value === 'object' && !Array.isArray(value) && 'name' in value
        ? { ...value, aFieldOfTomorrow: [1] }
        : value,
    )
    assert.deepEqual(linesOf(readCase(each, more)), SAID[each.source.id]?.[each.name]?.figures)
  }
})

test('a window of closes holds the newest day whenever it is asked for', () => {
  const coins = LIVE_SOURCES.find(({ id }) => id === 'defillama.coins')!
  const requests = coins.requests as (catalog: Catalog, nowS: number) => readonly SourceRequest[]
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(2021, 0, 2) / 1000, max: Date.UTC(2060, 0, 1) / 1000 }), nowS => {
      const { searchParams } = new URL(requests(catalog, nowS)[0]!.url)
      const start = Number(searchParams.get('start'))
      assert.ok(start % 86_400 === 0 && start <= nowS)
      // A process that asks for 99 days without a new start still sees the newest close.
      assert.ok(start + Number(searchParams.get('span')) * 86_400 >= nowS + 99 * 86_400)
    }),
  )
})
