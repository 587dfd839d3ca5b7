/** A token that imitates another's symbol would pass as the other, or its name would disturb the page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { symbolAsRead, visibleText } from './tokenNames.ts'

test('letters that look alike are read alike', () => {
  assert.equal(symbolAsRead('0135'), 'oles')
  assert.equal(symbolAsRead('авсѕенікмортху'), 'abcsehlkmoptxy')
  assert.equal(symbolAsRead('αβεηικνορτυχ'), 'abenlkvoptux')
  for (const twin of ['sBTC', 'ѕВТС', '5btc', 's\u200bB-T C', 'ｓＢＴＣ'])
    assert.equal(symbolAsRead(twin), symbolAsRead('sBTC'), twin)
  assert.notEqual(symbolAsRead('sBTC2'), symbolAsRead('sBTC'))
})

test('text is cut at its limit, and what hides is shown', () => {
  assert.equal(visibleText(' a\u202eb '), 'a\ufffdb')
  assert.equal(visibleText('abcd', 4), 'abcd')
  assert.equal(visibleText('abcde', 4), 'abc…')
  assert.equal([...visibleText('x'.repeat(81))].length, 80)
})
