/** A dismissed ad would come back, or views would be counted wrongly. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Ad, type AdEvent, activeAd, adAfter, adAtStart } from './adState.ts'

const ad = (id: string, start: string, end: string): Ad => ({
  _id: id,
  start,
  end,
  link: 'https://example.org/',
  image: '/ad.png',
  title: id,
})
const NOW = Date.parse('2026-11-24T12:00:00Z')
const ADS = [
  ad('past', '2026-11-01T00:00:00Z', '2026-11-24T12:00:00Z'),
  ad('now', '2026-11-24T12:00:00Z', '2026-11-25T00:00:00Z'),
  ad('too', '2026-11-24T00:00:00Z', '2026-11-25T00:00:00Z'),
]
const run = (...events: AdEvent[]) => {
  const told: (string | undefined)[] = []
  let state = adAtStart
  for (const event of events) {
    const step = adAfter(state, event)
    state = step.state
    told.push(step.tell)
  }
  return { state, told }
}
const loaded: AdEvent = { on: 'loaded', ads: ADS, now: NOW }

test('the first ad whose window contains now is active: its start is in it, its end is not', () => {
  assert.equal(activeAd(ADS, NOW)?._id, 'now')
  assert.equal(activeAd(ADS, NOW - 1)?._id, 'past')
  assert.equal(activeAd(ADS, Date.parse('2026-11-25T00:00:00Z')), undefined)
})

test('one view is told a showing, each click, and the cancel that hides it', () => {
  const { state, told } = run(loaded, loaded, { on: 'click' }, { on: 'click' }, { on: 'cancel' }, loaded, {
    on: 'cancel',
  })
  assert.deepEqual(told, ['view', undefined, 'click', 'click', 'cancel', undefined, undefined])
  assert.equal(state.name, 'hidden')
})

test('what is shown is the ad of now: when one ends another takes its place, and each is told of', () => {
  const next = ad('next', '2026-11-24T13:00:00Z', '2026-11-24T14:00:00Z')
  const ads = [ad('first', '2026-11-24T12:00:00Z', '2026-11-24T13:00:00Z'), next]
  const at = (now: string): AdEvent => ({ on: 'loaded', ads, now: Date.parse(now) })
  const { state, told } = run(at('2026-11-24T12:59:59Z'), at('2026-11-24T13:00:00Z'))
  assert.deepEqual([state.ad, told], [next, ['view', 'view']])
  const over = adAfter(state, at('2026-11-24T14:00:00Z'))
  assert.deepEqual([over.state.name, over.state.ad, over.tell], ['none', undefined, undefined])
})

test('what was dismissed is never shown again, whatever else was shown since; another is, in its own time', () => {
  const long = ad('long', '2026-11-24T00:00:00Z', '2026-11-25T00:00:00Z')
  const noon = ad('noon', '2026-11-24T12:00:00Z', '2026-11-24T13:00:00Z')
  const ads = [noon, long]
  const at = (hour: number): AdEvent => ({
    on: 'loaded',
    ads,
    now: Date.parse(`2026-11-24T${hour}:30:00Z`),
  })
  const { state, told } = run(at(11), { on: 'cancel' }, at(11), at(12), at(13), { on: 'features' }, at(14))
  assert.deepEqual(told, ['view', 'cancel', undefined, 'view', undefined, undefined, undefined])
  assert.deepEqual([state.name, state.ad], ['hidden', long])
})

test('no ad is shown and nothing is told where none is active, or to who has features', () => {
  assert.deepEqual(run({ on: 'loaded', ads: [], now: NOW }, { on: 'click' }), {
    state: adAtStart,
    told: [undefined, undefined],
  })
  assert.deepEqual(run(loaded, { on: 'features' }), { state: adAtStart, told: ['view', undefined] })
})
