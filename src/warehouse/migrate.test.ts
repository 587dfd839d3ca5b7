/** An update would lose data or leave tables half changed. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { i32, nullable, oneOf, type Table, table, text, u32, u64 } from '#kernel/table.ts'
import { migrate } from './migrate.ts'
import { openTestWarehouse } from './testing.ts'
import { plainView } from './view.ts'

const first = table('things', {
  doc: 'One row per thing.',
  columns: { id: u32('its number'), valueSat: u64('value, satoshis') },
  orderBy: ['id'],
})
const schemaOf = (things: Table) => ({
  tables: [things],
  baseViews: [],
  fills: [],
  views: [plainView(things)],
})

describe('a migration', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  before(async () => {
    warehouse = await openTestWarehouse({ schema: schemaOf(first) })
    await warehouse.insertRows(first, [{ id: 1, valueSat: 2n ** 64n - 1n }])
  })
  after(() => warehouse[Symbol.asyncDispose]())
  const read = async (query: string) =>
    (await warehouse.reader.query({ query, format: 'JSONEachRow' })).json()

  test('of an unchanged declaration changes nothing', async () => {
    assert.deepEqual((await warehouse.migrate()).changes, [])
  })

  test('adds a column where it is declared, keeps the rows, and the view shows it with its comment', async () => {
    const wider = table('things', {
      ...first,
      columns: { id: first.columns.id, label: text('what it is called'), valueSat: first.columns.valueSat },
    })
    const { changes } = await migrate(warehouse.writer, schemaOf(wider))
    assert.equal(changes[0], 'table things: label added')
    assert.deepEqual(await read('SELECT id, label, toString(value_sat) AS value_sat FROM things'), [
      { id: 1, label: '', value_sat: '18446744073709551615' },
    ])
    assert.deepEqual(
      await read(
        "SELECT name, comment FROM system.columns WHERE database = 'default' AND table = 'things' ORDER BY position",
      ),
      [
        { name: 'id', comment: 'its number' },
        { name: 'label', comment: 'what it is called' },
        { name: 'value_sat', comment: 'value, satoshis' },
      ],
    )
  })

  for (const [what, declared, sentence] of [
    [
      'another type',
      table('things', { ...first, columns: { ...first.columns, label: u32('now a number') } }),
      /column label is held as String and declared as UInt32/,
    ],
    ['a column that is gone', first, /column label is held and not declared/],
    [
      'another order',
      table('things', { ...first, columns: { ...first.columns, label: text('') }, orderBy: ['label'] }),
      /held in the order \(\(?id\)?\) and declared in \(label\)/,
    ],
  ] as const)
    test(`refuses ${what} and leaves the rows alone`, async () => {
      await assert.rejects(migrate(warehouse.writer, schemaOf(declared)), {
        code: 'warehouse.migration',
        message: sentence,
      })
      assert.deepEqual(await read('SELECT toUInt32(count()) AS n FROM base.things'), [{ n: 1 }])
    })
})

test('what is kept beside the rows answers for those that were there before, and goes when it is declared no more', async () => {
  const kept = table('things', {
    ...first,
    projections: { most: 'SELECT id, max(value_sat) GROUP BY id' },
  })
  await using warehouse = await openTestWarehouse({ schema: schemaOf(first) })
  await warehouse.insertRows(first, [
    { id: 1, valueSat: 3n },
    { id: 1, valueSat: 5n },
  ])
  const query = 'SELECT id, toUInt32(max(value_sat)) AS most FROM things GROUP BY id ORDER BY id'
  const ask = async () => {
    const rows = await warehouse.reader.query({ query, format: 'JSONEachRow' })
    const plan = await warehouse.reader.query({ query: `EXPLAIN ${query}`, format: 'TabSeparated' })
    return { rows: await rows.json(), isByKept: (await plan.text()).includes('ReadFromMergeTree (most)') }
  }
  const before = await ask()
  assert.deepEqual(before, { rows: [{ id: 1, most: 5 }], isByKept: false })
  await migrate(warehouse.writer, schemaOf(kept))
  await warehouse.insertRows(kept, [{ id: 2, valueSat: 7n }])
  const rows = [
    { id: 1, most: 5 },
    { id: 2, most: 7 },
  ]
  assert.deepEqual(await ask(), { rows, isByKept: true })
  await migrate(warehouse.writer, schemaOf(first))
  assert.deepEqual(await ask(), { rows, isByKept: false })
})

describe('a closed set', () => {
  const kinds = (...names: readonly string[]) =>
    table('kinds', {
      doc: 'One row per kind.',
      columns: {
        kind: oneOf(names, 'which'),
        maybe: nullable(oneOf(names, 'which, if any')),
        id: u32('its number'),
      },
      orderBy: ['kind', 'id'],
      partitionBy: '(kind, intDiv(id, 10))',
    })

  test('gets new names at its end, in a key too, and the rows keep theirs', async () => {
    const held = kinds('one', 'it’s two')
    await using warehouse = await openTestWarehouse({ schema: schemaOf(held) })
    await warehouse.insertRows(held, [{ kind: 'it’s two', maybe: 'one', id: 1 }])
    const longer = kinds('one', 'it’s two', 'three')
    const { changes } = await migrate(warehouse.writer, schemaOf(longer))
    assert.equal(changes[0], 'table kinds: types of kind, maybe changed')
    await warehouse.insertRows(longer, [{ kind: 'three', maybe: null, id: 2 }])
    const answer = await warehouse.guest.query({
      query: "SELECT kind, maybe FROM kinds WHERE kind IN ('it’s two', 'three') ORDER BY id",
      format: 'JSONEachRow',
    })
    assert.deepEqual(await answer.json(), [
      { kind: 'it’s two', maybe: 'one' },
      { kind: 'three', maybe: null },
    ])
    for (const other of [kinds('one', 'it’s two'), kinds('one', 'three', 'it’s two', 'four')])
      await assert.rejects(migrate(warehouse.writer, schemaOf(other)), { code: 'warehouse.migration' })
  })
})

test('numbers that were declared signed are read unsigned, and queries by value find them', async () => {
  const signed = table('things', {
    doc: 'One row per thing.',
    columns: { id: u32('its number'), version: i32('signed') },
    orderBy: ['id'],
  })
  const unsigned = (formerly?: 'i32') =>
    table('things', {
      ...signed,
      columns: {
        id: u32('its number'),
        version: u32('unsigned', formerly === undefined ? {} : { formerly }),
      },
    })
  await using warehouse = await openTestWarehouse({ schema: schemaOf(signed) })
  await warehouse.insertRows(
    signed,
    [-1_703_168_784, -1, 2, 0x7fff_ffff, -0x8000_0000].map((version, id) => ({ id, version })),
  )
  await assert.rejects(migrate(warehouse.writer, schemaOf(unsigned())), { code: 'warehouse.migration' })
  const { changes } = await migrate(warehouse.writer, schemaOf(unsigned('i32')))
  assert.equal(changes[0], 'table things: types of version changed')
  await warehouse.insertRows(unsigned('i32'), [{ id: 5, version: 0xffff_fffe }])
  const read = async (query: string) => (await warehouse.guest.query({ query, format: 'JSONEachRow' })).json()
  assert.deepEqual(await read('SELECT version FROM things ORDER BY id'), [
    { version: 2_591_798_512 },
    { version: 4_294_967_295 },
    { version: 2 },
    { version: 0x7fff_ffff },
    { version: 0x8000_0000 },
    { version: 0xffff_fffe },
  ])
  assert.deepEqual(await read('SELECT id FROM things WHERE version > 4000000000 ORDER BY id'), [
    { id: 1 },
    { id: 5 },
  ])
  assert.deepEqual((await migrate(warehouse.writer, schemaOf(unsigned('i32')))).changes, [])
})

test('the whole declared schema stands, and every column that people read says what it holds', async () => {
  await using warehouse = await openTestWarehouse()
  const result = await warehouse.guest.query({
    query:
      "SELECT table, name FROM system.columns WHERE database = 'default' AND comment = '' ORDER BY table, name",
    format: 'JSONEachRow',
  })
  assert.deepEqual(await result.json(), [])
})
