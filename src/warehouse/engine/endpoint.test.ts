/** Another program on the machine could get the engine’s token. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, get, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
import { portOf } from '../door.testing.ts'
import { dataOf, endpointOf, tokenOf } from './folder.ts'
import { takeLease } from './link.ts'
import { proofOf } from './proof.ts'
import { readListening } from './start.ts'
import { type Engine, openEngine } from './supervise.ts'

let folder: string
let bystander: ChildProcess
/** A listener that is no engine of ours, and the paths and credentials that it was sent. */
let stranger: Server
let respond: (path: string, response: ServerResponse) => void
const seen: { path: string; credentials: string | undefined }[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-endpoint-'))
  bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  seen.length = 0
  stranger = createServer((request, response) => {
    seen.push({ path: request.url ?? '', credentials: request.headers.authorization })
    respond(request.url ?? '', response)
  })
  await new Promise<void>(resolve => stranger.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  bystander.kill('SIGKILL')
  stranger.closeAllConnections()
  stranger.close()
  await rm(folder, { recursive: true, force: true })
})

const open = (): Promise<Engine> =>
  openEngine({ folder, memoryBytes: 2 ** 29, readers: 1, graceMs: 0, silenceMs: 500, log: silentLog })
const forge = async (): Promise<void> => {
  await mkdir(dataOf(folder), { recursive: true })
  await writeFile(endpointOf(folder), JSON.stringify({ port: portOf(stranger), pid: bystander.pid }))
  // The engine's own lock file, which names the process that holds the data.
  await writeFile(join(dataOf(folder), 'status'), `PID: ${bystander.pid}\n`)
}
const isSparedAndUntold = (): void => {
  assert.equal(bystander.exitCode, null)
  assert.equal(bystander.signalCode, null)
  assert.ok(seen.length > 0, 'the stranger was asked for its proof')
  assert.deepEqual(
    seen.filter(({ path, credentials }) => credentials !== undefined || !path.startsWith('/proof?')),
    [],
  )
}

describe('a forged endpoint ends no other process and gets no token', () => {
  const answers: Record<string, typeof respond> = {
    'its listener accepts everything': (_, response) => void response.end('Ok.\n'),
    'its listener says nothing': () => {},
    'its listener breaks off': (_, response) => void response.destroy(),
    'its listener never stops talking': (_, response) => {
      const talk = (): void => {
        while (response.write('a'.repeat(1000)));
      }
      response.on('drain', talk)
      talk()
    },
  }
  for (const [name, answer] of Object.entries(answers))
    test(name, async () => {
      respond = answer
      await forge()
      await using engine = await open()
      const { pid, port } = await engine.endpoint()
      assert.notEqual(pid, bystander.pid)
      assert.notEqual(port, portOf(stranger))
      isSparedAndUntold()
    })

  test('its listener passes challenges on to the engine', async () => {
    await using engine = await open()
    const { port, pid } = await engine.endpoint()
    respond = (path, response) => {
      get({ host: '127.0.0.1', port, path }, answer => void answer.pipe(response))
    }
    const forged = { port: portOf(stranger), pid }
    assert.equal(await takeLease(forged, engine.token, 5_000), 'refused')
    assert.equal(typeof (await takeLease({ port, pid }, engine.token, 5_000)), 'object')
    isSparedAndUntold()
  })
})

test('who starts the engine writes its endpoint, with the number that the system gave', async () => {
  await using engine = await open()
  const endpoint = await engine.endpoint()
  assert.deepEqual(JSON.parse(await readFile(endpointOf(folder), 'utf8')), endpoint)
  assert.match(
    (await readFile(`/proc/${endpoint.pid}/cmdline`, 'utf8').catch(() => `engine/main.ts\0${folder}\0`)) ??
      '',
    new RegExp(`engine/main\\.ts\0${folder}\0$`),
  )
  for (const path of [endpointOf(folder), tokenOf(folder)]) {
    const { mode, uid } = await stat(path)
    assert.deepEqual([mode & 0o777, uid], [0o600, process.getuid?.()])
  }
})

test('a first line that is no address is refused', () => {
  const port = 4000
  assert.deepEqual(readListening(JSON.stringify({ port, pid: 1 })), { port, confinement: undefined })
  for (const line of [
    '',
    'null',
    '4000',
    '{}',
    '{"port":"4000"}',
    '{"port":0}',
    '{"port":65536}',
    '{"port":1.5',
  ])
    assert.equal(readListening(line), undefined, line)
})

test('a proof holds for one token, one port and one challenge', () => {
  const proof = proofOf('token', 1, 'challenge')
  assert.match(proof, /^[0-9a-f]{64}$/)
  for (const other of [
    proofOf('other', 1, 'challenge'),
    proofOf('token', 2, 'challenge'),
    proofOf('token', 1, 'c'),
  ])
    assert.notEqual(other, proof)
})
