/** Free visits would be counted wrongly. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  COOLDOWN_ALLOWANCE,
  FULL_COOLDOWN_MS,
  isExempt,
  MOST_ACTIVITIES,
  PARTIAL_COOLDOWN_MS,
  POST_LOGOUT_ALLOWANCE,
  readRecord,
  VISITS,
  type VisitRecord,
  type VisitsName,
  visitsAfter,
} from './visits.ts'

const NOW = 1_800_000_000_000
const visit = (record: VisitRecord | undefined, path: string, now = NOW, hasFeatures = false) =>
  visitsAfter(record, { type: 'visit', path, now, hasFeatures })
/** The record of one who has read as many paths as that, one a second. */
const after = (count: number): VisitRecord | undefined => {
  let record: VisitRecord | undefined
  for (let at = 1; at <= count; at++) record = visit(record, `/page-${at}`, NOW + at * 1000).record
  return record
}

test('the numbers are those of the specification', () => {
  assert.deepEqual(
    [MOST_ACTIVITIES, COOLDOWN_ALLOWANCE, POST_LOGOUT_ALLOWANCE, PARTIAL_COOLDOWN_MS, FULL_COOLDOWN_MS],
    [10, 2, 2, 86_400_000, 432_000_000],
  )
})

test('nine paths are read, the tenth is blocked, and the record has three fields', () => {
  assert.equal(visit(after(8), '/page-9').isBlocked, false)
  const { record, isBlocked } = visit(after(9), '/page-10', NOW + 10_000)
  assert.deepEqual(
    [record, isBlocked],
    [{ activities: 10, lastUpdated: NOW + 10_000, lastUrl: '/page-10' }, true],
  )
})

test('the same path again is no visit', () => {
  const first = visit(undefined, '/bitcoin')
  assert.deepEqual(visit(first.record, '/bitcoin', NOW + 5).record, first.record)
})

test('home, pricing, information and outcome pages and the documentation neither count nor block', () => {
  const full = after(10)
  for (const path of [
    '/',
    '/pricing',
    '/About',
    '/Terms',
    '/Privacy',
    '/Contact',
    '/docs',
    '/error',
    '/subscription-success',
    '/account/keys',
  ])
    assert.deepEqual(
      [isExempt(path), visit(full, path, NOW + 20_000)],
      [true, { record: full, isBlocked: false }],
    )
  for (const path of ['/bitcoin', '/aboutness', '/errors', '/reports', '/accounts'])
    assert.equal(isExempt(path), false)
})

test('while blocked, count and time stand still, on any path', () => {
  const full = after(10)
  for (const path of ['/page-10', '/page-11'])
    assert.deepEqual(visit(full, path, NOW + 60_000), { record: full, isBlocked: true })
})

test('a day lets a full counter fall by two, then the visit counts; five days forget all', () => {
  const full = after(10) as VisitRecord
  const day = full.lastUpdated + PARTIAL_COOLDOWN_MS
  assert.equal(visit(full, '/x', day - 1).isBlocked, true)
  assert.deepEqual(visit(full, '/x', day), {
    record: { activities: 9, lastUpdated: day, lastUrl: '/x' },
    isBlocked: false,
  })
  const six = after(6) as VisitRecord
  assert.equal(visit(six, '/x', six.lastUpdated + PARTIAL_COOLDOWN_MS).record?.activities, 7)
  assert.equal(visit(full, '/x', full.lastUpdated + FULL_COOLDOWN_MS).record?.activities, 1)
  assert.equal(visit(six, '/x', six.lastUpdated + FULL_COOLDOWN_MS - 1).record?.activities, 7)
})

test('a sign-out frees two of a full counter and nothing of another', () => {
  assert.equal(visitsAfter(after(10), { type: 'signedOut' }).record?.activities, 8)
  assert.equal(visitsAfter(after(7), { type: 'signedOut' }).record?.activities, 7)
  assert.equal(visitsAfter(undefined, { type: 'signedOut' }).record, undefined)
})

test('who has features is never blocked, and the record goes', () => {
  assert.deepEqual(visit(after(10), '/x', NOW + 20_000, true), { record: undefined, isBlocked: false })
})

test('what is no record reads as none', () => {
  for (const text of [
    null,
    '',
    'null',
    '{}',
    '[]',
    '{"activities":"3","lastUpdated":1,"lastUrl":"/"}',
    '{"activities":-1,"lastUpdated":1,"lastUrl":"/"}',
  ])
    assert.equal(readRecord(text), undefined)
  const record = { activities: 3, lastUpdated: NOW, lastUrl: '/bitcoin' }
  assert.deepEqual(readRecord(JSON.stringify({ ...record, more: 1 })), record)
})

test('whatever a reader does, only steps of the chart are taken and nobody with less than ten is blocked', () => {
  const doing = fc.oneof(
    fc.record({
      path: fc.constantFrom('/', '/a', '/b', '/c', '/pricing'),
      wait: fc.constantFrom(0, 1000, PARTIAL_COOLDOWN_MS, FULL_COOLDOWN_MS, -5000),
      hasFeatures: fc.integer({ min: 0, max: 19 }).map(of => of === 0),
    }),
    fc.constant('sign out' as const),
  )
  const nameOf = (record: VisitRecord | undefined, hasFeatures: boolean): VisitsName =>
    hasFeatures ? 'unlimited' : (record?.activities ?? 0) >= MOST_ACTIVITIES ? 'blocked' : 'counting'
  fc.assert(
    fc.property(fc.array(doing, { maxLength: 60 }), doings => {
      let record: VisitRecord | undefined
      let now = NOW
      let name: VisitsName = VISITS.initial
      for (const next of doings) {
        const hasFeatures = next !== 'sign out' && next.hasFeatures
        if (next !== 'sign out') now += next.wait
        const found =
          next === 'sign out'
            ? visitsAfter(record, { type: 'signedOut' })
            : visitsAfter(record, { type: 'visit', path: next.path, now, hasFeatures })
        const to = nameOf(found.record, hasFeatures)
        assert.ok(
          to === name || VISITS.steps.some(step => step.from === name && step.to === to),
          `${name} to ${to}`,
        )
        assert.ok((found.record?.activities ?? 0) <= MOST_ACTIVITIES)
        if (found.isBlocked) assert.equal(found.record?.activities, MOST_ACTIVITIES)
        ;[record, name] = [found.record, to]
      }
    }),
  )
})
