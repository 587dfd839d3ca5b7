/** API errors would be undocumented or reveal internals. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ClickHouseError } from '@clickhouse/client'
import { AssayError } from '#kernel/errors.ts'
import { toApiError } from './apiError.ts'
import { listProblems, PROBLEM_KINDS } from './problems.ts'

/** Codes of these rooms that stop a start, a command or the counting behind answers, and never reach one. */
const BEFORE_ANSWERS = [
  // Told within the forms of sign-in.
  'accounts.link',
  'accounts.password',
  'accounts.taken',
  'accounts.too_large',
  'http.no_build',
  'catalog.invalid',
  'metrics.commits_changed',
  'metrics.registry',
  'metrics.repositories',
  'metrics.snapshot',
]

test('every code that a question can meet is on the list, and nothing else', () => {
  const written = globSync('src/{http,metrics,explorer,queries,accounts,content}/**/*.ts')
    .filter(file => !/\.test(?:ing)?\.ts$/.test(file) && !file.endsWith('/problems.ts'))
    .flatMap(file => [
      ...readFileSync(file, 'utf8').matchAll(
        /'((?:http|metrics|explorer|sql|accounts|content|billing|uploads|provenance)\.[a-z_]+)'/g,
      ),
    ])
    .map(([, code = '']) => code)
  // The two days of a range share one line of code: `metrics.${parameter}`.
  const thrown = new Set([...written, 'metrics.from', 'metrics.to'])
  const listed = listProblems().flatMap(({ code }) => (code.startsWith('warehouse.') ? [] : [code as string]))
  assert.deepEqual([...thrown].filter(code => !BEFORE_ANSWERS.includes(code)).sort(), listed.sort())
})

test('every code of the warehouse on the list is one that it throws', () => {
  const source = globSync('src/warehouse/**/*.ts')
    .map(file => readFileSync(file, 'utf8'))
    .join('\n')
  for (const code of Object.keys(PROBLEM_KINDS).filter(name => name.startsWith('warehouse.')))
    assert.ok(source.includes(`'${code}'`), code)
})

test('every code that a server in place of the engine gives is on the list, and tells askers no address', () => {
  const source = readFileSync('src/warehouse/serverClients.ts', 'utf8')
  const codes = [...new Set([...source.matchAll(/'(warehouse\.[a-z_]+)'/g)].map(([, code = '']) => code))]
  assert.ok(codes.length > 0)
  for (const code of codes) {
    const told = toApiError(
      new AssayError(code, 'The server at http://10.0.0.1:8123 is away.', { hint: 'x' }),
    )
    assert.deepEqual([told.status, told.problem.code], [503, code])
    assert.doesNotMatch(JSON.stringify(told.problem), /10\.0\.0\.1/)
  }
})

test('an engine without memory to spare is a matter of a moment, a statement that needs too much is not', () => {
  const refused = (whose: string) =>
    toApiError(
      new ClickHouseError({
        code: '241',
        type: 'MEMORY_LIMIT_EXCEEDED',
        message: `${whose} memory limit exceeded: would use 565.15 MiB, maximum: 512.00 MiB.`,
      }),
    )
  const full = refused('(total)')
  assert.deepEqual([full.status, full.problem.code, full.retryAfterSeconds], [503, 'http.unavailable', 5])
  assert.equal(refused('Query').problem.code, 'http.defect')
})

test('a listed error keeps its code, any other says nothing but that it is one', () => {
  const known = toApiError(new AssayError('explorer.tx_not_found', 'no such transaction'))
  assert.deepEqual([known.status, known.problem.type], [404, '/errors/explorer.tx_not_found'])
  const strange = toApiError(new AssayError('explorer.secret', 'a path of this machine'))
  assert.equal(strange.problem.code, 'http.defect')
  assert.doesNotMatch(JSON.stringify(strange.problem), /path of this machine/)
})
