/** The engine or the store would not start, or would be left running. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { after, before, test } from 'node:test'
import { ended, endProcess, isAlive } from './processes.ts'
import { type Started, startProcess } from './startProcess.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-process-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const MARK = 'a program of startProcess.test.ts'
const start = (program: string, silenceMs = 60_000, more = {}): Promise<Started> =>
  startProcess({
    arguments: ['-e', program, MARK],
    orders: { greeting: 'hello' },
    environment: {},
    log: join(folder, 'log'),
    silenceMs,
    ...more,
  })

// The child pauses within its line, so that it comes in two parts.
test('it gets its orders, its first line is read whole, and it goes on without its parent', async () => {
  const started = await start(`
    let text = ''
    process.stdin.on('data', chunk => { text += chunk }).on('end', () => {
      process.stdout.write(JSON.parse(text).greeting.slice(0, 2), () =>
        setTimeout(() => process.stdout.write('llo\\nmore\\n'), 20))
    })
    setInterval(() => {}, 1000)`)
  assert.ok('pid' in started)
  assert.equal(started.line, 'hello')
  assert.equal(isAlive(started.pid), true)
  await endProcess(started.pid, [MARK])
  await ended(started.pid)
  assert.equal(isAlive(started.pid), false)
})

test('it lowers its priority', async () => {
  const started = await start(`console.log('here'); setInterval(() => {}, 1000)`, 60_000, { nice: 7 })
  assert.ok('pid' in started)
  // A process cannot raise its own priority.
  assert.equal(getPriority(started.pid), Math.max(7, getPriority()))
  await endProcess(started.pid, [MARK])
  await ended(started.pid)
})

test('one that prints a line and ends at once has said it', async () => {
  const started = await start(`require('fs').writeSync(1, 'held\\n'); process.exit(0)`)
  assert.equal('line' in started && started.line, 'held')
})

test('one that ends without a line is a refusal, and its last words are in the log', async () => {
  assert.deepEqual(await start(`console.error('no luck'); process.exit(3)`), { refusal: 'ended with 3' })
  assert.match(await readFile(join(folder, 'log'), 'utf8'), /no luck/)
})

test('one that says nothing is killed', async () => {
  assert.deepEqual(await start('setInterval(() => {}, 1000)', 300), { refusal: 'sent nothing for minutes' })
})

test('one that cannot be started at all is a refusal', async () => {
  const started = await start('', 60_000, { workingFolder: join(folder, 'missing') })
  assert.match('refusal' in started ? started.refusal : '', /^could not be started \(.*ENOENT/)
})

test('a number that belongs to another program ends nothing', async () => {
  for (const pid of [process.pid, process.ppid, 1, 0, -1, Number.NaN])
    await endProcess(pid, ['a program that does not run'])
  assert.equal(isAlive(process.pid), true)
})
