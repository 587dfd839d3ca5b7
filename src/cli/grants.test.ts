/** An operator could not grant access or see who has it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { after, test } from 'node:test'
import { ConfigError } from '#kernel/errors.ts'
import { grantCommand } from './grants.ts'

const home = mkdtempSync(join(tmpdir(), 'assay-grants-'))
after(() => rmSync(home, { recursive: true, force: true }))

const assay = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/assay.ts', ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ASSAY_HOME: home, LOG_LEVEL: 'warn' },
  })
  return { status, said: stdout + stderr }
}

test('what is granted on the command line is listed, with its reason and its last day', () => {
  const given = assay(
    'grant',
    'Ann@Example.org',
    'dashboard,query',
    '--until',
    '2999-01-31',
    '--reason',
    'a test',
  )
  assert.equal(given.status, 0, given.said)
  const { said } = assay('grants')
  assert.match(said, /^1 {2}ann@example\.org {2}dashboard,query {2}until 2999-01-31 .* a test$/m)
})

test('a wrong call is told before anything is opened', async () => {
  const call = (...words: string[]) =>
    grantCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .parseAsync(words, { from: 'user' })
  await assert.rejects(call('ann', 'query', '--reason', 'x'), ConfigError)
  await assert.rejects(call('a@b.c', 'query', '--reason', 'x', '--until', '2026-02-31'), /is no day/)
  await assert.rejects(call('a@b.c', 'query'), /--reason/)
})
