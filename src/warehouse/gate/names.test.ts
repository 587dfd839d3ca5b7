/** Queries would read tables that are closed, or be refused tables that are open. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  closedFunction,
  IN_FUNCTION,
  isHigherOrder,
  isOpenAggregate,
  isOpenFunction,
  isOpenTableFunction,
  OPEN_FUNCTIONS,
  refusalOfName,
  refusalOfTable,
} from './names.ts'

const closed = (name: string) => `Table ${name} is not open to queries.`

test('tables of our own database are open, files and other databases are not', () => {
  for (const name of ['btc_blocks', 'default.btc_blocks', 'numbers'])
    assert.equal(refusalOfTable(name), undefined, name)
  for (const name of ['other.t', 'default.data.csv', 'default.a.b', '_temporary_and_external_tables.t'])
    assert.equal(refusalOfTable(name), closed(name), name)
  for (const sign of '/\\*?:{}~')
    assert.equal(refusalOfTable(`btc${sign}blocks`), closed(`btc${sign}blocks`), sign)
  const long = `a/${'x'.repeat(200)}`
  assert.equal(refusalOfTable(long), closed(`${long.slice(0, 120)}…`))
  assert.equal(refusalOfTable(`a/${'x'.repeat(118)}`), closed(`a/${'x'.repeat(118)}`))
})

test('the uploads of the asker are open by name, and those of everybody else are not', () => {
  const [own, other] = [`uploads_${'a'.repeat(32)}`, `uploads_${'b'.repeat(32)}`]
  const open = new Set([own])
  assert.equal(refusalOfTable(`${own}.t`, open), undefined)
  for (const name of [`${other}.t`, `${own}.t.u`, `${own.toUpperCase()}.t`, 'uploads.t'])
    assert.equal(refusalOfTable(name, open), closed(name), name)
  assert.equal(refusalOfTable(`${own}.t`), closed(`${own}.t`))
  for (const name of [`${other}.t`, `UPLOADS_${'b'.repeat(32)}.t.c`])
    assert.equal(refusalOfName(name, open), closed(name), name)
  assert.equal(refusalOfName(`${own}.t.c`, open), undefined)
})

test('of the engine’s own tables those are open that describe the language', () => {
  const open =
    'aggregate_function_combinators codecs collations columns data_type_families formats functions keywords licenses numbers numbers_mt one primes settings time_zones zeros zeros_mt'
  for (const table of open.split(' ')) {
    assert.equal(refusalOfTable(`system.${table}`), undefined, table)
    assert.equal(refusalOfName(`system.${table}.name`), undefined, table)
    assert.equal(refusalOfName(`SYSTEM.${table}`), undefined, table)
  }
  for (const table of ['processes', 'query_log', 'users', 'tables', 'settings_changes', 'Columns', ''])
    assert.equal(refusalOfTable(`system.${table}`), closed(`system.${table}`), table)
  for (const table of ['tables', 'columns', 'TABLES', 'columns.name'])
    assert.equal(refusalOfTable(`information_schema.${table}`), undefined, table)
  for (const table of ['schemata', 'tables_x', 'views'])
    assert.equal(refusalOfTable(`INFORMATION_SCHEMA.${table}`), closed(`INFORMATION_SCHEMA.${table}`), table)
})

test('a name of our base tables leads to the view of the same name, any other dotted name may stand', () => {
  const said = 'Table base.btc_blocks is not open to queries. Read btc_blocks: the committed rows of it.'
  assert.equal(refusalOfTable('base.btc_blocks'), said)
  assert.equal(
    refusalOfName('BASE.btc_blocks.height')?.endsWith('Read btc_blocks: the committed rows of it.'),
    true,
  )
  for (const name of ['b.height', 'height', 'default.x.y']) assert.equal(refusalOfName(name), undefined, name)
})

test('functions are open in any spelling, aggregates with any combinators behind them', () => {
  for (const name of ['sum', 'SUM', 'sumIf', 'sumArrayIf', 'uniqExactMerge', 'countIf', 'length'])
    assert.equal(isOpenFunction(name), true, name)
  for (const name of ['file', 'url', 'lengthIf', 'sumNot', '', 'sum If'])
    assert.equal(isOpenFunction(name), false, name)
  assert.equal(isOpenAggregate('length'), false)
  assert.equal(isOpenAggregate('SUMIF'), true)
  // Names end: more combinators than any query has are no function.
  const suffixes = (characters: number) => `sum${'If'.repeat((characters - 3) / 2)}`
  assert.deepEqual([suffixes(119), suffixes(121)].map(isOpenAggregate), [true, false])
  assert.equal(isOpenAggregate(`${'x'.repeat(118)}If`), false)
  for (const { name, isAggregate } of OPEN_FUNCTIONS) {
    assert.ok(isOpenFunction(name) && name !== '', name)
    assert.equal(isOpenAggregate(name), isAggregate, name)
  }
})

test('functions that take functions or make tables are known by name', () => {
  for (const name of ['arrayMap', 'ARRAYFILTER']) assert.equal(isHigherOrder(name), true, name)
  for (const name of ['length', '']) assert.equal(isHigherOrder(name), false, name)
  const makers =
    'numbers numbers_mt zeros zeros_mt generateSeries generate_series primes values view GENERATESERIES Values'
  for (const name of makers.split(' ')) assert.equal(isOpenTableFunction(name), true, name)
  for (const name of ['file', 'url', 's3', 'remote', 'merge', 'input', ''])
    assert.equal(isOpenTableFunction(name), false, name)
  for (const name of [
    'in',
    'notIn',
    'globalIn',
    'globalNotIn',
    'nullIn',
    'notNullIn',
    'inIgnoreSet',
    'globalNotNullInIgnoreSet',
  ])
    assert.match(name, IN_FUNCTION)
  for (const name of ['inx', 'min', 'indexOf', 'innotglobal']) assert.doesNotMatch(name, IN_FUNCTION)
})

test('a closed function is told why, or what it may have been meant to be', () => {
  const file = closedFunction('FILE')
  assert.equal(file, 'Function FILE is not open to queries. It reads a file of the server.')
  assert.equal(
    closedFunction('sleep'),
    'Function sleep is not open to queries. It holds a slot without reading anything.',
  )
  assert.equal(closedFunction('s3'), 'Function s3 is not open to queries. It reads from the network.')
  assert.match(closedFunction('numbers'), /It makes a table, so write it after FROM\.$/)
  assert.match(closedFunction('length'), /It returns a value, not a table\.$/)
  assert.match(closedFunction('xyzzyplugh'), /reviewed functions\.$/)
  assert.ok(!file.includes('Maybe'))
  assert.match(
    closedFunction('lenght'),
    /^Function lenght is not open to queries: it is not on the list of reviewed functions\. Maybe you meant: \['length'/,
  )
  const long = 'x'.repeat(200)
  assert.ok(closedFunction(long).startsWith(`Function ${'x'.repeat(120)}… is not open`))
  assert.ok(closedFunction('x'.repeat(120)).startsWith(`Function ${'x'.repeat(120)} is not open`))
})
