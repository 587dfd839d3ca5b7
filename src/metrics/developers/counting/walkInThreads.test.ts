/** Developer counts would depend on how the work is split. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../scope.ts'
import { aboutOf, rangesOf, rowsBefore, WAITING_WORDS } from './rows.ts'
import { daysOf } from './tallies.ts'
import { walkInThreads } from './walkInThreads.ts'
import { type People, walkPeople } from './walkPeople.ts'

const ecosystem = { name: 'one', end: 17_900, youngUntil: 0, wholeUntil: 17_900, readAt: 0, source: '' }
const scope: Scope = {
  run: '1',
  parts: [],
  repositories: [
    { name: 'a', ecosystems: [1], isInAll: true },
    { name: 'b', ecosystems: [1, 2], isInAll: true },
  ],
  ecosystems: [ecosystem, ecosystem, ecosystem],
  coverage: [],
}

/** People with one address or two, and a few rows or many, as they would have been read. */
function madePeople(count: number): People & { readonly authors: { readonly people: number } } {
  const firstAddress = [0]
  const starts = [0]
  for (let person = 0; person < count; person += 1) {
    for (let address = 0; address <= person % 2; address += 1)
      starts.push(starts.at(-1)! + 1 + ((person * 37) % 90))
    firstAddress.push(starts.length - 1)
  }
  const order = {
    firstAddress: Uint32Array.from(firstAddress),
    starts: Uint32Array.from(starts),
    people: count,
  }
  const batches = rangesOf(order, 500)
  const words = new Uint32Array(starts.at(-1)! * WAITING_WORDS)
  let row = 0
  for (let address = 0; address + 1 < starts.length; address += 1)
    for (let own = 0; own < starts[address + 1]! - starts[address]!; own += 1, row += 1)
      words.set(
        [
          address,
          own - (own % 3),
          address,
          aboutOf(17_000 + ((own * address) % 800), 1 + (row % 2), row % 4 === 0 ? 0 : 1),
          1,
        ],
        row * WAITING_WORDS,
      )
  return {
    scope,
    days: daysOf(17_000, 17_899),
    authors: order,
    rows: { words, batches },
    batches: [0, batches.length],
  }
}

test('threads count what one count of all gives', async () => {
  const people = madePeople(300)
  const counts = walkPeople(people)
  assert.ok(counts.cleaned.onDays.some(count => count > 0))
  const shared = (counted: typeof counts) => ({
    ...counted,
    writers: {
      ...counted.writers,
      shares: counted.writers.shares.map(each => each.toSorted((a, b) => a - b)),
    },
  })
  assert.deepEqual(shared(await walkInThreads(people, 1_000)), shared(counts))
})

test('ranges hold everybody once, none too many rows, and who has more is alone', () => {
  const { authors } = madePeople(200)
  for (const most of [1, 60, 1_000, 1_000_000]) {
    const ranges = rangesOf({ ...authors, people: 200 }, most)
    assert.deepEqual(
      ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, index) => from + index)),
      Array.from({ length: 200 }, (_, person) => person),
    )
    for (const [from, to] of ranges)
      assert.ok(to - from === 1 || rowsBefore(authors, to) - rowsBefore(authors, from) <= most)
  }
})

test('rows of an address that has others than were numbered are refused', () => {
  const people = madePeople(20)
  people.rows.words[0]! += 1
  assert.throws(() => walkPeople(people), { code: 'metrics.commits_changed' })
})
