/** Two processes would open one data folder and damage it. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { prepareFolder, statusOf } from './folder.ts'
import { holdData } from './holdData.testing.ts'
import { refusalToLock, whileLocked } from './lock.ts'

const lockable = { skip: refusalToLock() }

async function preparedFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-lock-'))
  prepareFolder(folder, 1, [])
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

test(
  'a task runs if nobody holds the lock, whatever a killed engine left in the file',
  lockable,
  async () => {
    await using prepared = await preparedFolder()
    const { folder } = prepared
    let runs = 0
    const count = async () => ++runs
    assert.equal(await whileLocked(statusOf(folder), count), 1)
    await writeFile(statusOf(folder), 'PID: 1\n')
    assert.equal(await whileLocked(statusOf(folder), count), 2)
    assert.equal(await readFile(statusOf(folder), 'utf8'), 'PID: 1\n')
  },
)

test('a task does not run while any process holds the lock', lockable, async () => {
  await using prepared = await preparedFolder()
  const { folder } = prepared
  {
    await using _ = await holdData(folder)
    assert.equal(await whileLocked(statusOf(folder), () => assert.fail()), 'held')
  }
  assert.equal(await whileLocked(statusOf(folder), async () => 'ran'), 'ran')
})

test('no other process or task gets the lock during a task', lockable, async () => {
  await using prepared = await preparedFolder()
  const { folder } = prepared
  await whileLocked(statusOf(folder), async () => {
    assert.equal(await whileLocked(statusOf(folder), () => assert.fail()), 'held')
    const [code] = await once(spawn('flock', ['-n', statusOf(folder), 'true']), 'exit')
    assert.equal(code, 1)
  })
})

test('a link in place of the lock is not followed', lockable, async () => {
  await using prepared = await preparedFolder()
  const { folder } = prepared
  const target = join(folder, 'target')
  await symlink(target, statusOf(folder))
  await assert.rejects(
    whileLocked(statusOf(folder), () => assert.fail()),
    { code: 'ELOOP' },
  )
  assert.equal(existsSync(target), false)
})
