/** Daily figures would stay outdated after their definition changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { date, table, u64 } from '#kernel/table.ts'
import { schemaOf, type View, view } from '#warehouse/index.ts'
import { createDeclarationMark, createRunSignature } from './declaration.ts'
import { rollupsOf } from './refresh.ts'
import type { Rollup } from './rollup.ts'

const tableOf = (name: string) =>
  table(name, { doc: name, columns: { run: u64('run'), bucket: date('day') }, orderBy: ['bucket'] })
const rollup = (name: string, sql: string): Rollup => ({
  table: tableOf(name),
  grains: ['day'],
  scope: 'bucket',
  select: () => sql,
})
const viewOf = (name: string, sql: string): View => view(name, { doc: name, columns: {}, sql })

const RAW = 'SELECT a FROM base.raw'
const MEANT = 'SELECT a FROM raw WHERE a > 0'
const DEEPER = 'SELECT a FROM deeper_meaning'
const FIRST = 'SELECT a FROM meaning GROUP BY a'
const SECOND = 'SELECT a FROM first_days'

/** The signature of the second rollup, which reads the first one, over rows of one fingerprint. */
function signature(change: { raw?: string; meant?: string; first?: string; second?: string } = {}): string {
  const first = rollup('first_days', change.first ?? FIRST)
  const second = rollup('second_days', change.second ?? SECOND)
  const views = [
    viewOf('raw', change.raw ?? RAW),
    viewOf('deeper_meaning', change.meant ?? MEANT),
    viewOf('meaning', DEEPER),
  ]
  const marks = createDeclarationMark([first, second], { tables: [tableOf('raw')], views })
  return createRunSignature(marks)(second, 'day', '12345')
}

test('a day is stale when the statement of its rollup changes, or one beneath it, and not for another column of a table', () => {
  assert.equal(signature(), signature())
  const changed = [
    signature(),
    signature({ second: `${SECOND} LIMIT 1` }),
    signature({ first: `${FIRST} LIMIT 1` }),
    signature({ meant: `${MEANT} LIMIT 1` }),
  ]
  assert.equal(new Set(changed).size, changed.length)
  assert.equal(signature({ raw: 'SELECT a, b FROM base.raw' }), signature())
})

test('other rows give another signature, no rows none, and no two rollups share one', async () => {
  const rollups = rollupsOf(await testCatalog())
  const of = createRunSignature(createDeclarationMark(rollups, schemaOf({ evm: [], stacksApps: [] })))
  const [any] = rollups
  assert.ok(any)
  assert.notEqual(of(any, 'day', '1'), of(any, 'day', '2'))
  assert.equal(of(any, 'day', '0'), '0')
  const all = rollups.flatMap(one => one.grains.map(grain => of(one, grain, '18446744073709551615')))
  assert.equal(new Set(all).size, all.length)
  for (const one of all) assert.ok(BigInt(one) >= 0n && BigInt(one) < 2n ** 64n)
})
