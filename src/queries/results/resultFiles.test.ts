/** A stored result would be half there after a crash, or the disk would fill up. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
import { until } from '#kernel/until.testing.ts'
import type { FileReader } from '#warehouse/index.ts'
import { createResults, type ResultReader } from './createResults.ts'
import { watchFirstRows } from './firstRows.ts'
import { openResultFiles, type StoredResult } from './resultFiles.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-result-files-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const never = new AbortController().signal
const LIMITS = { maxBytes: 10_000_000 }
const hashOf = (digit: string): string => digit.repeat(64)
const resultOf = (digit: string, bytes: number, rowLimit = 1_000_000): StoredResult => ({
  hash: hashOf(digit),
  sql: 'SELECT 1',
  parameters: {},
  columns: [{ name: '1', type: 'UInt8', shownAs: 'value' }],
  rowCount: 1,
  isTruncated: false,
  rowLimit,
  bytes,
  elapsedMs: 1,
  readRows: null,
  readBytes: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  dataVersion: 'v',
  asOf: [{ chain: 'bitcoin', time: '2026-01-01T00:00:00.000Z', height: 1, state: 'recorded' }],
})
const open = (budget = 1_000_000) => openResultFiles(folder, budget, silentLog)
async function keep(
  files: Awaited<ReturnType<typeof open>>,
  digit: string,
  size = 10,
  rowLimit?: number,
): Promise<void> {
  const { path, bytes } = await files.draft(Readable.from([Buffer.alloc(size)]), never, LIMITS)
  await files.keep(path, resultOf(digit, bytes, rowLimit))
}

test('what was kept is there after a restart, byte for byte', async () => {
  {
    await using files = await open()
    await keep(files, 'a', 1000)
    assert.deepEqual(await files.find(hashOf('a')), resultOf('a', 1000))
  }
  const again = await open()
  assert.deepEqual(await again.find(hashOf('a')), resultOf('a', 1000))
  assert.equal((await readFile(again.rowsOf(hashOf('a')))).length, 1000)
})

test('whatever a process left that ended while it wrote is no result', async () => {
  const files = await open()
  await keep(files, 'a')
  await files[Symbol.asyncDispose]()
  await files.draft(Readable.from([Buffer.alloc(10)]), never, LIMITS)
  // Killed between the two renames, and with facts whose rows are gone.
  await writeFile(join(folder, `${hashOf('b')}.native`), 'rows')
  await utimes(join(folder, `${hashOf('b')}.native`), 1, 1)
  await writeFile(join(folder, `${hashOf('c')}.json`), JSON.stringify(resultOf('c', 4)))
  const again = await open()
  assert.deepEqual((await readdir(folder)).sort(), [`${hashOf('a')}.json`, `${hashOf('a')}.native`])
  for (const digit of ['b', 'c']) assert.equal(await again.find(hashOf(digit)), undefined)
})

test('what another running process writes stays, and its results are found once they are whole', async () => {
  // The parent of this process runs for as long as the test.
  const draft = `${process.ppid}-1-1.draft`
  await writeFile(join(folder, draft), 'rows')
  await writeFile(join(folder, `${hashOf('b')}.native`), 'rows')
  const files = await open()
  assert.deepEqual((await readdir(folder)).sort(), [draft, `${hashOf('b')}.native`].sort())
  assert.equal(await files.find(hashOf('b')), undefined)
  await writeFile(join(folder, `${hashOf('b')}.json`), JSON.stringify(resultOf('b', 4)))
  assert.deepEqual(await files.find(hashOf('b')), resultOf('b', 4))
})

test('rows that break off leave nothing', async () => {
  const files = await open()
  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(10)
      throw new Error('lost')
    })(),
  )
  await assert.rejects(files.draft(broken, never, LIMITS), /lost/)
  const stop = new AbortController()
  const endless = Readable.from(
    (async function* () {
      for (;;) {
        yield Buffer.alloc(1000)
        stop.abort()
      }
    })(),
  )
  await assert.rejects(files.draft(endless, stop.signal, LIMITS), { name: 'AbortError' })
  assert.deepEqual(await readdir(folder), [])
})

test('facts that cannot be read are no result', async () => {
  const files = await open()
  await keep(files, 'a')
  await files[Symbol.asyncDispose]()
  await writeFile(join(folder, `${hashOf('a')}.json`), '{"hash":')
  assert.equal(await files.find(hashOf('a')), undefined)
  assert.deepEqual(await readdir(folder), [])
})

test('over the budget, what was not opened for longest goes first, and never the newest', async () => {
  const files = await open(2_500)
  await keep(files, 'a', 1000)
  await keep(files, 'b', 1000)
  await files[Symbol.asyncDispose]()
  // As if nobody had opened them since yesterday, `a` longest.
  for (const [digit, hours] of [
    ['a', 30],
    ['b', 20],
  ] as const) {
    const at = Date.now() / 1000 - hours * 3600
    await utimes(join(folder, `${hashOf(digit)}.json`), at, at)
  }
  const again = await open(3_500)
  await again.find(hashOf('a'))
  await keep(again, 'c', 1000)
  await keep(again, 'd', 1000)
  const left = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async digit => [digit, await again.find(hashOf(digit))]),
  )
  const stored = left.filter(([, result]) => result !== undefined).map(([digit]) => digit)
  assert.ok(!stored.includes('b'), `${stored}`)
  assert.ok(stored.includes('d'), `${stored}`)
  await keep(again, 'e', 100_000)
  assert.ok(await again.find(hashOf('e')))
  assert.equal(await again.find(hashOf('d')), undefined)
})

test('pinned results stay over the budget as long as they take half of it, also after a restart', async () => {
  const files = await open(4_000)
  for (const digit of ['a', 'b']) {
    await keep(files, digit, 900)
    assert.equal(await files.pin(hashOf(digit), digit), true)
  }
  await files[Symbol.asyncDispose]()
  for (const [digit, hours] of [
    ['a', 30],
    ['b', 20],
  ] as const) {
    const at = Date.now() / 1000 - hours * 3600
    await utimes(join(folder, `${hashOf(digit)}.json`), at, at)
  }
  await using again = await open(6_000)
  for (const digit of ['c', 'd', 'e', 'f']) await keep(again, digit, 1_500)
  const stored = async () => {
    const names = await readdir(folder)
    return ['a', 'b', 'c', 'd', 'e', 'f'].filter(digit => names.includes(`${hashOf(digit)}.native`))
  }
  assert.deepEqual(await stored(), ['a', 'b', 'e', 'f'])
  // Beyond half of the budget, what was not opened for longest is pinned no more.
  await again.pin(hashOf('f'), 'f')
  await keep(again, 'c', 1_500)
  assert.deepEqual(await stored(), ['b', 'c', 'e', 'f'])
  // Guests pin nothing.
  await keep(again, 'd', 500, 10_000)
  await again.pin(hashOf('d'), 'd')
  assert.ok(!(await readdir(folder)).includes(`${hashOf('d')}.pin`))
})

test('one user has results stored for longer in a quarter of the budget, and gets false for what does not fit', async () => {
  const files = await open(4_000)
  await keep(files, 'a', 600)
  await keep(files, 'b', 600)
  await keep(files, 'c', 1_100)
  assert.equal(await files.pin(hashOf('a'), 'one'), true)
  assert.equal(await files.pin(hashOf('c'), 'one'), false)
  assert.equal(await files.pin(hashOf('b'), 'two'), true)
})

test('of a result that was removed for others its query is known', async () => {
  const files = await open(2_000)
  await keep(files, 'a', 1_500)
  await files[Symbol.asyncDispose]()
  await keep(files, 'b', 1_500)
  assert.equal(await files.find(hashOf('a')), undefined)
  assert.equal((await files.expired(hashOf('a')))?.sql, 'SELECT 1')
  assert.equal(await files.expired(hashOf('9')), undefined)
  await keep(files, 'a', 10)
  assert.ok(await files.find(hashOf('a')))
  assert.equal(await files.expired(hashOf('a')), undefined)
})

test('a disk that is full while rows are written leaves nothing and says so', async () => {
  const files = await open()
  const full = Readable.from(
    (async function* () {
      yield Buffer.alloc(10)
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    })(),
  )
  await assert.rejects(files.draft(full, never, LIMITS), { code: 'sql.disk_full' })
  assert.deepEqual(await readdir(folder), [])
})

test('results of guests leave those of users alone', async () => {
  const files = await open(4_000)
  await keep(files, 'a', 1000)
  for (const digit of ['b', 'c', 'd', 'e']) await keep(files, digit, 1000, 10_000)
  assert.ok(await files.find(hashOf('a')))
  const left = await Promise.all(['b', 'c', 'd', 'e'].map(digit => files.find(hashOf(digit))))
  assert.equal(left.filter(result => result !== undefined).length, 2)
  await files[Symbol.asyncDispose]()
  // Whose they are is known after a restart too.
  const again = await open(4_000)
  await keep(again, 'f', 1500, 10_000)
  assert.ok(await again.find(hashOf('a')))
})

test('a result beyond its limit, or one that the engine broke off, leaves nothing', async () => {
  const files = await open()
  const rows = () => Readable.from([Buffer.alloc(2000)])
  await assert.rejects(files.draft(rows(), never, { maxBytes: 1000 }), { code: 'sql.too_large' })
  const broken = Readable.from([Buffer.from('rows\r\n__exception__\r\ntag1\r\nlost\n')])
  await assert.rejects(files.draft(broken, never, { ...LIMITS, exceptionTag: 'tag1' }), {
    code: 'sql.failed',
  })
  assert.deepEqual(await readdir(folder), [])
})

test('the first rows of a draft are not read if its query ends before the first check', async () => {
  const query = new AbortController()
  let looks = 0
  const read = async () => {
    looks++
    return undefined
  }
  await watchFirstRows(
    { path: '', written: () => 1 },
    read,
    () => {},
    query.signal,
    async () => query.abort(),
  )
  assert.equal(looks, 0)
  const slow = new AbortController()
  let written = 0
  const grow = async () => {
    written = written * 10 + 1
  }
  await watchFirstRows({ path: '', written: () => written }, read, () => {}, slow.signal, grow)
  assert.ok(looks > 1)
})

describe('files of a result', () => {
  /** An engine that writes the same bytes for every file. */
  const readerOf = (bytes: Buffer, response_headers = {}) =>
    ({
      client: async () => ({ exec: async () => ({ stream: Readable.from([bytes]), response_headers }) }),
    }) as unknown as FileReader
  // Too large to be sent from memory.
  const rows = Buffer.alloc(2 ** 19, 'rows')
  const reader = readerOf(rows)
  const stop = new AbortController()
  after(() => stop.abort())
  const guest = (caller: string): ResultReader => ({ caller, signal: stop.signal })

  test('that are never read do not block other readers, and are limited per caller and for guests', async () => {
    const files = await open()
    await keep(files, 'a')
    const sizes: number[] = []
    const results = createResults(reader, {
      ...files,
      draft(rows, ended, limits) {
        sizes.push(limits.maxBytes)
        return files.draft(rows, ended, limits)
      },
    })
    const ask = (who: ResultReader) => results.file(hashOf('a'), {}, 'csv', who)
    const slow = []
    for (let at = 0; at < 12; at++) slow.push(await ask(guest(`guest ${at % 6}`)))
    await assert.rejects(ask(guest('guest 0')), { code: 'sql.too_many_at_once' })
    const { stream } = await ask({ ...guest('member'), isMember: true })
    assert.deepEqual(Buffer.concat(await stream.toArray()), rows)
    assert.deepEqual(new Set(sizes), new Set([2 ** 28, 2 ** 32]))
    // Reading a file frees its slot.
    await slow[0]?.stream.toArray()
    await until('there is room', async () =>
      ask(guest('guest 0')).then(
        () => true,
        () => false,
      ),
    )
  })

  test('that the engine broke off are refused, large or small', async () => {
    const files = await open()
    await keep(files, 'a')
    for (const size of [4, 2 ** 19]) {
      const broken = Buffer.concat([Buffer.alloc(size), Buffer.from('\r\n__exception__\r\ntag1\r\nlost\n')])
      const results = createResults(readerOf(broken, { 'x-clickhouse-exception-tag': 'tag1' }), files)
      await assert.rejects(results.file(hashOf('a'), {}, 'csv', guest('a')), { code: 'sql.failed' })
    }
  })

  test('say that the result is no longer stored once its rows are gone', async () => {
    const files = await open()
    await keep(files, 'a')
    await files.settled(hashOf('a'))
    await rm(files.rowsOf(hashOf('a')))
    const results = createResults(reader, files)
    await assert.rejects(results.storedFile(hashOf('a'), guest('a')), { code: 'sql.result_expired' })
  })
})
