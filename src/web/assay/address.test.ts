/** A shared link would open another figure or lose its SQL. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOfAssay, changedKeys, readParameters, readRef, withoutAssay, writeRef } from './address.ts'

test('a reference survives its address, and nothing else passes for one', () => {
  assert.deepEqual(readRef('fees.total@bitcoin'), { id: 'fees.total', entity: 'bitcoin' })
  assert.equal(writeRef({ id: 'l1.fees', entity: 'b2-network' }), 'l1.fees@b2-network')
  for (const wrong of [null, '', 'fees.total', '@bitcoin', 'Fees@bitcoin', '<b>@x', `${'a'.repeat(81)}@b`])
    assert.equal(readRef(wrong), undefined)
})

test('opening another figure drops the SQL of the one before and keeps the page', () => {
  const search = '?assay=a@b&assay.day=2026-01-01&p.from=2026-01-01&range=30d&run=1&sql=SELECT+1'
  assert.equal(addressOfAssay(search, 'fees.total@bitcoin'), '?assay=fees.total@bitcoin&range=30d')
  assert.equal(withoutAssay(search), '?range=30d')
})

test('the parameters of the reader are those with the prefix', () => {
  assert.deepEqual(readParameters(new URLSearchParams('p.from=2026-01-01&from=x&p.n=3')), {
    from: '2026-01-01',
    n: '3',
  })
})

test('only keys whose values differ have changed', () => {
  const at = (query: string) => new URL(`http://localhost/bitcoin?${query}`)
  assert.deepEqual(changedKeys(at('a=1&b=2'), at('a=1&b=3&c=4')).sort(), ['b', 'c'])
})
