/** Outputs would be counted under the wrong script type. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { SCRIPT_TYPES, type ScriptType } from '#kernel/bitcoin.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { scriptTypeOf } from './scriptType.ts'

const typeOf = (hex: string): ScriptType => scriptTypeOf(Buffer.from(hex, 'hex'))
const KEY = `02${'11'.repeat(32)}`
const LONG_KEY = `04${'22'.repeat(64)}`
const HASH = '33'.repeat(20)
const PROGRAM = '44'.repeat(32)

test('each pattern of Bitcoin Core has its type', () => {
  const scripts: Readonly<Record<string, ScriptType>> = {
    [`21${KEY}ac`]: 'p2pk',
    [`41${LONG_KEY}ac`]: 'p2pk',
    [`76a914${HASH}88ac`]: 'p2pkh',
    [`a914${HASH}87`]: 'p2sh',
    [`0014${HASH}`]: 'v0_p2wpkh',
    [`0020${PROGRAM}`]: 'v0_p2wsh',
    [`5120${PROGRAM}`]: 'v1_p2tr',
    '51024e73': 'anchor',
    '6a': 'op_return',
    '6a5d02ff7f': 'op_return',
    [`5121${KEY}51ae`]: 'p2ms',
    [`5241${LONG_KEY}21${KEY}52ae`]: 'p2ms',
    [`0111${`21${KEY}`.repeat(17)}0111ae`]: 'p2ms',
  }
  for (const [script, type] of Object.entries(scripts)) assert.equal(typeOf(script), type, script)
})

test('what misses a pattern by one byte is unknown', () => {
  const scripts = [
    '',
    '00',
    `21${KEY}ad`,
    `2105${'11'.repeat(32)}ac`,
    `76a914${HASH}88`,
    `76a914${HASH}88ac00`,
    `0014${HASH}00`,
    `0013${'33'.repeat(19)}`,
    `5220${PROGRAM}`,
    `511f${'44'.repeat(31)}`,
    '51024e74',
    `5221${KEY}51ae`,
    `5121${KEY}52ae`,
    `5121${KEY}51af`,
    '5151ae',
    '0151ae',
    `0110${`21${KEY}`.repeat(16)}0110ae`,
    `0115${`21${KEY}`.repeat(21)}0115ae`,
  ]
  for (const script of scripts) assert.equal(typeOf(script), 'unknown', script)
})

test('any bytes have a type', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), script => {
      assert.ok(SCRIPT_TYPES.includes(scriptTypeOf(script)))
    }),
  )
})

test('payments of bitcoinjs have their types', skipWithoutShared, () => {
  const types: Readonly<Record<string, ScriptType>> = {
    p2ms: 'p2ms',
    p2pk: 'p2pk',
    p2pkh: 'p2pkh',
    p2sh: 'p2sh',
    p2wpkh: 'v0_p2wpkh',
    p2wsh: 'v0_p2wsh',
    p2tr: 'v1_p2tr',
    embed: 'op_return',
  }
  for (const [name, type] of Object.entries(types)) {
    const { valid } = JSON.parse(readFileSync(shared(`data/bitcoin/vectors/bitcoinjs-${name}.json`), 'utf8'))
    const outputs: string[] = valid.flatMap(
      (one: { expected: { output?: string } }) => one.expected.output ?? [],
    )
    assert.ok(outputs.length > 0, name)
    for (const output of outputs) assert.equal(typeOf(assembled(output)), type, output)
  }
})

/** Hex of a script written in words, for the few words that these payments use. */
function assembled(asm: string): string {
  const opcodes: Readonly<Record<string, string>> = {
    OP_0: '00',
    OP_1: '51',
    OP_2: '52',
    OP_3: '53',
    OP_RETURN: '6a',
    OP_DUP: '76',
    OP_EQUAL: '87',
    OP_EQUALVERIFY: '88',
    OP_HASH160: 'a9',
    OP_CHECKSIG: 'ac',
    OP_CHECKMULTISIG: 'ae',
  }
  return asm
    .split(' ')
    .map(word => opcodes[word] ?? (word.length / 2).toString(16).padStart(2, '0') + word)
    .join('')
}
