/** Inscriptions would be missed or counted with a wrong type or size. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { madeBlock } from '#tests/madeBlock.ts'
import type { Envelope } from '../block.ts'
import { bitOf, payloadsOf } from './payloads.ts'

const ascii = (text: string): string => Buffer.from(text).toString('hex')
const push = (hex: string): string => {
  const length = hex.length / 2
  if (length < 0x4c) return length.toString(16).padStart(2, '0') + hex
  return length < 0x100
    ? `4c${length.toString(16).padStart(2, '0')}${hex}`
    : `4d${Buffer.of(length & 0xff, length >> 8).toString('hex')}${hex}`
}
const envelope = (contentType: string, body: string): string =>
  `0063${push(ascii('ord'))}51${push(ascii(contentType))}00${push(ascii(body))}68`
const CONTROL = `c0${'11'.repeat(32)}`
const PREFIX = `20${'22'.repeat(32)}ac`

/** Envelopes of a transaction with one input for each witness. */
const found = (...witnesses: string[][]): readonly Envelope[] =>
  payloadsOf(
    madeBlock({ txs: [{ inputs: witnesses.map(witness => ({ txid: '33'.repeat(32), vout: 0, witness })) }] }),
  ).envelopes
const inScript = (script: string): readonly Envelope[] => found(['00', script, CONTROL])

test('an envelope in a tapscript has its type, its size and its start', () => {
  const [one, ...more] = inScript(PREFIX + envelope('text/plain;charset=utf-8', 'hello'))
  assert.deepEqual(more, [])
  assert.deepEqual(
    { ...one, bodyStart: Buffer.from(one!.bodyStart).toString() },
    {
      txIndex: 1,
      vin: 0,
      envelope: 0,
      contentType: 'text/plain;charset=utf-8',
      bodyBytes: 5,
      isBrc20: false,
      bodyStart: 'hello',
    },
  )
})

test('several envelopes of an input, and of several inputs, are counted through the transaction', () => {
  const two = PREFIX + envelope('text/plain', 'a') + envelope('text/plain', 'bb')
  const all = found(['00', two, CONTROL], ['00'], ['00', PREFIX + envelope('a/b', 'ccc'), CONTROL])
  assert.deepEqual(
    all.map(one => [one.vin, one.envelope, one.bodyBytes]),
    [
      [0, 0, 1],
      [0, 1, 2],
      [2, 2, 3],
    ],
  )
})

test('an annex moves the script one item down', () => {
  const script = PREFIX + envelope('text/plain', 'a')
  assert.equal(found(['00', script, CONTROL, '50aa']).length, 1)
  assert.equal(found(['00', script, CONTROL, '51aa']).length, 0)
  assert.equal(found([script, CONTROL]).length, 1)
  assert.equal(found([script]).length, 0)
})

test('a signature and an annex are a key-path spend, which has no script', () => {
  const script = PREFIX + envelope('text/plain', 'a')
  for (const annex of ['50', '50aa', `50${'aa'.repeat(300)}`])
    assert.equal(found([script, annex]).length, 0, annex.slice(0, 8))
  assert.equal(found([script, '']).length, 1, 'an empty last item is no annex')
  assert.equal(found(['50', script, CONTROL]).length, 1, 'only the last item can be an annex')
  assert.equal(found([script, CONTROL, '50']).length, 1, 'an annex of its first byte alone')
  assert.equal(found([script, '50', '50']).length, 1, 'one annex is taken off, not two')
})

test('a body in several pushes is one body, and only its start is kept', () => {
  const body = Array.from({ length: 5 }, () => push('aa'.repeat(520))).join('')
  const [one] = inScript(`0063${push(ascii('ord'))}51${push(ascii('image/png'))}00${body}68`)
  assert.deepEqual([one?.bodyBytes, one?.bodyStart.length, one?.contentType], [2600, 256, 'image/png'])
})

test('an envelope without type or body is one with neither', () => {
  const bare = inScript(`0063${push(ascii('ord'))}68`)
  assert.deepEqual(
    bare.map(one => [one.contentType, one.bodyBytes]),
    [['', 0]],
  )
})

test('small numbers count as pushes of one byte', () => {
  const [one] = inScript(`0063${push(ascii('ord'))}51${push(ascii('a/b'))}0051524f68`)
  assert.deepEqual([one?.bodyBytes, [...one!.bodyStart]], [3, [1, 2, 0x81]])
})

