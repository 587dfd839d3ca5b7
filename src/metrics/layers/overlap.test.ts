/** Shared users of two layers would be miscounted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../ask.ts'
import { layerOverlapBuckets } from '../rollups/layerDays.ts'
import { openEmptyMetrics } from '../testing.ts'
import { usersOverlap } from './overlap.ts'

/** The statement of a relation with the rows that a test says in its place. */
const over = (sql: string, relations: Readonly<Record<string, string>>): string =>
  Object.entries(relations).reduce(
    (text, [name, rows]) => text.replaceAll(new RegExp(`\\b(FROM|JOIN) ${name}\\b`, 'g'), `$1 (${rows})`),
    sql,
  )

test('two senders of three and of two are shared: two of three in all, and nobody with the third layer', async () => {
  await using site = await openEmptyMetrics()
  const day = "toDateTime('2026-07-07 10:00:00', 'UTC')"
  const sent = [
    ['rootstock', 'a'],
    ['rootstock', 'b'],
    ['rootstock', 'c'],
    ['rootstock', 'a'],
    ['core', 'a'],
    ['core', 'b'],
    ['bob', 'd'],
  ]
  const txs = sent
    .map(
      ([chain, sender]) =>
        `SELECT '${chain}' AS chain, 7 AS height, '${sender}' AS sender, ${day} AS block_time, 'legacy' AS kind, 1 AS gas_price_wei, '' AS recipient`,
    )
    .join(' UNION ALL ')
  const blocks = ['rootstock', 'core', 'bob']
    .map(chain => `SELECT '${chain}' AS chain, 7 AS height, ${day} AS block_time`)
    .join(' UNION ALL ')
  const select = layerOverlapBuckets
    .select('day')
    .replaceAll('{buckets:Array(Date)}', "[toDate('2026-07-07')]")
  const shared = await ask<Record<string, string>>(
    site.warehouse.reader,
    over(select, { evm_txs: txs, evm_blocks: blocks }),
    { run: '1' },
  )
  const columns = Object.keys(shared[0]!)
  const pairs = new Map(
    shared.map(row => [`${row[columns[3]!]} ${row[columns[4]!]}`, Number(row[columns[5]!])]),
  )
  assert.equal(pairs.get('rootstock core'), 2)
  assert.equal(pairs.get('core rootstock'), 2)
  assert.equal(pairs.get('rootstock bob'), 0)
  assert.equal(pairs.size, 6)

  const overlaps = [...pairs]
    .map(([pair, count]) => pair.split(' ').concat(String(count)))
    .map(
      ([chain, other, count]) =>
        `SELECT '${chain}' AS chain, '${other}' AS other, 'day' AS grain, toDate('2026-07-07') AS bucket, toUInt64(${count}) AS shared_count`,
    )
    .join(' UNION ALL ')
  const actors = Object.entries({ rootstock: 3, core: 2, bob: 1 })
    .map(
      ([chain, senders]) =>
        `SELECT '${chain}' AS chain, 'day' AS grain, toDate('2026-07-07') AS bucket, toUInt64(${senders}) AS sender_count, 1 AS from_height, 9 AS to_height, ${day} AS last_time`,
    )
    .join(' UNION ALL ')
  const rows = await ask<{ key: string; value: number }>(
    site.warehouse.reader,
    over(usersOverlap([{ id: 'rootstock' }, { id: 'bob' }, { id: 'core' }]).sql, {
      evm_overlap_buckets: overlaps,
      evm_actor_buckets: actors,
    }),
    { entity: 'rootstock', grain: 'day', from: '2026-07-01', to: '2026-07-31' },
  )
  assert.deepEqual(
    rows.map(({ key, value }) => [key, value]),
    [
      ['bob', 0],
      ['core', 2 / 3],
    ],
  )
})
