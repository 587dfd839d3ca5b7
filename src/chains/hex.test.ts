/** Large amounts would lose digits on their way into JSON. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonInteger } from './hex.ts'

test('integers are numbers while JSON keeps them exactly, and decimal texts beyond, on either side of zero', () => {
  const most = 2n ** 53n - 1n
  assert.deepEqual([0n, most, -most].map(jsonInteger), [0, Number(most), -Number(most)])
  assert.deepEqual([most + 1n, -most - 1n, 2n ** 256n - 1n].map(jsonInteger), [
    '9007199254740992',
    '-9007199254740992',
    '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  ])
})
