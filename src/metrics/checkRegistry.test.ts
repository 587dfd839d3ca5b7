/** A faulty metric declaration would reach users. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { sourcesOf } from '#sources/all.ts'
import { schemaOf } from '#warehouse/index.ts'
import { checkRegistry, faultsOf, relationsOf } from './checkRegistry.ts'
import { type MetricDeclaration, metric } from './metric.ts'
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

const COLUMNS = ['day', 'key', 'value', 'state', 'source', 'from_height', 'to_height', 'as_of']
const sound = {
  id: 'fees.total',
  name: 'Fees',
  unit: 'sat',
  definition: 'What blocks earn.',
  why: 'w',
  how: 'h',
  misleads: 'm',
  sql: `SELECT ${COLUMNS.join(', ')} FROM btc_blocks`,
  sources: ['bitcoin.chain'],
  cadence: 'block',
  aggregate: 'sum',
  since: {},
  direction: 'neither',
  references: [{ title: 'A paper' }],
} as const satisfies MetricDeclaration
const faultsWith = (more: Partial<MetricDeclaration>): string[] =>
  faultsOf([metric({ ...sound, ...more })], TABLES, SOURCES).map(fault =>
    fault.replace(/^\S* of a chain /, ''),
  )

test('a sound metric has no fault, and each fault is told alone', () => {
  assert.deepEqual(faultsWith({}), [])
  for (const column of COLUMNS)
    assert.deepEqual(
      faultsWith({ sql: `SELECT ${COLUMNS.filter(name => name !== column).join(', ')} FROM btc_blocks` }),
      [`does not return ${column}`],
    )
  for (const field of ['name', 'unit', 'why', 'how', 'misleads'] as const)
    assert.deepEqual(faultsWith({ [field]: ' ' }), [`has no ${field}`])
  assert.deepEqual(faultsWith({ definition: '' }), ['has no definition'])
  assert.deepEqual(faultsWith({ definition: 'One. Two.' }), ['has a definition of more than one sentence'])
  assert.deepEqual(faultsWith({ definition: 'Of vs. small.' }), [])
  for (const id of ['fees', 'fees.', 'Fees.total', 'fees.total.usd', 'fees-total.x'])
    assert.deepEqual(faultsWith({ id }), ['has an id that is not <subject>.<figure>'], id)
  assert.deepEqual(faultsWith({ entities: [] }), ['has no entity'])
  assert.deepEqual(faultsWith({ sources: [] }), ['has no source'])
  assert.deepEqual(faultsWith({ references: [] }), ['has no reference'])
  assert.deepEqual(faultsWith({ aggregate: 'median' as 'sum' }), ['has an unknown aggregate median'])
  assert.deepEqual(faultsWith({ sources: ['nobody'] }), ['names an unknown source nobody'])
  const watch = { id: 'high', says: 'rises', when: 'above', level: 1 } as const
  assert.deepEqual(faultsWith({ watches: [watch, { ...watch, level: 2 }] }), ['has two watches of one id'])
  assert.deepEqual(faultsWith({ watches: [watch, { ...watch, id: 'low' }] }), [])
  const members = { name: 'tokens', sql: 'SELECT 1', isSum: true, isReportedDaily: true }
  assert.deepEqual(faultsWith({ watches: [watch], members }), [
    'has a watch on a sum whose rows do not name its members',
  ])
  assert.deepEqual(faultsWith({ members }), [])
  assert.deepEqual(faultsWith({ watches: [watch], members: { ...members, sql: sound.sql } }), [])
  const breakdown = { name: 'pool', values: [] }
  assert.deepEqual(faultsWith({ breakdown }), ['has a breakdown and no headline'])
  assert.deepEqual(faultsWith({ breakdown, headline: '*' }), [])
  assert.deepEqual(faultsWith({ fine: { grains: ['block'], sql: 'SELECT 1 FROM secrets' } }), [
    'reads secrets, which is no public table',
  ])
})

test('an entity is declared once for an id, by one metric or by several', () => {
  const of = (...entities: string[][]) =>
    faultsOf(
      entities.map(each => metric({ ...sound, entities: each })),
      TABLES,
      SOURCES,
    )
  assert.deepEqual(of(['bitcoin'], ['bob']), [])
  assert.deepEqual(of(['bitcoin'], ['bob', 'bitcoin']), [
    'fees.total of a chain is declared twice for bitcoin',
  ])
})

test('what is recomputed returns its sums or takes a grain, what is distinct takes a grain', () => {
  const sql = (more: string) => `SELECT ${COLUMNS.join(', ')}, ${more} FROM btc_blocks`
  const recomputed = (more: string) => faultsWith({ aggregate: 'recompute', sql: sql(more) })
  assert.deepEqual(recomputed('numerator, denominator'), [])
  assert.deepEqual(recomputed('{grain:String}'), [])
  for (const more of ['1', 'numerator', 'denominator'])
    assert.deepEqual(recomputed(more), ['is recomputed, but returns neither sums nor takes a grain'])
  assert.deepEqual(faultsWith({ aggregate: 'distinct' }), ['is a distinct count, but takes no grain'])
  assert.deepEqual(faultsWith({ aggregate: 'distinct', sql: sql('{grain:String}') }), [])
})

test('every parameter of a statement has a default, and one type', () => {
  const sql = (parameter: string) => `SELECT ${COLUMNS.join(', ')}, ${parameter} FROM btc_blocks`
  const parameters = [{ name: 'least', type: 'UInt8', default: '1', doc: 'least' }]
  assert.deepEqual(faultsWith({ sql: sql('{least:UInt8}') }), ['has no default for {least:UInt8}'])
  assert.deepEqual(faultsWith({ sql: sql('{least:UInt8}'), parameters }), [])
  assert.deepEqual(faultsWith({ sql: sql('{least:UInt16}'), parameters }), [
    'uses {least:UInt16} where least is UInt8',
  ])
  const switches = [{ name: 'doubled', doc: 'twice' }]
  assert.deepEqual(faultsWith({ switches }), ['has a switch doubled that its SQL does not take'])
  assert.deepEqual(faultsWith({ switches, sql: sql('{doubled:UInt8}') }), [])
})

test('a registry without a fault is taken', () => {
  checkRegistry([metric(sound)], TABLES, SOURCES)
})