test('an envelope is found wherever it stands in a script, short or long', () => {
  const places = [...Array(80).keys(), 480, 481, 482, 483, 484, 485, 600]
  for (const before of places) {
    const script = '51'.repeat(before) + envelope('a/b', 'c')
    assert.equal(inScript(script).length, 1, `after ${before} bytes`)
    assert.equal(found(['', '', '', '00', script, CONTROL]).length, 1, `after ${before} bytes, six items`)
    assert.equal(found([script, CONTROL]).length, 1, `after ${before} bytes, two items`)
    assert.equal(found([script]).length, 0, `after ${before} bytes, one item`)
  }
})

test('items of any length before the script are passed over', () => {
  const script = PREFIX + envelope('a/b', 'c')
  for (const length of [0, 1, 0xfc, 0xfd, 0x0102, 0xffff, 0x1_0000, 0x1_02_03]) {
    const item = 'aa'.repeat(length)
    assert.equal(found([item, script, CONTROL]).length, 1, `one of ${length} bytes`)
    assert.equal(found([item, item, script, CONTROL]).length, 1, `two of ${length} bytes`)
    assert.equal(found(['00', script, CONTROL, `50${item}`]).length, 1, `an annex of ${length + 1} bytes`)
    assert.equal(inScript(`${'51'.repeat(length)}${script}`).length, 1, `a script of ${length} bytes more`)
  }
  const many = Array.from({ length: 300 }, () => '')
  assert.equal(found([...many, script, CONTROL]).length, 1, 'three hundred items')
})

test('what is not exactly an envelope is none', () => {
  const none = [
    `0063${push(ascii('ord'))}51${push(ascii('a/b'))}00${push('aa')}`,
    `0063${push(ascii('ord'))}ac68`,
    `0064${push(ascii('ord'))}68`,
    `0163${push(ascii('ord'))}68`,
    `0063${push(ascii('orb'))}68`,
    `${envelope('text/plain', 'a')}4c`,
    `${envelope('text/plain', 'a')}05aa`,
  ]
  for (const script of none) assert.deepEqual(inScript(script), [], script)
})

test('an OP_0 before the envelope’s own does not hide it', () => {
  assert.equal(inScript(`00${envelope('text/plain', 'a')}`).length, 1)
  assert.equal(inScript(`0063${envelope('text/plain', 'a')}`).length, 1)
  assert.equal(inScript(`0063ac${envelope('text/plain', 'a')}`).length, 1)
})

test('a brc-20 operation is told by its JSON, in a text or JSON inscription', () => {
  const is = (contentType: string, body: string): boolean => inScript(envelope(contentType, body))[0]!.isBrc20
  const operation = '{"p":"brc-20","op":"mint","tick":"ordi","amt":"1"}'
  assert.ok(is('text/plain;charset=utf-8', operation))
  assert.ok(is('application/json', operation))
  assert.ok(!is('text/html', operation))
  assert.ok(!is('text/plain', operation.slice(0, -1)))
  assert.ok(!is('text/plain', '{"p":"brc-21","note":"brc-20"}'))
  assert.ok(!is('text/plain', '"brc-20"'))
})

test('protocols of the transaction follow from its envelopes', () => {
  const block = madeBlock({
    txs: [
      {
        inputs: [
          {
            txid: '33'.repeat(32),
            vout: 0,
            witness: ['00', envelope('text/plain', '{"p":"brc-20"}'), CONTROL],
          },
        ],
      },
    ],
  })
  const { protocolMask, inscriptionBytes } = payloadsOf(block)
  assert.deepEqual([protocolMask[1], inscriptionBytes], [bitOf('inscription') | bitOf('brc-20'), 14])
})

test('half a million envelopes in one witness are counted, not a crash', () => {
  const script = `0063${push(ascii('ord'))}68`.repeat(500_000)
  assert.equal(inScript(script).length, 500_000)
})

test('any bytes in a witness give envelopes or none, never an error', () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map(script => Buffer.from(script).toString('hex'))
  const nearly = fc
    .tuple(bytes, bytes)
    .map(([before, behind]) => `${before}0063${push(ascii('ord'))}51${behind}`)
  fc.assert(
    fc.property(fc.oneof(bytes, nearly), script => {
      assert.ok(Array.isArray(inScript(script)))
    }),
    { numRuns: 300 },
  )
})
