/** Scrolling would show rows of another place, or fill the memory of the tab. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createPageCache, PAGE_ROWS, pagesAround } from './pageCache.ts'

const rowsOf = (page: number) => Array.from({ length: PAGE_ROWS }, (_, at) => [page * PAGE_ROWS + at])

test('a cached row is the row of that position, and never more pages are cached than the capacity', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 60 }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 8 }),
      (pages, capacity) => {
        const cache = createPageCache(capacity)
        for (const page of pages) cache.put(page, rowsOf(page))
        assert.ok(cache.rowCount() <= capacity * PAGE_ROWS)
        for (const page of pages) {
          const row = cache.row(page * PAGE_ROWS + 7)
          if (cache.has(page)) assert.deepEqual(row, [page * PAGE_ROWS + 7])
          else assert.equal(row, undefined)
        }
        const last = pages.at(-1)
        if (last !== undefined) assert.ok(cache.has(last))
      },
    ),
  )
})

test('a page in use outlives pages that came later', () => {
  const cache = createPageCache(2)
  cache.put(0, rowsOf(0))
  cache.put(1, rowsOf(1))
  cache.touch([0])
  cache.put(2, rowsOf(2))
  assert.deepEqual([cache.has(0), cache.has(1), cache.has(2)], [true, false, true])
})

test('pages in view are loaded first, then those in the direction of scrolling', () => {
  assert.deepEqual(pagesAround({ from: 390, to: 430, isUpward: false }, 1_000_000), [1, 2, 3, 4, 0])
  assert.deepEqual(pagesAround({ from: 1000, to: 1040, isUpward: true }, 1_000_000), [5, 4, 3, 6])
  assert.deepEqual(pagesAround({ from: 999_980, to: 1_000_000, isUpward: false }, 1_000_000), [4999, 4998])
  assert.deepEqual(pagesAround({ from: 0, to: 40, isUpward: false }, 0), [])
})
