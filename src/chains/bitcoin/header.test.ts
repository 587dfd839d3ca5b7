/** Difficulty, hashrate and block times of Bitcoin would be wrong. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { csvRows } from '#tests/recordedBlocks.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { difficultyOf, medianTimePast, targetOf } from './header.ts'

test('a compact target expands as Bitcoin Core expands it', () => {
  assert.equal(targetOf(0x1d00ffff), 0xffffn << 208n)
  assert.equal(targetOf(0x207fffff), 0x7fffffn << 232n)
  assert.equal(targetOf(0x05009234), 0x92340000n)
  assert.equal(targetOf(0x01120000), 0x12n)
})

test('a target that is negative, zero or too large is none', () => {
  for (const bits of [0x01fedcba, 0x04923456, 0x00123456, 0x01003456, 0x05000000, 0xff123456]) {
    assert.equal(targetOf(bits), undefined, bits.toString(16))
  }
})

test('difficulty is 1 at the first target and that of each recorded epoch after', skipWithoutShared, () => {
  assert.equal(difficultyOf(0x1d00ffff), 1)
  const epochs = csvRows(readFileSync(shared('data/bitcoin/series/difficulty-epochs.csv'), 'utf8'))
  assert.ok(epochs.length > 400)
  for (const epoch of epochs) {
    const bits = Number.parseInt(epoch.bits ?? epoch.nbits ?? epoch.nBits ?? '', 16)
    const difference = Math.abs(difficultyOf(bits) / Number(epoch.difficulty) - 1)
    assert.ok(difference < 1e-9, JSON.stringify(epoch))
  }
})

test('median time past is the middle of eleven times, whatever their order', () => {
  assert.equal(medianTimePast([]), null)
  assert.equal(medianTimePast([7]), 7)
  assert.equal(medianTimePast([1, 2]), 2)
  assert.equal(medianTimePast([99, 98, 5, 1, 9, 2, 8, 3, 7, 4, 6, 10, 11]), 6)
})

test('median times follow from header times as Bitcoin Core states them', skipWithoutShared, () => {
  const rows = csvRows(readFileSync(shared('data/bitcoin/vectors/getblockstats-0-2999.csv'), 'utf8'))
  const times = rows.map(row => Number(row.time))
  rows.forEach((row, height) => {
    assert.equal(medianTimePast(times.slice(Math.max(0, height - 10), height + 1)), Number(row.mediantime))
  })
})
