/** A type alias would let a value out of range reach the engine, which wraps it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { parameterType } from './parameterType.ts'
import { TYPE_NAMES } from './typeNames.ts'

test('names of types are those of the engine: what a new version adds must be listed here', async () => {
  await using warehouse = await openTestWarehouse()
  const result = await warehouse.reader.query({
    query: `SELECT name, if(alias_to = '', name, alias_to) AS ofType, case_insensitive = 1 AS isAnyCase
      FROM system.data_type_families ORDER BY name`,
    format: 'JSONEachRow',
  })
  const names = await result.json<{ name: string; ofType: string; isAnyCase: number }>()
  assert.deepEqual(
    TYPE_NAMES.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    names.map(({ name, ofType, isAnyCase }) => ({ name, ofType, isAnyCase: isAnyCase === 1 })),
  )
})

test('an alias is read as its type, in the cases that the engine takes', () => {
  for (const [text, name] of [
    ['tinyint', 'Int8'],
    ['INT  UNSIGNED', 'UInt32'],
    ['integer', 'Int32'],
    ['Timestamp', 'DateTime'],
    ['dec(5, 2)', 'Decimal'],
    ['date', 'Date'],
    ['UInt8', 'UInt8'],
    // The engine knows this name in one case only.
    ['uint8', 'uint8'],
  ] as const)
    assert.equal(parameterType(text).name, name)
})
