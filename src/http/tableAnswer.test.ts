/** An empty table would claim that nothing exists where data is only missing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APP_TABLES, STACKS_TABLES } from '#explorer/index.ts'
import { NO_BLOCK, tableAnswer } from './tableAnswer.ts'

const SWAPS = { title: 'Swaps', sub: 'newest', empty: 'No swaps indexed.', columns: [] }
const told = (sql: string, height: number | null, rows: readonly { n: number }[] = []): string =>
  tableAnswer('swaps', SWAPS, { sql, rows, asOf: { ...NO_BLOCK, height } }).empty

test('a table without rows says what of Stacks is held, and never that nothing is while something is', () => {
  const none = told('SELECT * FROM stx_dex_swaps', null)
  assert.match(none, /^No swaps indexed\. No Stacks blocks are indexed yet\. With internet/)
  const some = told('SELECT * FROM stx_dex_swaps', 4_000_079)
  assert.match(
    some,
    /^No swaps indexed\. Stacks blocks are indexed up to 4,000,079\. Load missing older ones with “assay backfill/,
  )
  assert.doesNotMatch(some, /yet|No block/)
  // What comes with the snapshot, or from answers of contracts, no block brings.
  assert.equal(told('SELECT * FROM stx_reads', 5), 'No swaps indexed.')
  assert.equal(told(STACKS_TABLES['sip-results']?.sql ?? '', null), 'No swaps indexed.')
})

test('no declaration of a table claims by itself that no block is held', () => {
  for (const [id, { empty }] of [...Object.entries(APP_TABLES), ...Object.entries(STACKS_TABLES)])
    assert.doesNotMatch(empty, /indexed yet|No (day|block) of Stacks|No Stacks block/, id)
})
