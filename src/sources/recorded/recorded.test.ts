/** Recorded data would contain duplicates or unknown entities. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import type { Catalog } from '#catalog/index.ts'
import { testCatalog } from '#catalog/testing.ts'
import { assessmentFigures } from '../assessments.ts'
import { MARKET_RECORDINGS } from '../market.ts'

const textOf = (file: string): string =>
  zstdDecompressSync(
    readFileSync(new URL(`../../../snapshot/series/${file}.zst`, import.meta.url)),
  ).toString()

function readAll(recording: (typeof MARKET_RECORDINGS)[number], catalog: Catalog) {
  const text = textOf(recording.file)
  return {
    figures: [...(recording.observe?.(text, catalog) ?? [])].map(figure => ({
      ...figure,
      entity: figure.entity ?? recording.entity ?? '',
    })),
    prices: [...(recording.price?.(text, catalog) ?? [])],
  }
}

test('each recording says a figure of an entity and day once, of no day after it was made', async () => {
  const catalog = await testCatalog()
  for (const recording of MARKET_RECORDINGS) {
    const { figures, prices } = readAll(recording, catalog)
    assert.ok(figures.length + prices.length > 0, recording.id)
    const keys = [
      ...figures.map(({ metric, entity, key, day }) => `${metric} ${entity} ${key ?? ''} ${day}`),
      ...prices.map(({ asset, quote, day }) => `${asset} ${quote} ${day}`),
    ]
    assert.equal(new Set(keys).size, keys.length, recording.id)
    for (const { day } of [...figures, ...prices])
      assert.ok(day <= recording.recordedOn, `${recording.id} ${day}`)
    for (const { metric, amount, value } of figures)
      assert.ok(
        amount === undefined ? Number.isFinite(value) && value! >= 0 : value === undefined && amount >= 0n,
        `${recording.id} ${metric}`,
      )
    assert.ok(
      prices.every(({ close }) => Number.isFinite(close) && close > 0),
      recording.id,
    )
  }
})

test('no recording says anything of whom the catalogue does not name', async () => {
  const catalog = await testCatalog()
  const some = <Entry>(entries: readonly Entry[]) => fc.subarray([...entries])
  fc.assert(
    fc.property(
      some(catalog.layers),
      some(catalog.tokens),
      some(catalog.protocols),
      some(catalog.opportunities),
      (layers, tokens, protocols, opportunities) => {
        const less = { ...catalog, layers, tokens, protocols, opportunities }
        const named = new Set([
          'bitcoin',
          ...layers.map(({ slug }) => slug),
          ...tokens.map(({ id }) => id),
          ...protocols.map(({ slug }) => slug),
          ...opportunities.map(({ id }) => id),
        ])
        const priced = new Set(tokens.map(({ priceAsset }) => priceAsset))
        for (const recording of MARKET_RECORDINGS) {
          const { figures, prices } = readAll(recording, less)
          for (const { entity } of figures) assert.ok(named.has(entity), `${recording.id}: ${entity}`)
          for (const { asset } of prices) assert.ok(priced.has(asset), `${recording.id}: ${asset}`)
        }
        for (const { entity } of assessmentFigures(less)) assert.ok(named.has(entity))
      },
    ),
    { numRuns: 8 },
  )
})

test('a question without a grade is left out, and the others are places from 1 to 5', async () => {
  const catalog = await testCatalog()
  const figures = assessmentFigures(catalog)
  const graded = catalog.layers.flatMap(({ assessments }) =>
    assessments.flatMap(({ grades }) => Object.values(grades).map(String)),
  )
  const ungraded = graded.filter(grade =>
    ['Unverified', 'Under Review', 'Not Applicable', 'Alternative PoS Network'].includes(grade),
  )
  assert.ok(ungraded.length > 0)
  assert.equal(figures.length, graded.length - ungraded.length)
  assert.ok(figures.every(({ value }) => value !== undefined && value >= 1 && value <= 5))
})
