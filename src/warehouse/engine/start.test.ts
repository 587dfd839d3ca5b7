/** Secrets of the server would leak into the engine. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestWarehouse } from '../testing.ts'
import { engineEnvironment } from './start.ts'

test('the environment of the engine holds named variables alone', () => {
  assert.deepEqual(
    engineEnvironment({
      PATH: '/bin',
      HOME: '/root',
      STRIPE_SECRET_KEY: 'a',
      SMTP_URL: 'b',
      NODE_OPTIONS: '-r x',
    }),
    { PATH: '/bin', HOME: '/root', TZ: 'UTC', UV_THREADPOOL_SIZE: '24', NODE_OPTIONS: '' },
  )
})

test('a running engine has no secret of its parent, and its folder for files is empty', {
  skip: !existsSync('/proc/self/environ') && 'needs /proc',
}, async () => {
  process.env.ASSAY_TEST_SECRET = 'a secret of another service'
  try {
    await using warehouse = await openTestWarehouse()
    const folder = join(warehouse.home, 'warehouse')
    const { pid } = JSON.parse(await readFile(join(folder, 'endpoint.json'), 'utf8')) as { pid: number }
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
    assert.doesNotMatch(environment, /a secret of another service/)
    assert.match(environment, /TZ=UTC/)
    // Names in a query that are those of files lead here.
    assert.equal(await readlink(`/proc/${pid}/cwd`), join(folder, 'no-files'))
    const result = await warehouse.reader.query({
      query: "SELECT getServerSetting('user_files_path') AS path",
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ path: string }>()
    assert.equal(row?.path, join(folder, 'no-files'))
    assert.deepEqual(await readdir(row.path), [])
  } finally {
    delete process.env.ASSAY_TEST_SECRET
  }
})
