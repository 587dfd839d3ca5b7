/** Programs that use our clients would not compile, run or understand an error. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ask, save, signedIn, site, testSite } from '#http/queries/sharedSaved.testing.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TYPESCRIPT = join(ROOT, 'clients/typescript')
const PYTHON = join(ROOT, 'clients/python')
const ENTRY = join(TYPESCRIPT, 'src/index.ts')
const chapter = readFileSync(join(ROOT, 'content/documentation/clients.md'), 'utf8')
const exampleIn = (language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(chapter)?.[1] ?? ''

/** Spread into a test's options: skips with the reason. */
const withPackage = {
  skip: existsSync(join(TYPESCRIPT, 'node_modules/openapi-fetch'))
    ? false
    : 'openapi-fetch is missing: run `npm ci` in clients/typescript',
}
const version = /Python 3\.(\d+)/.exec(spawnSync('python3', ['--version'], { encoding: 'utf8' }).stdout ?? '')
const withPython = {
  skip: Number(version?.[1]) >= 10 ? false : 'no Python 3.10 or newer: install python3',
}

let env: Record<string, string>
before(async () => {
  const url = await testSite.app.listen({ port: 0, host: '127.0.0.1' })
  const headers = await signedIn('clients@example.org')
  const { id } = await save(headers, { sql: 'SELECT 7 AS saved' })
  const { body } = await ask<{ key: string }>(
    'POST',
    '/api/v1/account/keys',
    { ...headers, origin: 'http://localhost:4400' },
    { name: 'k', scopes: ['read:query', 'read:own', 'write:own'] },
  )
  env = { PATH: process.env.PATH ?? '', ASSAY_URL: url, ASSAY_KEY: body.key, ASSAY_QUERY: id }
})

async function run(command: string, args: readonly string[], more: Record<string, string> = {}) {
  const child = spawn(command, args, { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      said += text
    })
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  assert.equal(code, 0, said)
  return said
}

test('the types of the TypeScript client are those of the API document', async () => {
  const document = (await site.ask('/api/openapi.json')).json<{
    servers?: unknown
    info: { version?: string }
  }>()
  delete document.servers
  delete document.info.version
  const hash = createHash('sha256').update(JSON.stringify(document)).digest('hex')
  const [, generated] =
    /SHA-256 ([0-9a-f]{64})/.exec(readFileSync(join(TYPESCRIPT, 'src/schema.ts'), 'utf8')) ?? []
  assert.equal(generated, hash, 'Run `npm run generate` in clients/typescript.')
})

describe('the TypeScript client', withPackage, () => {
  // Its package is installed apart, so the compiler of the tests must not follow this import.
  // biome-ignore lint/suspicious/noExplicitAny: the types of the package are not known here
  const load = async (): Promise<any> => import(ENTRY)

  test('runs a query, pages its result, and reads files, metrics and uploads', async () => {
    const { createAssay } = await load()
    const assay = createAssay({ url: env.ASSAY_URL, key: env.ASSAY_KEY })
    const done = await assay.run('SELECT number AS n FROM numbers({rows:UInt16})', {
      parameters: { rows: '2500' },
    })
    const rows: unknown[][] = []
    for await (const page of assay.pages(done.result.hash)) rows.push(...page.rows)
    assert.deepEqual([rows.length, rows[0], rows.at(-1)], [2500, [0], [2499]])
    const file = await assay.file(done.result.hash, 'csv')
    assert.equal((await file.text()).split('\r\n').length, 2502)
    const { result: cut } = await assay.run('SELECT number AS n FROM numbers(1000001)')
    for (const read of [() => assay.pages(cut.hash).next(), () => assay.file(cut.hash, 'csv')])
      await assert.rejects(read, { code: 'client.truncated', rowCount: 1_000_000 })
    const first = await assay.file(cut.hash, 'csv', { allowTruncated: true, offset: 5, limit: 2 })
    assert.equal(await first.text(), '"n"\r\n5\r\n6\r\n')
    assert.ok((await assay.metric('fees.total', { entity: 'bitcoin' })).points.length > 0)
    const { data } = await assay.api.GET('/api/v1/layers')
    assert.ok(data)
    const saved = await assay.runSaved(env.ASSAY_QUERY)
    for await (const page of assay.pages(saved.result.hash)) assert.deepEqual(page.rows, [[7]])
    const kept = await assay.upload('from_typescript', new Blob(['a,b\n1,2\n']), { fileName: 'file.csv' })
    assert.equal(kept.rowCount, 1)
    await assert.rejects(assay.run('SELECT heigth FROM btc_blocks'), {
      code: 'sql.unknown_column',
      status: 400,
    })
    await assert.rejects(assay.file('f'.repeat(64), 'csv'), { code: 'sql.result_expired' })
    const stop = new AbortController()
    const endless = assay.run('SELECT sum(sipHash64(number)) FROM numbers(1000000000000)', {
      signal: stop.signal,
    })
    stop.abort(new Error('enough'))
    await assert.rejects(endless)
  })

  test('sends again when a busy server asks for it', async () => {
    const statuses = [429, 503, 200]
    await using stack = new AsyncDisposableStack()
    const server = createServer((_, response) => {
      response.writeHead(statuses.shift() ?? 500, { 'retry-after': '0', 'content-type': 'application/json' })
      response.end('{"metrics":[]}')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    stack.defer(() => new Promise<void>(resolve => server.close(() => resolve())))
    const { createAssay } = await load()
    const { port } = server.address() as AddressInfo
    const { data } = await createAssay({ url: `http://127.0.0.1:${port}` }).api.GET('/api/v1/metrics')
    assert.deepEqual([data, statuses], [{ metrics: [] }, []])
  })

  test('does what its example says', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-client-'))
    after(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'example.ts')
    await writeFile(file, exampleIn('ts').replace("'@assay/client'", JSON.stringify(ENTRY)))
    const said = await run(process.execPath, [file])
    assert.match(said, /\[ 0, 1 \][\s\S]*true/)
  })
})

describe('the Python client', withPython, () => {
  test('runs queries, pages and streams results, and raises errors', async () => {
    await run('python3', ['-m', 'unittest', '-q', join(PYTHON, 'test_assay.py')], {
      PYTHONPATH: PYTHON,
      PYTHONDONTWRITEBYTECODE: '1',
    })
  })

  test('does what its example says', async () => {
    const said = await run('python3', ['-c', exampleIn('python')], {
      PYTHONPATH: PYTHON,
      PYTHONDONTWRITEBYTECODE: '1',
    })
    assert.match(said, /^0 1\n[\s\S]*\['height', 'tx_count'\]\n[\s\S]*True\n$/)
  })
})
