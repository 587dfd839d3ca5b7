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
    const now = day({ strategy: 110, mara: 55, government: 20 })
    const { change, over, of } = likeForLike(before, now, true)
    assert.equal(change?.toFixed(12), '0.100000000000')
    assert.deepEqual([over, of], [['strategy', 'mara'], 3])
    assert.deepEqual(
      [totalOf(over, now.members), totalOf(over, day({ strategy: 110 }).members), totalOf([], now.members)],
      [165, undefined, undefined],
    )
  })

  test('of a sum is none where the common members are less than 80% of it on either day', () => {
    const compared = (before: Readonly<Record<string, number>>, now: Readonly<Record<string, number>>) =>
      likeForLike(day(before), day(now), true)
    assert.equal(compared({ a: 80 }, { a: 160, b: 40 }).change, 1)
    assert.equal(compared({ a: 80, b: 20 }, { a: 160 }).change, 1)
    assert.equal(compared({ a: 80 }, { a: 160, b: 41 }).change, null)
    assert.equal(compared({ a: 80, b: 21 }, { a: 160 }).change, null)
    // 4 of 57 pools: the change stays away, and so does what it would be over.
    const pools = Object.fromEntries(Array.from({ length: 57 }, (_, index) => [`p${index}`, 10]))
    assert.deepEqual(
      { ...compared({ p0: 6, p1: 6, p2: 6, p3: 6 }, pools), over: undefined },
      { change: null, over: undefined, of: 57 },
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

  test('never depends on a member that joins or leaves, unless that is most of it', () => {
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
        for (const joined of [
          likeForLike(day(older), day({ ...newer, [name]: value }), true).change,
          likeForLike(day({ ...older, [name]: value }), day(newer), true).change,
        ])
          assert.ok(joined === null || change === null || joined === change, `${joined} and ${change}`)
        // What is no sum has no change once a member joins.
        assert.equal(likeForLike(day(older), day({ ...newer, [name]: value }), false).change, null)
      }),
    )
  })
})
