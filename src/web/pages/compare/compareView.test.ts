/** A shared comparison would open with other layers or columns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressWith } from '../../blocks/view.ts'
import { addressOfPick, addressOfSet, changesFor, readCompareView } from './compareView.ts'

const view = (search: string) => readCompareView(new URLSearchParams(search))

test('whatever an address says, at most ten layers are read, each once', () => {
  const eleven = Array.from({ length: 11 }, (_, index) => `layer-${index}`).join(',')
  assert.equal(view(`picks=${eleven}`).picks?.length, 10)
  assert.equal(view(`picks=${eleven}`).left, 1)
  assert.deepEqual(view('picks=bob,bob,core').picks, ['bob', 'core'])
  assert.equal(view(`picks=${'x'.repeat(100_000)}`).picks, undefined)
  assert.equal(view("picks=../etc,B'OB;--").picks, undefined)
})

test('unknown words read as the default', () => {
  const odd = view('metric=%00&set=nothing&main.look=pie&main.by=constructor&more=1')
  assert.deepEqual(
    { ...odd },
    {
      metric: undefined,
      against: undefined,
      picks: undefined,
      left: 0,
      look: 'lines',
      by: undefined,
      set: 'money',
      showsAll: false,
    },
  )
})

test('each way of telling takes back the others, and the default has no key', () => {
  const shared = addressWith('?metric=tx.count', changesFor('share', 'absolute'))
  assert.equal(shared, '?main.look=stacked&main.mode=share&metric=tx.count')
  const perUser = addressWith(shared, changesFor('user', 'absolute'))
  assert.equal(perUser, '?main.by=user&metric=tx.count')
  assert.equal(addressWith(perUser, changesFor('absolute', 'absolute')), '?metric=tx.count')
  assert.equal(
    addressWith('?', changesFor('absolute', 'indexed')),
    '?main.mode=absolute',
    'a metric that is indexed unasked is told absolute by name',
  )
})

test('another set of columns leaves the sort and the picks among the old ones behind', () => {
  assert.equal(
    addressOfSet('?layers.sort=-tvl.total&layers.columns=a,b&layers.filter=bo&set=risk', 'usage'),
    '?layers.filter=bo&set=usage',
  )
  assert.equal(addressOfSet('?set=usage', 'money'), '?')
})

test('a layer is taken in and out by its address', () => {
  assert.equal(addressOfPick('?main.hide=bob', ['stacks', 'bob'], 'core'), '?picks=stacks,bob,core')
  assert.equal(addressOfPick('?', ['stacks', 'bob'], 'bob'), '?picks=stacks')
})
