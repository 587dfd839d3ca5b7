/** Invisible characters in a name could make it look like another one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstSigns, replaceHidden } from './hiddenCharacters.ts'

const FAMILY = '👨\u200d👩\u200d👧'

test('joiners stay within the one sign or word that they make', () => {
  for (const whole of [
    FAMILY,
    '🏃🏽\u200d♀\ufe0f',
    '🏳\ufe0f\u200d🌈',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    // Persian “I want” and Sinhala “Sri”.
    'می\u200cخواهم',
    'ශ\u0dca\u200dරී',
    // Persian “completely free”, its vowels written.
    'کامل\u064b\u0627\u064b\u200cآزاد',
  ])
    assert.equal(replaceHidden(whole, ''), whole)
})

test('characters that cannot be seen or turn the direction go, joiners elsewhere too', () => {
  for (const [text, shown] of [
    ['US\u200dDA', 'USDA'],
    ['US\u200cDA', 'USDA'],
    ['e\u0301\u200dی', 'e\u0301ی'],
    ['\u200d👨', '👨'],
    ['👨\u200d', '👨'],
    ['👨\u200dA', '👨A'],
    ['a\u202eb\u2066c\ufeff\u00ad\u0000', 'abc'],
    ['A\u{e0067}\u{e007f}', 'A'],
    ['\ud800x', 'x'],
  ] as const) {
    assert.equal(replaceHidden(text, ''), shown)
    assert.equal(replaceHidden(text, '\ufffd').replaceAll('\ufffd', ''), shown)
  }
})

test('a text is cut between signs, never within one', () => {
  assert.equal(firstSigns(FAMILY.repeat(3), 11), FAMILY.repeat(2))
  assert.equal(firstSigns('e\u0301e\u0301', 3), 'e\u0301')
  assert.equal(firstSigns('abc', 3), 'abc')
  assert.equal(firstSigns('👨👨', 2), '👨👨')
})
