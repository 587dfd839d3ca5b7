/** Outputs would be counted under the wrong script type. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { multisigKeys } from './multisig.ts'
import { scriptTypeOf } from './scriptType.ts'

const KEY = `02${'00'.repeat(31)}01`
const LONG_KEY = `04${'22'.repeat(64)}`
const typeOf = (hex: string) => scriptTypeOf(Buffer.from(hex, 'hex'))

/** `data` behind its length in the opcode (0), OP_PUSHDATA1, OP_PUSHDATA2 or OP_PUSHDATA4. */
function pushed(data: string, form: 0 | 1 | 2 | 4): string {
  const length = Buffer.alloc(form === 0 ? 1 : form)
  length.writeUIntLE(data.length / 2, 0, length.length)
  return `${{ 0: '', 1: '4c', 2: '4d', 4: '4e' }[form]}${length.toString('hex')}${data}`
}
const FORMS = [0, 1, 2, 4] as const

test('a key may stand behind any push', () => {
  for (const key of [KEY, LONG_KEY])
    for (const form of FORMS) {
      const script = `51${pushed(key, form)}51ae`
      assert.equal(typeOf(script), 'p2ms', script)
      assert.deepEqual(
        multisigKeys(Buffer.from(script, 'hex')).map(one => Buffer.from(one).toString('hex')),
        [key],
      )
    }
  assert.equal(typeOf(`52${FORMS.map(form => pushed(KEY, form)).join('')}54ae`), 'p2ms')
})

test('a number behind OP_PUSHDATA, or longer than it need be, makes no multisig', () => {
  const keys = pushed(KEY, 0).repeat(17)
  assert.equal(typeOf(`51${keys}0111ae`), 'p2ms')
  for (const number of ['4c0111', '4d010011', '4e0100000011', '021100'])
    assert.equal(typeOf(`51${keys}${number}ae`), 'unknown', number)
  for (const number of ['0101', '4c0101', '00', '4f'])
    assert.equal(typeOf(`${number}${pushed(KEY, 0)}51ae`), 'unknown', number)
})

test('data in place of a key counts by its length and first byte alone', () => {
  const isKey: Readonly<Record<string, boolean>> = {
    [`02${'ff'.repeat(32)}`]: true,
    [`03${'00'.repeat(32)}`]: true,
    [`06${'ff'.repeat(64)}`]: true,
    [`07${'ff'.repeat(64)}`]: true,
    [`00${'ff'.repeat(32)}`]: false,
    // A length and then data: how Counterparty first wrote messages.
    [`1c${Buffer.from('CNTRPRTY').toString('hex')}${'00'.repeat(24)}`]: false,
    [`04${'ff'.repeat(32)}`]: false,
    [`02${'ff'.repeat(64)}`]: false,
    [`05${'ff'.repeat(64)}`]: false,
  }
  for (const [key, is] of Object.entries(isKey))
    for (const form of FORMS)
      assert.equal(typeOf(`51${pushed(key, form)}${pushed(KEY, form)}52ae`), is ? 'p2ms' : 'unknown', key)
})

test('a push that states another length than its key has, or ends outside, makes no multisig', () => {
  for (const push of [`4c22${KEY}`, `4d2101${KEY}`, `4e21000001${KEY}`, `4e21010000${KEY}`, `4f21${KEY}`])
    assert.equal(typeOf(`51${push}51ae`), 'unknown', push)
  const script = Buffer.from(`51${pushed(KEY, 4)}51ae`, 'hex')
  for (let end = 0; end < script.length; end++)
    assert.equal(scriptTypeOf(script.subarray(0, end)), 'unknown', `${end} bytes`)
})

test('the template is that of bcoin, which does not look at the first byte of a key, up to 16 keys', () => {
  const { Script } = createRequire(import.meta.url)('bcoin') as {
    Script: { fromRaw(bytes: Buffer): { isMultisig(): boolean } }
  }
  const number = fc.integer({ min: 1, max: 16 })
  const key = fc.constantFrom(KEY, LONG_KEY)
  const keys = fc.array(fc.tuple(key, fc.constantFrom(...FORMS)), { minLength: 1, maxLength: 16 })
  const scriptOf = (required: number, all: readonly [string, 0 | 1 | 2 | 4][], count: number, end = 'ae') =>
    `${(0x50 + required).toString(16)}${all.map(([one, form]) => pushed(one, form)).join('')}${(0x50 + count).toString(16)}${end}`
  const any = fc
    .tuple(number, keys, number, fc.constantFrom('ae', 'af', 'aeae', '51ae'))
    .map(([required, all, count, end]) => scriptOf(required, all, count, end))
  const matching = fc
    .tuple(number, keys)
    .map(([required, all]) => scriptOf(Math.min(required, all.length), all, all.length))
  const shortKey = fc
    .tuple(keys, fc.constantFrom(...FORMS))
    .map(([all, form]) => scriptOf(1, [...all.slice(1), [KEY.slice(2), form]], all.length))
  let multisigs = 0
  fc.assert(
    fc.property(fc.oneof(any, matching, shortKey), hex => {
      const isMultisig = Script.fromRaw(Buffer.from(hex, 'hex')).isMultisig()
      multisigs += isMultisig ? 1 : 0
      assert.equal(typeOf(hex) === 'p2ms', isMultisig, hex)
    }),
    { numRuns: 300 },
  )
  assert.ok(multisigs > 50, `${multisigs} multisigs among them`)
})
