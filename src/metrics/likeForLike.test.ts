/** A change would compare sums over different members. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type DayOfMembers, likeForLike, totalOf } from './likeForLike.ts'

const day = (members: Readonly<Record<string, number>>): DayOfMembers => ({
  value: Object.values(members).reduce((sum, value) => sum + value, 0),
  members: new Map(Object.entries(members)),
})

describe('a change like for like', () => {
  test('of a sum is over members that both days have', () => {
    // Two companies bought a tenth more; a government is named in between, and a company is no longer reported.
    const before = day({ strategy: 100, mara: 50, gone: 7 })
    const now = day({ strategy: 110, mara: 55, government: 200 })
    const { change, over, of } = likeForLike(before, now, true)
    assert.equal(change?.toFixed(12), '0.100000000000')
    assert.deepEqual([over, of], [['strategy', 'mara'], 3])
    assert.deepEqual(
      [totalOf(over, now.members), totalOf(over, day({ strategy: 110 }).members), totalOf([], now.members)],
      [165, undefined, undefined],
    )
  })

  test('of a median or a distinct count is none where members differ', () => {
    const medianOf = (value: number, ...members: string[]): DayOfMembers => ({
      value,
      members: new Map(members.map(member => [member, value])),
    })
    assert.equal(likeForLike(medianOf(3, 'a'), medianOf(4, 'a', 'b'), false).change, null)
    assert.equal(likeForLike(medianOf(3, 'a', 'b'), medianOf(4, 'a'), false).change, null)
    assert.equal(likeForLike(medianOf(3, 'a', 'b'), medianOf(4.5, 'b', 'a'), false).change, 0.5)
  })

  test('is none without a common member or from zero', () => {
    assert.equal(likeForLike(day({ a: 1 }), day({ b: 2 }), true).change, null)
    assert.equal(likeForLike(day({ a: 0 }), day({ a: 2 }), true).change, null)
    assert.equal(likeForLike(day({ a: 0, b: 1 }), day({ a: 2, c: 1 }), true).change, null)
  })

  test('adds amounts beyond 2^53 exactly', () => {
    const members = (...values: string[]) => ({
      value: values.reduce((sum, value) => String(BigInt(sum) + BigInt(value)), '0'),
      members: new Map(values.map((value, index) => [`m${index}`, value])),
    })
    const before = members('900000000000000000000', '100000000000000000000')
    const now = members('900000000000000000000', '1100000000000000000000', '5')
    assert.equal(likeForLike(before, now, true).change, 1)
  })

  test('never depends on a member that joins or leaves', () => {
    const members = fc.dictionary(
      fc.string({ minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 1e9 }),
      {
        minKeys: 1,
      },
    )
    const joining = fc.tuple(fc.string({ minLength: 4, maxLength: 6 }), fc.integer({ min: 0, max: 1e12 }))
    fc.assert(
      fc.property(members, members, joining, (older, newer, [name, value]) => {
        const { change } = likeForLike(day(older), day(newer), true)
        const isNone = Object.keys(newer).every(member => !(member in older))
        if (isNone) assert.equal(change, null)
        assert.equal(likeForLike(day(older), day({ ...newer, [name]: value }), true).change, change)
        assert.equal(likeForLike(day({ ...older, [name]: value }), day(newer), true).change, change)
        // What is no sum has no change once a member joins.
        assert.equal(likeForLike(day(older), day({ ...newer, [name]: value }), false).change, null)
      }),
    )
  })
})
