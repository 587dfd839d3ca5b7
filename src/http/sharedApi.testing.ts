import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { InjectOptions } from 'fastify'
import type { Problem } from './contract.ts'
import { problem } from './schemas/common.ts'
import { openTestSite } from './testing.ts'

export const site = await openTestSite()
export const ask = (url: string, more: InjectOptions = {}) => site.app.inject({ url, ...more })

export const runSql = (sql: string, more: object = {}) =>
  ask('/api/v1/sql', { method: 'POST', payload: { sql, ...more } })

export const problemAt = async (
  url: string,
  expectedStatus: number,
  more: InjectOptions = {},
): Promise<Problem> => {
  const answer = await ask(url, more)
  assert.equal(answer.statusCode, expectedStatus, answer.body)
  assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8')
  return problem.parse(answer.json())
}

/** The warehouse answers several questions at once. */
export async function inFours<T>(
  items: readonly T[],
  run: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = [...items.entries()]
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await run(next[1], next[0])
  }
  await Promise.all([work(), work(), work(), work()])
}

after(() => site[Symbol.asyncDispose]())
