/** Rows of a long result would be out of reach, or jump while a reader scrolls. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createScrollMap, scrolled, TALLEST } from './scrollMap.ts'

const total = fc.integer({ min: 0, max: 60_000_000 })
const view = fc.integer({ min: 100, max: 1200 })

test('the scroll bar reaches every row: both ways of the map agree, rise and end together', () => {
  fc.assert(
    fc.property(
      total,
      view,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (height, visible, a, b) => {
        const map = createScrollMap(height, visible)
        assert.ok(map.height <= TALLEST)
        assert.equal(map.toVirtual(map.physicalEnd), map.virtualEnd)
        assert.equal(map.toVirtual(0), 0)
        const [low, high] = [Math.min(a, b) * map.virtualEnd, Math.max(a, b) * map.virtualEnd]
        assert.ok(map.toPhysical(low) <= map.toPhysical(high))
        assert.ok(Math.abs(map.toVirtual(map.toPhysical(high)) - high) < 0.01)
      },
    ),
  )
})

test('a short way moves rows pixel by pixel wherever the scroll bar stands', () => {
  fc.assert(
    fc.property(
      view,
      fc.double({ min: 0.1, max: 0.9, noNaN: true }),
      fc.integer({ min: -300, max: 300 }),
      (visible, share, way) => {
        const map = createScrollMap(30_000_000, visible)
        const virtual = share * map.virtualEnd
        const place = { physical: map.toPhysical(virtual), virtual }
        const next = scrolled(map, place, place.physical + way, visible)
        if (Math.abs(way) <= 4 * visible) assert.ok(Math.abs(next.virtual - virtual - way) < 1e-6)
      },
    ),
  )
})

test('the thumb at either end shows the first and the last row', () => {
  const map = createScrollMap(30_000_000, 600)
  const place = { physical: 4_000_000, virtual: 15_000_000 }
  assert.equal(scrolled(map, place, 0, 600).virtual, 0)
  assert.equal(scrolled(map, place, map.physicalEnd, 600).virtual, map.virtualEnd)
  assert.equal(scrolled(map, place, 6_000_000, 600).virtual, map.toVirtual(6_000_000))
})
