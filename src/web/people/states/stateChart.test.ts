/** The documented state machines would differ from the code. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { chartsSvg, chartsText, MACHINES } from './stateChart.ts'

const file = (path: string) => readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8')

test('every step of every machine leads between its states, and all states can be reached', () => {
  for (const { title, initial, states, steps } of MACHINES) {
    const reached = new Set([initial])
    for (const { from, to } of [...steps, ...steps, ...steps]) {
      assert.ok(states.includes(from) && states.includes(to), `${title}: ${from} to ${to}`)
      if (reached.has(from)) reached.add(to)
    }
    assert.deepEqual(
      [...states].filter(state => !reached.has(state)),
      [],
      title,
    )
  }
})

test('the chapter and the picture are what the tables give; run scripts/stateChart.ts after a change', async () => {
  assert.ok((await file('content/documentation/people.md')).includes(`\`\`\`text\n${chartsText()}\n\`\`\``))
  assert.equal(await file('docs/people-states.svg'), chartsSvg())
})
