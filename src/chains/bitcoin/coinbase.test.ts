/** Bitcoin blocks would show a wrong height or no miner text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coinbaseHeight, coinbaseText } from './coinbase.ts'

const heightOf = (hex: string, version = 2): number | null => coinbaseHeight(version, Buffer.from(hex, 'hex'))

test('a height is read from its shortest push', () => {
  const heights: Readonly<Record<string, number>> = {
    '00': 0,
    '51': 1,
    '60': 16,
    '0111': 17,
    '017f': 127,
    '028000': 128,
    '02ff00': 255,
    '02ff7f': 32_767,
    '03008000': 32_768,
    '03fc79030a': 227_836,
    '036a850e042f5c1a6a': 951_658,
    '0400000001': 16_777_216,
  }
  for (const [script, height] of Object.entries(heights)) assert.equal(heightOf(script), height, script)
})

test('what is no height in its shortest form gives null', () => {
  for (const script of [
    '',
    '0180',
    '027f00',
    '0100',
    '0110',
    '03ffff',
    '0512345678',
    '4c02ff7f',
    '61',
    '03ffffff',
  ]) {
    assert.equal(heightOf(script), null, script)
  }
})

test('blocks before version 2 do not state their height', () => {
  assert.equal(heightOf('036a850e', 1), null)
  assert.equal(heightOf('036a850e', -2147483648), null)
  assert.equal(heightOf('036a850e', 0x20000000), 951_658)
})

test('the text of a coinbase is its printable runs', () => {
  const script = Buffer.from('\x03\x6a\x85\x0e\x04\x2f\x5c/SBICrypto.com Pool/\x01ab\x02tail', 'latin1')
  assert.equal(coinbaseText(script), '/\\/SBICrypto.com Pool/ tail')
  assert.equal(coinbaseText(new Uint8Array(0)), '')
})
