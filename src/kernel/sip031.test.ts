/** The STX emission schedule of SIP-031 would be wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emissionSteps } from './sip031.ts'

test('five years of a tenure in every Bitcoin block mint 303,796,800 STX', () => {
  const steps = emissionSteps()
  assert.deepEqual(
    steps.map(({ mostUstx }) => mostUstx / 1_000_000n),
    [24_966_000n, 59_918_400n, 89_614_800n, 68_590_800n, 60_706_800n],
  )
  assert.equal(
    steps.reduce((sum, { mostUstx }) => sum + mostUstx, 0n),
    303_796_800_000_000n,
  )
  assert.ok(steps.every(({ blocks }) => blocks === 52_560))
})
