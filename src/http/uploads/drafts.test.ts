/** A slow upload would be cut off, uploads would fill the disk, or a full disk would leave half a file. */

import assert from 'node:assert/strict'
import { readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { before, describe, test } from 'node:test'
import { createRandom } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { newSeed } from '#kernel/seed.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { createUploads } from '#queries/index.ts'
import { createDrafts } from '#queries/uploads/createDrafts.ts'
import { UPLOAD_LIMITS } from '#queries/uploads/uploadLimits.ts'
import { openTestWarehouse, smallDisk } from '#warehouse/testing.ts'
import { type Headers, PACE, store, testSite } from '../queries/sharedSaved.testing.ts'
import { owner } from './uploading.testing.ts'

const SEED = newSeed()
const NO_END = { [Symbol.asyncDispose]: async () => {} }

describe('a file that arrives slowly', () => {
  let port: number
  before(async () => {
    await testSite.app.listen({ port: 0, host: '127.0.0.1' })
    port = (testSite.app.server.address() as { port: number }).port
  })
  type Sent = { text: string; isOver: boolean; send(chunk: string): void }
  /** A request whose body is sent in pieces. */
  function sending(path: string, headers: Headers, bytes: number): Sent {
    const socket = connect(port, '127.0.0.1')
    const sent: Sent = { text: '', isOver: false, send: chunk => socket.write(chunk) }
    socket.on('data', chunk => {
      sent.text += chunk
    })
    socket.on('close', () => {
      sent.isOver = true
    })
    socket.on('error', () => {})
    const lines = Object.entries({ host: 'a', 'content-length': String(bytes), ...headers })
    socket.write(
      `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
    )
    return sent
  }
  const DRAFTS = '/api/v1/uploads/drafts?fileName=slow.csv'
  const ROW = `1${'0'.repeat(98)}\n`
  /** Sends rows until this many windows have passed, and returns the number of rows. One row is enough for a window. */
  async function feed(sent: Sent, windows: number): Promise<number> {
    const end = performance.now() + windows * PACE.windowMs
    let count = 0
    await until('so many windows have passed', () => {
      sent.send(ROW.repeat(20))
      count += 20
      return sent.isOver || performance.now() > end
    })
    return count
  }
  /** Sends rows until the connection is closed. */
  const feedToTheEnd = (sent: Sent) =>
    until('it is closed', () => {
      if (!sent.isOver) sent.send(ROW)
      return sent.isOver
    })

  test('is read to the end if it makes progress and the caller may upload', async () => {
    const rows = 10_000
    const sent = sending(DRAFTS, { ...owner, 'content-type': 'text/csv' }, rows * ROW.length + 2)
    sent.send('a\n')
    const count = await feed(sent, 4)
    assert.equal(sent.isOver, false, sent.text)
    sent.send(ROW.repeat(rows - count))
    await until('it is answered', () => sent.text.includes('"rowCount"'))
    assert.match(sent.text, /^HTTP\/1\.1 200 [\s\S]*"rowCount":10000/)
  })

  test('is refused once it stops, and its draft is removed', async () => {
    const stopped = sending(DRAFTS, owner, 1_000_000)
    const guest = sending(DRAFTS, {}, 1_000_000)
    const query = sending('/api/v1/sql', { ...owner, 'content-type': 'application/json' }, 100_000)
    await Promise.all([guest, query].map(feedToTheEnd))
    assert.match(guest.text, /^HTTP\/1\.1 401 /)
    assert.match(query.text, /^HTTP\/1\.1 408 [\s\S]*http\.too_slow/)
    await until('the third is closed', () => stopped.isOver)
    assert.match(stopped.text, /^HTTP\/1\.1 408 [\s\S]*http\.too_slow/)
  })
})

const { drafts } = testSite.queryTool
const never = new AbortController().signal
const draftOf = (who: string, text: string) =>
  drafts.add(who, { fileName: 'a.csv', hasHeader: true, body: Readable.from([Buffer.from(text)]) }, never)
/** A file of this many megabytes. While it is read, its draft takes up twice as much. */
const megabytes = (count: number) => `a\n${`${'7'.repeat(99_999)}\n`.repeat(count * 10)}`

test('drafts share limited disk space: unused ones are removed, first those of the same user', async () => {
  const isThere = (who: string, id: string) => {
    try {
      return drafts.get(who, id).id === id
    } catch (cause) {
      assert.ok(cause instanceof Error && 'code' in cause && cause.code === 'uploads.unknown_draft')
      return false
    }
  }
  await assert.rejects(draftOf('first', megabytes(9)), { code: 'uploads.drafts_full' })
  const first = await draftOf('first', megabytes(2.5))
  const second = await draftOf('second', megabytes(2.5))
  const own = await draftOf('second', megabytes(2.5))
  assert.deepEqual(
    [isThere('second', second.id), isThere('second', own.id), isThere('first', first.id)],
    [false, true, true],
  )
  // Used last, so the other one is removed.
  const third = await draftOf('third', megabytes(2.5))
  assert.deepEqual([isThere('second', own.id), isThere('first', first.id)], [false, true])
  {
    using _first = drafts.open('first', first.id)
    using _third = drafts.open('third', third.id)
    await assert.rejects(draftOf('fourth', megabytes(2.5)), { code: 'uploads.drafts_full' })
  }
  await draftOf('fourth', megabytes(2.5))
  assert.deepEqual([isThere('third', third.id), isThere('first', first.id)], [true, false])
  // A declared size alone removes nothing.
  const body = Readable.from([Buffer.from('a\n1\n')])
  await drafts.add('fifth', { fileName: 'a.csv', hasHeader: true, body, announcedBytes: 7 * 2 ** 20 }, never)
  assert.equal(isThere('third', third.id), true)
})

test('a full disk gives an error while a file arrives, is read or is saved, and leaves no files', async t => {
  using small = smallDisk(2)
  using large = smallDisk(60)
  if (small === undefined || large === undefined) return t.skip('this user may not mount a small file system')
  const onSmall = await createDrafts(
    { folder: small.path, client: () => Promise.reject(new Error('never')), ...NO_END },
    UPLOAD_LIMITS,
  )
  for (const text of [megabytes(3), `a\n${'1\n'.repeat(300_000)}`]) {
    const body = Readable.from([Buffer.from(text)])
    await assert.rejects(onSmall.add('a', { fileName: 'a.csv', hasHeader: true, body }, never), {
      code: 'uploads.disk_full',
    })
    assert.deepEqual(await readdir(join(small.path, 'uploads')), [])
  }

  const schema = { tables: [], baseViews: [], fills: [], views: [] }
  await using full = await openTestWarehouse({ home: large.path, schema })
  const uploads = createUploads({ warehouse: full, store, drafts, log: silentLog })
  const random = createRandom(SEED)
  const digits = () => Array.from({ length: 1000 }, () => Math.floor(random() * 1e15)).join('')
  const draft = await draftOf('disk', `a\n${Array.from({ length: 250 }, () => `${digits()}\n`).join('')}`)
  const free = await statfs(large.path)
  const filler = join(large.path, 'filler')
  await writeFile(filler, Buffer.alloc(free.bavail * free.bsize - 2 ** 20))
  const keeping = { draft: draft.id, name: 'kept', mode: 'create', misfits: 'refuse' } as const
  await assert.rejects(uploads.keep('disk', keeping, never), { code: 'uploads.disk_full' })
  assert.deepEqual(await uploads.list('disk'), [])
  await rm(filler)
  assert.equal((await uploads.keep('disk', keeping, never)).rowCount, 250)
})
