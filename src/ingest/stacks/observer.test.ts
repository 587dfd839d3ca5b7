/** Events that a Stacks node posts would be lost when the server stops. */
import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openStacksCodec, parsePrintCatalogue, readArchive } from '#chains/stacks/index.ts'
import { silentLog } from '#kernel/log.ts'
import { until } from '#kernel/until.testing.ts'
import { recordedMessages } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import catalogue from '../../../catalog/stacks/prints.json' with { type: 'json' }
import { openInbox } from './inbox.ts'
import { openObserver } from './observer.ts'
import { openStacksIngest } from './openStacksIngest.ts'

const NOW = () => Date.UTC(2026, 0, 2, 3, 4, 5, 6)

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-inbox-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Sent = { readonly status: number; readonly text: string }

/** Posts as a node does. */
function post(
  port: number,
  path: string,
  body: string,
  headers: Record<string, string> = {},
  method = 'POST',
) {
  return new Promise<Sent>((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', path, method, headers: { 'content-type': 'application/json', ...headers } },
      response => {
        let text = ''
        response.setEncoding('utf8').on('data', part => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    sent.on('error', reject).end(body)
  })
}

test('a message is on disk before it is answered, and waits in the next process in the order of arrival', () =>
  withFolder(async folder => {
    const never = new AbortController().signal
    {
      await using inbox = await openInbox(folder, NOW)
      await using observer = await openObserver({ inbox, port: 0, log: silentLog })
      for (let i = 0; i < 5; i++) {
        const { status } = await post(observer.port, '/new_mempool_tx', `["0x0${i}"]`)
        assert.equal(status, 200)
        const files = await readdir(folder)
        assert.match(await readFile(join(folder, files.at(-1)!), 'utf8'), new RegExp(`\\["0x0${i}"\\]\n$`))
      }
      await Promise.all([1, 2, 3].map(i => post(observer.port, '/new_block', `{\n\t"a": ${i}\r\n}`)))
      assert.equal((await post(observer.port, '/new_block', 'no json\n at all')).status, 200)
    }
    // A process that stops in the middle of a line has acknowledged nothing of it.
    const [file] = await readdir(folder)
    await appendFile(join(folder, file!), '10\t2026-01-02 03:04:05.006+00\t/new_block\t{"half":')
    await using inbox = await openInbox(folder, NOW)
    const messages = await inbox.next(1_000_000, never)
    assert.deepEqual(
      messages.slice(0, 5).map(({ path, json, receivedAtMs }) => [path, json, receivedAtMs]),
      [0, 1, 2, 3, 4].map(i => ['/new_mempool_tx', `["0x0${i}"]`, NOW()]),
    )
    assert.deepEqual(
      messages
        .slice(5, 8)
        .map(({ json }) => json)
        .sort(),
      ['{"a":1}', '{"a":2}', '{"a":3}'],
    )
    assert.equal(messages[8]!.json, '"no json\\n at all"')
    assert.equal(messages.length, 9)
    await inbox.done()
    assert.deepEqual(await readdir(folder), [])
    assert.equal(inbox.waitingBytes, 0)
  }))

test('only what is done goes; the rest is asked for again', () =>
  withFolder(async folder => {
    const never = new AbortController().signal
    await using inbox = await openInbox(folder, NOW)
    for (const n of [1, 2, 3]) await inbox.put('/new_block', `{"n":${n}}`)
    assert.equal((await inbox.next(1, never)).length, 1)
    assert.equal((await inbox.next(1, never)).length, 1)
    await inbox.done()
    assert.deepEqual(
      (await inbox.next(1_000, never)).map(({ json }) => json),
      ['{"n":2}', '{"n":3}'],
    )
    assert.equal((await readdir(folder)).length, 1)
    const stop = AbortSignal.abort()
    await inbox.done()
    assert.deepEqual(await inbox.next(1_000, stop), [])
  }))

test('what a node does not send is refused', () =>
  withFolder(async folder => {
    await using inbox = await openInbox(folder, NOW)
    await using observer = await openObserver({ inbox, port: 0, log: silentLog })
    const status = async (...sent: Parameters<typeof post> extends [number, ...infer Rest] ? Rest : never) =>
      (await post(observer.port, ...sent)).status
    assert.equal(await status('/new_block', '', {}, 'GET'), 405)
    assert.equal(await status('/new_block?x=1', '{}'), 404)
    assert.equal(await status('/../etc', '{}'), 404)
    assert.equal(await status('/new_block', '{}', { origin: 'https://example.org' }), 415)
    assert.equal(await status('/new_block', '{}', { 'content-type': 'text/plain' }), 415)
    assert.deepEqual(await readdir(folder), [])
    await assert.rejects(openObserver({ inbox, port: observer.port, log: silentLog }), {
      code: 'ingest.port_taken',
    })
  }))

test('a message that cannot be kept is not acknowledged', () =>
  withFolder(async folder => {
    await using inbox = await openInbox(join(folder, 'inbox'), NOW)
    await using observer = await openObserver({ inbox, port: 0, log: silentLog })
    await rm(join(folder, 'inbox'), { recursive: true })
    await writeFile(join(folder, 'inbox'), '')
    assert.equal((await post(observer.port, '/new_block', '{}')).status, 503)
    await rm(join(folder, 'inbox'))
  }))

describe('a node that posts its messages', skipWithoutShared, () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  before(async () => {
    warehouse = await openTestWarehouse()
  })
  after(() => warehouse[Symbol.asyncDispose]())

  test('each message once or twice, and the tables hold what the recording holds', async () => {
    const open = () =>
      openStacksIngest({
        warehouse,
        codec: openStacksCodec(),
        prints: parsePrintCatalogue(catalogue),
        home: warehouse.home,
        log: silentLog,
      })
    const rows = async <T>(query: string): Promise<T[]> =>
      (await warehouse.guest.query({ query, format: 'JSONCompactEachRow' })).json<T>()
    const messages = [...recordedMessages('regtest-pox-4-order-independent-multisig.tsv.gz')]
    {
      await using ingest = await open()
      await assert.rejects(open(), { code: 'ingest.locked' })
      const stop = new AbortController()
      let port = 0
      const opened = Promise.withResolvers<void>()
      const running = ingest.observe(0, stop.signal, at => {
        port = at
        opened.resolve()
      })
      await opened.promise
      for (const [path, message] of messages) {
        const body = JSON.stringify(message)
        assert.equal((await post(port, path, body)).status, 200)
        if (path === '/new_block') assert.equal((await post(port, path, body)).status, 200)
      }
      assert.equal((await post(port, '/new_thing', '{"to": "come"}')).status, 200)
      await until(
        'the inbox is empty',
        async () => (await readdir(join(warehouse.home, 'stacks-inbox'))).length === 0,
      )
      stop.abort()
      await running
      const { ranges, state } = await ingest.status()
      assert.deepEqual(
        ranges.map(({ fromHeight, toHeight }) => [fromHeight, toHeight]),
        [[0, 30]],
      )
      assert.equal(state?.state, 'stopped')
      assert.deepEqual(await ingest.verify(), { blockCount: 31, differences: [], sampled: [] })
    }
    assert.deepEqual(await rows('SELECT sum(tx_count) FROM stx_blocks'), [[81]])
    assert.deepEqual(await rows('SELECT toUInt32(count()) FROM stx_burn_blocks'), [[133]])
    assert.deepEqual(await rows('SELECT path, reason FROM stx_kept_messages'), [
      ['/new_thing', 'unknown path'],
    ])
  })

  test('an archive of it reads as the node told it', async () => {
    await withFolder(async folder => {
      await using inbox = await openInbox(folder, NOW)
      await inbox.put('/new_block', '{"a":1}')
      const [file] = await readdir(folder)
      for await (const message of readArchive(join(folder, file!)))
        assert.deepEqual([message.path, message.json, message.receivedAtMs], ['/new_block', '{"a":1}', NOW()])
    })
  })
})
