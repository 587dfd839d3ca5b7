/** A user with a typo in a column would not learn its name, or would be led to a column that the query cannot read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeAt, QueryError } from './errors.ts'
import { withNearestColumns } from './nearestColumns.ts'
import { readStatement } from './statement.ts'

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  blocks: ['height', 'block_time', 'median_time', 'tx_count'],
  'default.txs': ['height', 'fee_sat', 'weight_wu'],
  short: ['x', 'y'],
  pools: ['pool', 'as_of', 'value'],
  'uploads.`my prices`': ['day', 'price, USD', 'my price'],
}

/** The hint for the unknown column at the last `wrong` in a statement. */
async function hintAt(sql: string, wrong: string, nearest?: string) {
  const asked: string[] = []
  const error = new QueryError('sql.unknown_column', `Unknown column \`${wrong}\`.`, {
    place: placeAt(sql, sql.lastIndexOf(wrong)),
    ...(nearest !== undefined && { facts: { nearest } }),
  })
  const { hint, facts, place } = await withNearestColumns(error, readStatement(sql), async table => {
    asked.push(table)
    const columns = COLUMNS[table]
    if (columns === undefined) throw new QueryError('sql.refused', 'Not open.')
    return columns
  })
  assert.deepEqual(place, error.place)
  return { hint, nearest: facts.nearest, asked }
}

test('the nearest columns of the tables in scope are suggested, by letters and by words', async () => {
  const hints: [string, string, string | undefined][] = [
    ['SELECT heigth FROM blocks', 'heigth', 'Did you mean height?'],
    ['SELECT timestamp FROM blocks', 'timestamp', 'Did you mean median_time or block_time?'],
    ['SELECT txs FROM blocks', 'txs', 'Did you mean tx_count?'],
    ['FROM blocks AS b, default.txs t SELECT fees', 'fees', 'Did you mean fee_sat?'],
    ['SELECT t.fees FROM blocks b JOIN default.txs t USING height', 't.fees', 'Did you mean t.fee_sat?'],
    ['SELECT b.fee_sat FROM blocks b JOIN default.txs t ON 1', 'b.fee_sat', 'Did you mean t.fee_sat?'],
    [
      'SELECT 1 FROM blocks WHERE height IN (SELECT feesat FROM default.txs)',
      'feesat',
      'Did you mean fee_sat?',
    ],
    ['SELECT max(abs((heigt))) FROM blocks', 'heigt', 'Did you mean height?'],
    ['SELECT height FROM blocks UNION ALL SELECT fee FROM default.txs', 'fee', 'Did you mean fee_sat?'],
    ['SELECT mi_price FROM uploads.`my prices`', 'mi_price', 'Did you mean `my price`?'],
    ['SELECT zz FROM blocks', 'zz', 'blocks has the columns height, block_time, median_time and tx_count.'],
    ['SELECT foo FROM pools', 'foo', 'pools has the columns pool, as_of and value.'],
    ['SELECT 1 FROM pools HAVING a', 'a', 'pools has the columns pool, as_of and value.'],
    ['SELECT x, q FROM short', 'q', 'short has the columns x and y.'],
    ['SELECT pol, vals FROM pools', 'pol', 'Did you mean pool?'],
    ['SELECT pol, vals FROM pools', 'vals', 'Did you mean value?'],
    ['WITH blocks AS (SELECT 1 AS a) SELECT heigth FROM blocks', 'heigth', undefined],
    ['SELECT heigth FROM (SELECT 1 FROM blocks)', 'heigth', undefined],
    ['SELECT heigth FROM numbers(10)', 'heigth', undefined],
    ['SELECT heigth', 'heigth', undefined],
  ]
  for (const [sql, wrong, expected] of hints) assert.equal((await hintAt(sql, wrong)).hint, expected, sql)
})

test('what the engine suggests comes first, and no name twice', async () => {
  assert.equal(
    (await hintAt('SELECT heigth AS heights FROM blocks', 'heigth', 'heights,height')).nearest,
    'heights,height',
  )
})

test('a table that the caller may not read adds nothing, and few tables are read', async () => {
  const refused = await hintAt('SELECT secre FROM uploads.other', 'secre')
  assert.deepEqual(refused, { hint: undefined, nearest: undefined, asked: ['uploads.other'] })
  const many = Array.from({ length: 100 }, (_, index) => `t${index}`)
  assert.equal((await hintAt(`SELECT x FROM ${many.join(', ')}`, 'x')).asked.length, 4)
})

test('a long query full of brackets is read in a moment', async () => {
  const [open, close] = ['('.repeat(40), ')'.repeat(40)]
  const start = performance.now()
  await hintAt(`SELECT ${'(1),'.repeat(20_000)} ${open}heigth${close} FROM blocks`, 'heigth')
  assert.ok(performance.now() - start < 5000)
})
