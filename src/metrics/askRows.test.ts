/** Figures would lose digits, or stand under the wrong column. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, figureOf, isoOf } from './ask.ts'

test('an answer in columns comes back as rows by name', async () => {
  const queries: unknown[] = []
  const reader = {
    query: async (query: unknown) => {
      queries.push(query)
      return {
        json: async () => ({
          meta: [{ name: 'day' }, { name: 'value' }],
          data: [
            ['a', '1'],
            ['b', 2],
          ],
        }),
      }
    },
  } as unknown as Parameters<typeof ask>[0]
  assert.deepEqual(await ask(reader, 'SELECT 1', { from: 'x' }), [
    { day: 'a', value: '1' },
    { day: 'b', value: 2 },
  ])
  const { signal } = new AbortController()
  await ask(reader, 'SELECT 2', undefined, signal)
  const asked = {
    format: 'JSONCompact',
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 1,
      output_format_json_quote_denormals: 0,
    },
  }
  assert.deepEqual(queries, [
    { query: 'SELECT 1', query_params: { from: 'x' }, ...asked },
    { query: 'SELECT 2', query_params: {}, ...asked, abort_signal: signal },
  ])
})

test('a figure is a number as long as it is exact, and text beyond', () => {
  assert.deepEqual(
    [null, 1.5, '12', '-9007199254740991', '9007199254740993', '-9007199254740993', '0.25', '1e3', 'x9'].map(
      figureOf,
    ),
    [null, 1.5, 12, -9007199254740991, '9007199254740993', '-9007199254740993', 0.25, 1000, Number.NaN],
  )
  assert.equal(figureOf('12345678901234567890.5'), 12345678901234567000)
})

test('times of the engine are in UTC', () => {
  assert.equal(isoOf('2026-01-31 23:59:59'), '2026-01-31T23:59:59Z')
})
