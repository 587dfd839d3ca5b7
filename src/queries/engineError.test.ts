/** A user would be blamed for a memory limit that the server ran into. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClickHouseError } from '@clickhouse/client'
import { toQueryError } from './engineError.ts'
import { readStatement } from './statement.ts'

test('whose memory was too small is told apart: that of the query, or that of all together', () => {
  const refused = (whose: string) =>
    toQueryError(
      new ClickHouseError({
        code: '241',
        type: 'MEMORY_LIMIT_EXCEEDED',
        message: `${whose} memory limit exceeded: would use 565.15 MiB, maximum: 512.00 MiB.`,
      }),
      readStatement('SELECT 1'),
    )
  assert.equal(refused('Query').code, 'sql.too_much_memory')
  const { code, message, hint } = refused('(total)')
  assert.deepEqual(
    [code, message, hint],
    [
      'sql.unavailable',
      'The query engine is out of memory because of too many requests at once.',
      'Try again in a few seconds.',
    ],
  )
})
