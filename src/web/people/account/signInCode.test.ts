/** A failed sign-in would give no useful reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathOf } from './accountAuth.ts'
import { isSessionOver, signInProblem } from './signInCode.ts'

const thrown = (error: string, text = error) => Object.assign(new Error(text), { error })

test('each named error of the provider has its own sentence, with the raw name beside it', () => {
  for (const name of [
    'missing_refresh_token',
    'mfa_required',
    'state_mismatch',
    'timeout',
    'cancelled',
    'access_denied',
  ]) {
    const problem = signInProblem(thrown(name, 'what it said'), 'login_failed')
    assert.deepEqual([problem.code, problem.raw], [name, `${name}: what it said`])
    assert.ok(problem.title !== '' && problem.meaning !== '' && problem.remedy !== '')
  }
})

test('a forged or forgotten callback reads as a mismatch of state', () => {
  assert.equal(
    signInProblem(thrown('missing_transaction'), 'login_failed').title,
    signInProblem(thrown('state_mismatch'), 'login_failed').title,
  )
})

test('what has no name of its own is named by the step in which it came', () => {
  for (const error of [new TypeError('Failed to fetch'), thrown('server_error'), 'text', undefined]) {
    assert.equal(signInProblem(error, 'login_failed').title, 'The sign-in failed')
    assert.equal(signInProblem(error, 'get_access_token_failed').title, 'The session could not be continued')
  }
})

test('a provider that answers none of the attempts in time took too long', () => {
  const problem = signInProblem(new Error("Timeout when executing 'fetch'"), 'get_access_token_failed')
  assert.deepEqual(
    [problem.code, problem.title, problem.raw],
    ['timeout', 'The sign-in took too long', "timeout: Timeout when executing 'fetch'"],
  )
})

test('a session that is over is told from one that could not be asked about', () => {
  for (const name of ['invalid_grant', 'missing_refresh_token', 'login_required'])
    assert.ok(isSessionOver(thrown(name)))
  for (const error of [thrown('timeout'), new TypeError('Failed to fetch')]) assert.ok(!isSessionOver(error))
})

test('what a sign-in returns to is a path of this site', () => {
  assert.equal(pathOf('/bitcoin?tab=money'), '/bitcoin?tab=money')
  for (const elsewhere of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '',
    undefined,
    '/callback?code=1',
  ])
    assert.equal(pathOf(elsewhere), '/')
})
