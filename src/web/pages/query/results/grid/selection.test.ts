/** Keys would leave the table, or a copy would take other cells than those marked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  cellCount,
  clampSelection,
  HEADER,
  movedBy,
  rangeOf,
  START,
  selectAll,
  selectColumn,
  selectRow,
} from './selection.ts'

const KEYS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'] as const
const press = fc.record({ key: fc.constantFrom(...KEYS), isShift: fc.boolean(), isControl: fc.boolean() })

test('no sequence of keys leaves the table, and the range always holds the active cell', () => {
  fc.assert(
    fc.property(
      fc.array(press, { maxLength: 60 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 1, max: 40 }),
      (presses, rows, columns) => {
        const extent = { rows, columns }
        let selection = START
        for (const each of presses) {
          const next = movedBy(each, selection, extent, 19)
          assert.ok(next)
          if (!each.isShift) assert.deepEqual(next.anchor, next.active)
          selection = next
          const { active } = selection
          assert.ok(
            active.row >= HEADER && active.row < rows && active.column >= 0 && active.column < columns,
          )
          const range = rangeOf(selection)
          if (active.row >= 0) assert.ok(range.fromRow <= active.row && active.row <= range.toRow)
          assert.ok(range.fromRow >= 0 && range.toColumn < columns)
        }
      },
    ),
  )
})

test('keys move as in a spreadsheet', () => {
  const extent = { rows: 1000, columns: 5 }
  const at = (row: number, column: number) => ({ anchor: { row, column }, active: { row, column } })
  const move = (key: string, isControl = false, isShift = false) =>
    movedBy({ key, isControl, isShift }, at(10, 2), extent, 20)
  assert.deepEqual(move('ArrowDown'), at(11, 2))
  assert.deepEqual(move('PageDown'), at(30, 2))
  assert.deepEqual(move('PageUp'), at(0, 2))
  assert.deepEqual(move('Home'), at(10, 0))
  assert.deepEqual(move('End', true), at(999, 4))
  assert.deepEqual(move('ArrowRight', false, true), {
    anchor: { row: 10, column: 2 },
    active: { row: 10, column: 3 },
  })
  assert.deepEqual(
    movedBy({ key: 'ArrowUp', isControl: false, isShift: false }, at(0, 1), extent, 20),
    at(HEADER, 1),
  )
  assert.equal(move('x'), undefined)
})

test('whole rows, columns and tables are counted in cells', () => {
  const extent = { rows: 1_000_000, columns: 7 }
  assert.equal(cellCount(rangeOf(selectAll(extent))), 7_000_000)
  assert.equal(cellCount(rangeOf(selectRow(3, extent))), 7)
  assert.equal(cellCount(rangeOf(selectColumn(2, extent))), 1_000_000)
  assert.equal(
    cellCount(rangeOf({ anchor: { row: HEADER, column: 0 }, active: { row: HEADER, column: 0 } })),
    0,
  )
})

test('a selection stays inside a table that a filter made smaller', () => {
  assert.deepEqual(
    clampSelection(selectRow(900, { rows: 1000, columns: 4 }), { rows: 3, columns: 4 }).active,
    {
      row: 2,
      column: 3,
    },
  )
})
