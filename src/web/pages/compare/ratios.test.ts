/** Ratio columns would be wrong or invented. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setOf } from './lists.ts'
import { withRatios } from './ratios.ts'
import { figureFor } from './testing.ts'

const { columns } = setOf('money')
const ratio = { metric: 'token.mcap_tvl', unit: 'x', value: 3.581, change: 0.2, day: '2026-07-01' } as const

/** The ratio of a layer with this cap and TVL. */
const ratioBeside = (cap: object, tvl: object, own: object = ratio) =>
  withRatios(columns, [
    figureFor('core', { metric: 'token.mcap', value: 90, ...cap }),
    figureFor('core', { value: 20, ...tvl }),
    figureFor('core', own),
  ]).map(({ value, day, change, absent }) => ({ value, day, change, absent }))[2]

test('a ratio is what the figures beside it give on their day', () => {
  assert.deepEqual(ratioBeside({}, {}), { value: 4.5, day: '2026-08-05', change: null, absent: null })
  assert.deepEqual(ratioBeside({}, {}, { ...ratio, value: 4.5, day: '2026-08-05' }), {
    value: 4.5,
    day: '2026-08-05',
    change: 0.2,
    absent: null,
  })
})

test('figures of different days give no ratio', () => {
  assert.deepEqual(ratioBeside({ day: '2026-08-04' }, {}), {
    value: null,
    day: null,
    change: null,
    absent: 'Token cap and TVL are of different days.',
  })
  assert.equal(ratioBeside({}, { value: 0 })?.value, null)
})

test('a ratio with an unknown part is unknown', () => {
  assert.deepEqual(ratioBeside({ value: null, day: null }, {}), {
    value: null,
    day: null,
    change: null,
    absent: 'Token cap and TVL are not both available.',
  })
})
