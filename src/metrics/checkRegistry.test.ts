/** A faulty metric declaration would reach users. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { sourcesOf } from '#sources/all.ts'
import { schemaOf } from '#warehouse/index.ts'
import { checkRegistry, faultsOf, relationsOf } from './checkRegistry.ts'
import { metric } from './metric.ts'
import { metricsOf } from './registry.ts'

const CATALOG = await testCatalog()
const METRICS = metricsOf(CATALOG)
const SCHEMA = schemaOf(CATALOG)
const TABLES = new Set(SCHEMA.views.map(({ name }) => name))
const SOURCES = new Set(sourcesOf(CATALOG).map(({ id }) => id))

test('the registry has no fault', () => {
  assert.deepEqual(faultsOf(METRICS, TABLES, SOURCES), [])
})

test('every public table and column that a metric reads is documented', () => {
  const read = new Set(METRICS.flatMap(({ sql }) => relationsOf(sql)))
  for (const { name, doc, columns } of SCHEMA.views.filter(view => read.has(view.name))) {
    assert.notEqual(doc, '', name)
    assert.ok(
      Object.values(columns).every(text => text !== ''),
      name,
    )
  }
})

test('all faults of a registry are told at once', () => {
  const broken = metric({
    id: 'Fees',
    name: '',
    unit: 'sat',
    definition: 'One. Two.',
    why: 'w',
    how: 'h',
    misleads: 'm',
    sql: 'SELECT day FROM secrets WHERE day > {since:Date}',
    sources: ['nobody'],
    cadence: 'block',
    aggregate: 'distinct',
    since: {},
    direction: 'neither',
    references: [],
    switches: [{ name: 'doubled', doc: 'everything twice' }],
  })
  const [, ...others] = METRICS
  assert.throws(
    () => checkRegistry([...others, broken, broken], TABLES, SOURCES),
    (error: { code: string; message: string }) => {
      assert.equal(error.code, 'metrics.registry')
      for (const part of [
        'declared twice',
        'id that is not <subject>.<figure>',
        'has no name',
        'more than one sentence',
        'unknown source nobody',
        'reads secrets',
        'no default for {since:Date}',
        'does not return value',
        'takes no grain',
        'has no reference',
        'a switch doubled that its SQL does not take',
      ]) {
        assert.ok(error.message.includes(part), part)
      }
      return true
    },
  )
})

test('a statement’s own CTEs and texts are no tables', () => {
  assert.deepEqual(
    relationsOf(
      "WITH a AS (SELECT 1 FROM btc_blocks), b AS (SELECT 1 FROM a) SELECT 'FROM nowhere' FROM b JOIN prices USING day",
    ),
    ['btc_blocks', 'prices'],
  )
})
