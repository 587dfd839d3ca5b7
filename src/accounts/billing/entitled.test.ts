/** A subscription that is not paid would give Premium, or amounts would be off. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Claim, isEntitled } from './entitled.ts'
import { decimalOf } from './money.ts'

test('amounts are shown in the currency’s own unit', () => {
  assert.deepEqual(
    [
      [1900, 'usd'],
      [5, 'eur'],
      [0, 'usd'],
      [1900, 'jpy'],
      [1905, 'kwd'],
      [500, 'ugx'],
    ].map(([amount, currency]) => decimalOf(Number(amount), String(currency))),
    ['19.00', '0.05', '0.00', '1900', '1.905', '5.00'],
  )
})

test('what is not paid, of another product, or paid back gives nothing', () => {
  const of = (status: string, plan: 'premium' | null = 'premium') => ({
    id: 'sub',
    status,
    plan,
    periodStartMs: 1000,
    periodEndMs: 2000,
  })
  const statuses =
    'active trialing past_due unpaid canceled incomplete incomplete_expired paused other'.split(' ')
  assert.deepEqual(
    statuses.filter(status => isEntitled(of(status), [])),
    ['active', 'trialing', 'past_due'],
  )
  assert.equal(isEntitled(of('active', null), []), false)
  const claim = (more: Partial<Claim>, [startMs, endMs]: readonly number[] = [1000, 2000]): Claim[] => [
    {
      kind: 'refund',
      state: 'refunded',
      amount: 1900,
      invoice: 'in',
      invoicePaid: 1900,
      periods: [{ subscription: 'sub', startMs: startMs ?? 0, endMs: endMs ?? 0 }],
      ...more,
    },
  ]
  assert.equal(isEntitled(of('active'), claim({})), false)
  assert.equal(isEntitled(of('active'), claim({ amount: 1899 })), true)
  // Nothing was paid, so nothing was given back: a trial, or a coupon for all of it.
  assert.equal(isEntitled(of('active'), claim({ amount: 0, invoicePaid: 0 })), true)
  assert.equal(isEntitled(of('active'), claim({ periods: [] })), true)
  // Other periods: before, after, within.
  for (const period of [
    [0, 1000],
    [2000, 3000],
    [1001, 2000],
    [1000, 1999],
  ])
    assert.equal(isEntitled(of('active'), claim({}, period)), true, String(period))
  assert.equal(isEntitled(of('active'), claim({}, [500, 2500])), false)
  const states =
    'needs_response under_review lost won prevented warning_needs_response warning_under_review warning_closed appeal_needs_response appeal_under_review'
  assert.deepEqual(
    states.split(' ').filter(state => !isEntitled(of('active'), claim({ kind: 'dispute', state }))),
    ['needs_response', 'under_review', 'lost', 'appeal_needs_response', 'appeal_under_review'],
  )
})
