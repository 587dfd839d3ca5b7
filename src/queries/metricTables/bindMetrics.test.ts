/** A metric in a query would give different values than its page, or errors would point to the wrong place. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryError } from '../errors.ts'
import { readStatement } from '../statement.ts'
import { bindUploads } from '../uploads/bindUploads.ts'
import { metricEdits, namesMetrics, withMetrics } from './bindMetrics.ts'

const metric = (id: string, sql: string, ...entities: string[]) => ({
  id,
  sql,
  entities,
  parameters: [
    { name: 'from', default: '2009-01-03' },
    { name: 'entity', default: entities[0] ?? '' },
  ],
})
const METRICS = [
  metric('fees.total', 'SELECT day FROM fees WHERE day > {from:Date} AND e = {entity:String}', 'bitcoin'),
  metric('fees.total', "SELECT day FROM l_fees WHERE match(e, '^x{4}$') OR e = {entity:String}", 'a', 'o-b'),
  metric('tx.count', 'WITH own AS (SELECT 1) SELECT day FROM own', 'bitcoin'),
]
const FEES = "SELECT day FROM fees WHERE day > CAST('2009-01-03', 'Date') AND e = CAST('bitcoin', 'String')\n"
const TX = 'WITH own AS (SELECT 1) SELECT day FROM own\n'
const bound = (sql: string): string => {
  const statement = readStatement(sql)
  return bindUploads(statement, [], namesMetrics(statement.tokens) ? metricEdits(statement, METRICS) : [])
    .text
}
const refused = (sql: string): string => {
  try {
    return bound(sql)
  } catch (error) {
    assert.ok(error instanceof QueryError)
    return `${error.code} ${error.place?.line}:${error.place?.column} ${error.hint}`
  }
}

test('metrics become subqueries, and their columns refer to the subquery', () => {
  for (const [sql, expected] of [
    ['SELECT day FROM metrics.fees_total', `SELECT day FROM (${FEES}) AS fees_total`],
    ['SELECT day FROM metrics.fees.total', `SELECT day FROM (${FEES}) AS fees_total`],
    ["SELECT day FROM metrics.fees_total('bitcoin') AS f", `SELECT day FROM (${FEES}) AS f`],
    ['SELECT day FROM metrics.fees_total() f', `SELECT day FROM (${FEES}) f`],
    [
      "SELECT day FROM metrics.fees_total('o-b') WHERE 1",
      "SELECT day FROM (SELECT day FROM l_fees WHERE match(e, '^x{4}$') OR e = CAST('o-b', 'String')\n) AS fees_total WHERE 1",
    ],
    [
      'SELECT metrics.fees_total.day, metrics.tx.count.day FROM metrics.fees_total JOIN metrics.tx_count t USING day',
      `SELECT fees_total.day, \`t\`.day FROM (${FEES}) AS fees_total JOIN (${TX}) t USING day`,
    ],
    ['DESCRIBE TABLE metrics.tx_count', `DESCRIBE TABLE (${TX})`],
    ['SELECT 1 FROM a, metrics.tx_count', `SELECT 1 FROM a, (${TX}) AS tx_count`],
    ['SELECT day IN metrics.tx_count', `SELECT day IN (${TX})`],
  ] as const)
    assert.equal(bound(sql), expected)
})

test('other things called metrics do not change', () => {
  for (const sql of [
    'WITH metrics AS (SELECT 1 AS fees_total) SELECT metrics.fees_total FROM metrics',
    'SELECT metrics.value FROM t AS metrics',
    "SELECT 'FROM metrics.fees_total' -- FROM metrics.fees_total",
    'SELECT t.metrics.fees_total FROM t',
    'SELECT metrics FROM t',
  ])
    assert.equal(bound(sql), sql)
  assert.equal(withMetrics('SELECT FROM metrics.nothing', METRICS), 'SELECT FROM metrics.nothing')
})

test('an unknown metric is reported with its position and the closest names', () => {
  assert.match(
    refused('SELECT 1\nFROM metrics.fee_total'),
    /^sql\.unknown_metric 2:6 Maybe you meant metrics\.fees_total/,
  )
  assert.match(
    refused('SELECT 1 FROM metrics.fees.totl'),
    /^sql\.unknown_metric 1:15 Maybe you meant metrics\.fees_total/,
  )
  assert.match(
    refused("SELECT 1 FROM metrics.fees_total('bitcon')"),
    /^sql\.metric_entity 1:15 Nearest: bitcoin/,
  )
  assert.match(refused('SELECT 1 FROM metrics.fees_total(1)'), /^sql\.metric_entity 1:33 /)
  assert.match(refused("SELECT 1 FROM metrics.fees_total('a', 'b')"), /^sql\.metric_entity /)
  for (const hiding of [
    'fees AS (SELECT 1 AS day)',
    'fees AS ((SELECT 1 AS day))',
    'fees AS MATERIALIZED (SELECT 1 AS day)',
    '`fees` (day) AS (SELECT 1)',
    'fees (day) AS MATERIALIZED ((SELECT 1))',
  ])
    assert.match(
      refused(`WITH ${hiding} SELECT * FROM metrics.fees_total`),
      /^sql\.metric_hidden 1:\d+ .*another name in the WITH clause/,
      hiding,
    )
  assert.equal(
    refused('WITH own AS (SELECT 2) SELECT 1 FROM metrics.tx_count'),
    `WITH own AS (SELECT 2) SELECT 1 FROM (${TX}) AS tx_count`,
  )
  assert.match(
    refused(`SELECT 1 FROM ${Array.from({ length: 9 }, (_, at) => `metrics.tx_count t${at}`).join(', ')}`),
    /^sql\.too_long_text /,
  )
})

test('error positions after a metric refer to the original text', () => {
  const sql = 'SELECT day FROM metrics.fees_total\nWHERE wrong = 1'
  const statement = readStatement(sql)
  const { text, placeOf } = bindUploads(statement, [], metricEdits(statement, METRICS))
  const at = text.indexOf('wrong')
  const lines = text.slice(0, at).split('\n')
  assert.deepEqual(placeOf({ line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }), {
    line: 2,
    column: 7,
  })
})
