import { randomInt } from 'node:crypto'
import process from 'node:process'
import type { TestContext } from 'node:test'

/** What a test draws at random follows from this number: a new one with each run, or that of the variable `SEED`. */
export const newSeed = (): number => Number(process.env.SEED ?? randomInt(2 ** 31))

/** The seed of one test, printed so that a failure can be repeated. */
export function seedOf(t: Pick<TestContext, 'diagnostic'>): number {
  const seed = newSeed()
  t.diagnostic(`SEED=${seed}`)
  return seed
}
