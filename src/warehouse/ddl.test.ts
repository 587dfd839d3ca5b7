/** Tables would be created wrongly on a cluster. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nullable, oneOf, table, text, time, u32 } from '#kernel/table.ts'
import { addColumnsSql, createFillSql, createTableSql } from './ddl.ts'

const visits = table('visits', {
  doc: 'One row per visitor’s visit.',
  columns: {
    height: u32('block height'),
    seenAt: time('when, UTC', { codec: 'Delta, ZSTD(1)' }),
    kind: nullable(oneOf(['human', 'robot'], "who: 'human' or not")),
    note: text('free text'),
  },
  orderBy: ['height', 'seen_at'],
  partitionBy: 'intDiv(height, 50000)',
  indexes: { seen_at: 'seen_at TYPE minmax GRANULARITY 1' },
  projections: { times: 'SELECT height, count() GROUP BY height' },
  settings: { index_granularity: 1024 },
})

test('a declaration becomes one table on a single engine', () => {
  assert.deepEqual(createTableSql(visits), [
    `CREATE TABLE IF NOT EXISTS base.visits
(
  height UInt32 COMMENT 'block height',
  seen_at DateTime('UTC') COMMENT 'when, UTC' CODEC(Delta, ZSTD(1)),
  kind Nullable(Enum8('human' = 0, 'robot' = 1)) COMMENT 'who: \\'human\\' or not',
  note String COMMENT 'free text',
  INDEX seen_at seen_at TYPE minmax GRANULARITY 1,
  PROJECTION times (SELECT height, count() GROUP BY height)
)
ENGINE = MergeTree()
PARTITION BY intDiv(height, 50000)
ORDER BY (height, seen_at)
SETTINGS index_granularity = 1024
COMMENT 'One row per visitor’s visit.'`,
  ])
})

test('on a cluster it becomes a replicated table and one that spreads over all nodes', () => {
  const [local = '', distributed = '', ...none] = createTableSql(visits, 'main')
  assert.match(local, /^CREATE TABLE IF NOT EXISTS base\.visits_local ON CLUSTER 'main'\n/)
  assert.match(
    local,
    /ENGINE = ReplicatedMergeTree\('\/clickhouse\/tables\/\{shard\}\/base\/visits_local', '\{replica\}'\)/,
  )
  assert.equal(
    distributed,
    `CREATE TABLE IF NOT EXISTS base.visits ON CLUSTER 'main' AS base.visits_local
ENGINE = Distributed('main', base, visits_local, intDiv(height, 1000))
COMMENT 'One row per visitor’s visit.'`,
  )
  assert.deepEqual(none, [])
})

test('a replacing engine keeps its version column when it is replicated', () => {
  const [local = ''] = createTableSql({ ...visits, engine: 'ReplacingMergeTree(seen_at)' }, 'main')
  assert.match(local, /ENGINE = ReplicatedReplacingMergeTree\('[^']+', '\{replica\}', seen_at\)/)
})

test('columns are added where they are declared, on a cluster to both tables', () => {
  assert.deepEqual(addColumnsSql(visits, ['height', 'note']), [
    `ALTER TABLE base.visits
  ADD COLUMN height UInt32 COMMENT 'block height' FIRST,
  ADD COLUMN note String COMMENT 'free text' AFTER kind`,
  ])
  assert.deepEqual(
    addColumnsSql(visits, ['note'], 'main').map(sql => sql.split('\n')[0]),
    ["ALTER TABLE base.visits_local ON CLUSTER 'main'", "ALTER TABLE base.visits ON CLUSTER 'main'"],
  )
})

test('a fill works on the rows of its own node and spreads what it makes', () => {
  const fill = { name: 'f', source: 'visits', target: 'sums', sql: 'SELECT height FROM base.visits' }
  assert.equal(
    createFillSql(fill).at(-1),
    'CREATE MATERIALIZED VIEW base.f TO base.sums AS\nSELECT height FROM base.visits',
  )
  assert.equal(
    createFillSql(fill, 'main').at(-1),
    "CREATE MATERIALIZED VIEW base.f ON CLUSTER 'main' TO base.sums AS\nSELECT height FROM base.visits_local",
  )
})
