/** A text in dollar quotes would be taken for SQL, or a hostile one would stop the server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { heredocsOf } from './heredocs.ts'
import { seedOf } from './seed.testing.ts'

/** As ClickHouse reads it: the first equal tag behind the opening one. */
function plainly(sql: string, from: number) {
  const tag = /^\$[^$]*\$/.exec(sql.slice(from))?.[0]
  const close = tag === undefined ? -1 : sql.indexOf(tag, from + tag.length)
  return tag === undefined || close < 0
    ? undefined
    : { textFrom: from + tag.length, textTo: close, to: close + tag.length }
}

test('each place has the heredoc that a plain search finds', t => {
  const anySql = fc.string({ unit: fc.constantFrom('$', 'a', 'b', ' ', "'"), maxLength: 40 })
  fc.assert(
    fc.property(anySql, sql => {
      const heredocAt = heredocsOf(sql)
      for (let at = 0; at < sql.length; at++) assert.deepEqual(heredocAt(at), plainly(sql, at), sql)
    }),
    { seed: seedOf(t), numRuns: 500 },
  )
})
