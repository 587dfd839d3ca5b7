/** If one of two checks of user queries grew weaker, the other would hide it, and files of the server be one mistake away. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { casesOf, type EngineParser, HOSTILE, OPEN, openEngineParser } from './cases.testing.ts'
import { gate, refusalOfParameters } from './index.ts'
import * as refusals from './refusals.ts'
import { refusalOfText } from './text.ts'
import { refusalOfTree } from './tree.ts'

/** What the gate says of a statement, then the check of its tree, of its text, and of its parameters alone. */
type Verdict = readonly [sql: string, gate: string, tree: string, text: string, parameters: string]

const NAMES = new Map<string, string>(Object.entries(refusals).map(([name, sentence]) => [sentence, name]))

/** The name of a refusal, or its beginning: what follows explains it. */
function shortOf(refusal: string | undefined): string {
  if (refusal === undefined) return 'open'
  return NAMES.get(refusal) ?? refusal.replace(/ is not open to queries[\s\S]*/, '')
}

describe('each check alone', () => {
  let parser: EngineParser
  before(() => {
    parser = openEngineParser()
  })
  after(() => parser[Symbol.dispose]())

  test('refuses what it is known to refuse, and for the same reason', async () => {
    const recorded = new Set(casesOf<Verdict>('verdicts.jsonl').map(verdict => JSON.stringify(verdict)))
    const found: string[] = []
    for (const { sql, params } of [...HOSTILE, ...OPEN]) {
      const parsed = await parser
        .withParameters(params, on => parser.parsedBy(on, sql))
        .catch(() => undefined)
      if (parsed === undefined) continue
      const { tree, formatted } = parsed
      const verdict: Verdict = [
        sql,
        shortOf(gate(sql, parsed)),
        shortOf(refusalOfTree(tree, true, true)),
        shortOf(refusalOfText(formatted)),
        shortOf(refusalOfParameters(formatted)),
      ]
      found.push(JSON.stringify(verdict))
    }
    // After a change of cases or checks: read these lines, and put them into `cases/verdicts.jsonl`.
    assert.deepEqual(
      found.filter(line => !recorded.has(line)),
      [],
    )
    assert.deepEqual(
      [...recorded].filter(line => !found.includes(line)),
      [],
    )
  })
})
