/** The chosen theme would be lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherTheme, themeOf } from './themeState.ts'

test('the first theme is light, and only the bare word dark is dark', () => {
  for (const kept of [null, undefined, '', '"dark"', 'DARK', 'light', 'system'])
    assert.equal(themeOf(kept), 'light')
  assert.equal(themeOf('dark'), 'dark')
})

test('a switch leads to the other theme and back', () => {
  assert.deepEqual([otherTheme('light'), otherTheme('dark')], ['dark', 'light'])
})
