/** Miners' keys that Stacks nodes refuse would be counted as registered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEd25519Point } from './ed25519Point.ts'

test('the public keys of RFC 8032 are points', () => {
  for (const key of [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    '278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e',
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
  ])
    assert.equal(isEd25519Point(Buffer.from(key, 'hex')), true, key)
})

test('of the smallest ordinates, those on the curve are points, with either sign', () => {
  // Worked out apart from this code: x² = (y² − 1) ÷ (dy² + 1) has a root for these alone.
  const onCurve = [0, 1, 3, 4, 5, 6, 9, 10, 14, 15, 16, 18, 19, 21, 23]
  for (const sign of [0, 0x80]) {
    const points = Array.from({ length: 24 }, (_, y) => y).filter(y => {
      const bytes = Buffer.alloc(32)
      bytes[0] = y
      bytes[31] = sign
      return isEd25519Point(bytes)
    })
    assert.deepEqual(points, onCurve)
  }
})
