/** A short query could keep the engine busy for minutes while it is only parsed. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { METRICS } from '#metrics/registry.ts'
import { readStatement } from './statement.ts'

type Case = { readonly what: string; readonly parts: readonly (readonly [text: string, times: number])[] }

const CASES = readFileSync(new URL('typeNesting.cases.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as Case)

const sqlOf = ({ parts }: Case): string => parts.map(([text, times]) => text.repeat(times)).join('')

test('types and brackets nested so deep that parsing them takes long are refused', () => {
  for (const each of CASES)
    assert.throws(() => readStatement(sqlOf(each)), { code: 'sql.too_complex' }, each.what)
})

test('metrics, examples and ordinary types pass', () => {
  const folder = new URL('../../content/queries/', import.meta.url)
  const examples = readdirSync(folder).map(file => readFileSync(new URL(file, folder), 'utf8'))
  assert.ok(examples.length > 20)
  for (const sql of [
    ...examples,
    ...METRICS.map(({ sql }) => sql),
    "SELECT JSONExtract('[]', 'Array(Tuple(a Array(Tuple(b Nullable(UInt8), c Map(String, String)))))')",
    "SELECT CAST([], 'Array(Tuple(UInt8, String))')::Array(Tuple(UInt8, LowCardinality(Nullable(String))))",
    `WITH ${Array.from({ length: 20 }, (_, i) => `a${i} AS MATERIALIZED (SELECT ${'f('.repeat(20)}1${')'.repeat(20)})`).join(', ')} SELECT 1`,
    `SELECT ${'greatest('.repeat(60)}1${')'.repeat(60)} AS a, ${'('.repeat(60)}1${')'.repeat(60)}`,
    `SELECT a IN (${Array.from({ length: 9_000 }, (_, i) => `'(${i})'`).join(', ')})`,
  ])
    readStatement(sql)
})
