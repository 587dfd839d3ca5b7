/** A user query could call a dangerous function of the engine. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { type Connection, openNativeEngine } from '../engine/native.ts'
import { schemaOf } from '../schema.ts'
import {
  AGGREGATES,
  CLOSED_FAMILIES,
  CLOSED_TABLE_FAMILIES,
  COMBINATORS,
  HIGHER_ORDER,
  OPEN_FAMILIES,
} from './functions.ts'
import { formattingOf, readFormatting } from './index.ts'
import { closedFunction, isOpenAggregate, isOpenFunction, isOpenTableFunction } from './names.ts'
import { refusalOfText } from './text.ts'

const wordsOf = (names: string): string[] => names.trim().split(/\s+/)
const OPEN = OPEN_FAMILIES.flatMap(({ names }) => wordsOf(names))
const CLOSED = CLOSED_FAMILIES.flatMap(({ names }) => wordsOf(names))
/** Written by the engine's parser, or part of other builds: in our lists, not in `system.functions`. */
const UNLISTED = ['exists', 'grouping', 'lambda', 'untuple', 'lemmatize', 'stem', 'synonyms']

describe('reviewed functions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-functions-'))
  let connection: Connection
  before(() => {
    connection = openNativeEngine(join(folder, 'data')).connect(['--readonly=1'])
  })
  after(() => {
    connection.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const namesOf = async (sql: string) =>
    (await connection.run(sql, 'TSVRaw')).bytes.toString().trimEnd().split('\n')

  test('are all functions of the engine: what a new version adds must be reviewed here', async () => {
    const known = new Set([...OPEN, ...CLOSED])
    const names = await namesOf('SELECT name FROM system.functions ORDER BY name')
    assert.deepEqual(
      names.filter(name => !known.has(name)),
      [],
      'not reviewed yet',
    )
    const all = new Set([...names, ...UNLISTED])
    assert.deepEqual(
      [...known].filter(name => !all.has(name)),
      [],
      'not in the engine',
    )
  })

  test('are open or closed, never both, whatever the spelling, and each family has its reason', () => {
    const open = new Set(OPEN.map(name => name.toLowerCase()))
    assert.deepEqual(
      CLOSED.filter(name => open.has(name.toLowerCase())),
      [],
    )
    for (const { reason } of [...OPEN_FAMILIES, ...CLOSED_FAMILIES, ...CLOSED_TABLE_FAMILIES])
      assert.match(reason, /^[A-Z].*\.$/)
    for (const { reason } of [...CLOSED_FAMILIES, ...CLOSED_TABLE_FAMILIES])
      assert.match(reason, /^(?:Can|[A-Z]\w*s) /, 'reads after "It"')
  })

  test('that make tables are closed for a reason each', async () => {
    const names = await namesOf('SELECT name FROM system.table_functions ORDER BY name')
    const few = names.filter(name => !isOpenTableFunction(name) && !closedFunction(name).includes('. It '))
    assert.deepEqual(few, ['SQLStandardValues', 'null'])
  })

  test('know the aggregates, their combinators and the functions that take functions', async () => {
    const aggregates = new Set(await namesOf('SELECT name FROM system.functions WHERE is_aggregate'))
    for (const name of wordsOf(OPEN_FAMILIES.find(({ family }) => family === AGGREGATES)?.names ?? ''))
      assert.ok(aggregates.has(name), name)
    assert.deepEqual(
      [...COMBINATORS].sort(),
      (await namesOf('SELECT name FROM system.aggregate_function_combinators')).sort(),
    )
    assert.deepEqual(
      wordsOf(HIGHER_ORDER).sort(),
      (await namesOf('SELECT name FROM system.functions WHERE higher_order')).sort(),
    )
    assert.ok(isOpenAggregate('sumIf') && isOpenAggregate('uniqArrayIf') && isOpenFunction('COUNT'))
    assert.ok(!isOpenFunction('fileIf') && !isOpenFunction('flameGraphState'))
  })

  test('are all that our own views call', async () => {
    const { views } = schemaOf(await testCatalog())
    for (const { name, sql } of views) {
      const open = sql.replaceAll('base.', '')
      const { bytes } = await connection.run(formattingOf(open), 'JSONCompactEachRow')
      assert.equal(refusalOfText(readFormatting(bytes.toString()).formatted), undefined, name)
    }
  })
})
