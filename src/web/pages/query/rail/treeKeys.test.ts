/** A reader without a mouse could not reach a table or column. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TreeLine, treeMove } from './treeKeys.ts'

const LINES: readonly TreeLine[] = [
  { key: 'a', level: 1, isOpen: true, name: 'Bitcoin' },
  { key: 'b', level: 2, isOpen: false, name: 'blocks' },
  { key: 'c', level: 2, isOpen: true, name: 'txs' },
  { key: 'd', level: 3, name: 'height' },
  { key: 'e', level: 1, isOpen: false, name: 'Yield' },
]
const to = (at: number, key: string) => treeMove(LINES, at, key)
const focus = (key: string) => ({ type: 'focus', key })

test('arrows walk the lines, open, close and climb', () => {
  assert.deepEqual(to(0, 'ArrowDown'), focus('b'))
  assert.deepEqual(to(4, 'ArrowUp'), focus('d'))
  assert.equal(to(4, 'ArrowDown'), undefined)
  assert.deepEqual(to(1, 'ArrowRight'), { type: 'open', key: 'b' })
  assert.deepEqual(to(2, 'ArrowRight'), focus('d'))
  assert.equal(to(3, 'ArrowRight'), undefined)
  assert.deepEqual(to(3, 'ArrowLeft'), focus('c'))
  assert.deepEqual(to(2, 'ArrowLeft'), { type: 'close', key: 'c' })
  assert.deepEqual(to(1, 'ArrowLeft'), focus('a'))
  assert.deepEqual([to(3, 'Home'), to(0, 'End')], [focus('a'), focus('e')])
})

test('a letter jumps to the next line that begins with it', () => {
  assert.deepEqual(to(0, 'b'), focus('b'))
  assert.deepEqual(to(1, 'B'), focus('a'))
  assert.equal(to(0, 'z'), undefined)
  assert.equal(to(0, 'Enter'), undefined)
  assert.equal(to(0, ' '), undefined)
})
