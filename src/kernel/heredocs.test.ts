/** Dollar-quoted text would be read as SQL, or hostile text would block the server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { heredocsOf } from './heredocs.ts'
import { seedOf } from './seed.testing.ts'

/** As ClickHouse reads it: up to the first matching tag after the opening one. */
function plainly(sql: string, from: number) {
  const tag = /^\$[^$]*\$/.exec(sql.slice(from))?.[0]
  const close = tag === undefined ? -1 : sql.indexOf(tag, from + tag.length)
  return tag === undefined || close < 0
    ? undefined
    : { textFrom: from + tag.length, textTo: close, to: close + tag.length }
}

test('each offset has the same heredoc as a simple search finds', t => {
  const anySql = fc.string({ unit: fc.constantFrom('$', 'a', 'b', ' ', "'"), maxLength: 40 })
  fc.assert(
    fc.property(anySql, sql => {
      const heredocAt = heredocsOf(sql)
      for (let at = 0; at < sql.length; at++) assert.deepEqual(heredocAt(at), plainly(sql, at), sql)
    }),
    { seed: seedOf(t), numRuns: 500 },
  )
})
