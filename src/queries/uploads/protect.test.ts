/** Uploads of users would stay readable to everybody on a ClickHouse server that fails its check. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
import type { UploadAccess } from '#warehouse/index.ts'
import { createUploads, type UploadsDeps } from './createUploads.ts'

test('old grants are revoked from all uploads before the server is checked', async () => {
  const calls: string[] = []
  const uploadAccess: UploadAccess = {
    open: async ({ database }) => void calls.push(`open ${database}`),
    close: async () => {},
    revokeFromAll: async database => {
      calls.push(`revoke ${database}`)
      if (database === 'uploads_a') throw new Error('Not enough privileges.')
    },
    check: async () => {
      calls.push('check')
      throw new Error('The server ignores the role that a request names.')
    },
  }
  const rows = ['a', 'b'].map(name => ({ owner: 'account 1', database: `uploads_${name}`, name }))
  const uploads = createUploads({
    warehouse: { writer: {} as UploadsDeps['warehouse']['writer'], uploadAccess },
    store: { query: async () => rows as never },
    drafts: {} as UploadsDeps['drafts'],
    log: silentLog,
  })
  await assert.rejects(uploads.protect(), /ignores the role/)
  assert.deepEqual(calls, ['revoke uploads_a', 'revoke uploads_b', 'check'])
})
