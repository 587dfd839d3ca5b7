/** A menu that closes under the pointer of whoever has just clicked it open cannot be used. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BranchEvent, type BranchState, branchAfter, isOpen } from './menuBranchState.ts'

const START: BranchState = { isCurrent: false, isPinned: undefined, isHovered: false }
const isOpenAfter = (start: BranchState, ...events: BranchEvent['on'][]): boolean =>
  isOpen(events.reduce((state, on) => branchAfter(state, { on } as BranchEvent), start))

test('it opens under the pointer and closes when the pointer leaves', () => {
  assert.equal(isOpen(START), false)
  assert.equal(isOpenAfter(START, 'enter'), true)
  assert.equal(isOpenAfter(START, 'enter', 'leave'), false)
})

test('a click or a key opens and closes it without any pointer', () => {
  assert.equal(isOpenAfter(START, 'click'), true)
  assert.equal(isOpenAfter(START, 'click', 'click'), false)
})

test('a click on what the pointer opened keeps it open when the pointer leaves; the next click closes it', () => {
  assert.equal(isOpenAfter(START, 'enter', 'click'), true)
  assert.equal(isOpenAfter(START, 'enter', 'click', 'leave'), true)
  assert.equal(isOpenAfter(START, 'enter', 'click', 'click'), false)
  assert.equal(isOpenAfter(START, 'enter', 'click', 'click', 'leave', 'enter'), true)
})

test('the branch of the current page stays open without the pointer, and a click closes it', () => {
  const current = { ...START, isCurrent: true }
  assert.equal(isOpenAfter(current, 'enter', 'leave'), true)
  assert.equal(isOpenAfter(current, 'click'), false)
  const elsewhere = branchAfter(branchAfter(current, { on: 'click' }), { on: 'page', isCurrent: false })
  assert.equal(isOpen(elsewhere), false)
  assert.equal(isOpen(branchAfter(elsewhere, { on: 'page', isCurrent: true })), true)
})
