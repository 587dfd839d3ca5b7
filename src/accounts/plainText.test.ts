/** A user could sign up under a name or an email that looks like somebody else’s. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { holderOf } from './grants.ts'
import { isEmail, oneLine } from './plainText.ts'

const {
  hidden,
  whole,
  emails,
  notEmails,
}: Record<'hidden' | 'whole' | 'emails' | 'notEmails', readonly string[]> = JSON.parse(
  readFileSync(new URL('plainText.cases.json', import.meta.url), 'utf8'),
)

test('emails are taken as people have them', () => {
  assert.deepEqual(
    emails.filter(each => !isEmail(each)),
    [],
  )
  assert.deepEqual(notEmails.filter(isEmail), [])
})

test('no hidden character is in an email, in a holder of grants, or left in a name', () => {
  for (const code of hidden) {
    const char = String.fromCodePoint(Number.parseInt(code, 16))
    for (const email of [`op${char}erator@example.org`, `${char}a@example.org`, `a@exam${char}ple.org`]) {
      assert.equal(isEmail(email), false, code)
      if (email.trim() === email) assert.throws(() => holderOf(email), { code: 'accounts.form' }, code)
    }
    assert.doesNotMatch(oneLine(`Ann${char}Example`), /[^A-Za-z ]/, code)
    assert.equal(oneLine(char), '', code)
  }
})

test('joined letters and emoji of a name stay whole, also where it is cut, and are in no email', () => {
  for (const name of whole) {
    assert.equal(oneLine(` ${name}\n`), name)
    assert.equal(isEmail(`${name.replaceAll(' ', '')}@example.org`), false)
  }
  assert.equal(oneLine('👨\u200d👩\u200d👧👨\u200d👩\u200d👧', 9), '👨\u200d👩\u200d👧')
})

test('a name is one line, cut between characters', () => {
  assert.equal(oneLine('  Ann\r\n\tÖz  '), 'Ann Öz')
  assert.equal(oneLine('𝔸𝔸𝔸', 2), '𝔸𝔸')
  assert.equal(oneLine('ab cd', 3), 'ab')
})
