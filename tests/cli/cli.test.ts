import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { runAssay, temporaryHome } from './runAssay.ts'

const COMMANDS = ['start', 'serve', 'ingest', 'work', 'decode', 'backfill', 'verify', 'status']

test('each command explains itself and ends with 0', async () => {
  for (const command of COMMANDS) {
    const { code, out } = await runAssay([command, '--help'])
    assert.equal(code, 0, command)
    assert.match(out, new RegExp(`^Usage: assay ${command}`))
  }
})

test('a wrong call ends with 2 and says what was wrong', async () => {
  const unknown = await runAssay(['dance'])
  assert.equal(unknown.code, 2)
  assert.match(unknown.err, /unknown command 'dance'/)
  const height = await runAssay(['backfill', '--from', 'minus one'])
  assert.equal(height.code, 2)
  assert.match(height.err, /a height is a whole number from 0/)
})

test('a wrong variable stops the start with a sentence that names it', async () => {
  const { code, err } = await runAssay(['start'], { PORT: '70000' })
  assert.equal(code, 2)
  assert.match(err, /PORT: "70000"/)
  assert.doesNotMatch(err, /\n\s+at /, 'no stack trace')
})

test('ingest without a node says which variables name one', async () => {
  await using home = await temporaryHome()
  const { code, err } = await runAssay(['ingest'], { ASSAY_HOME: home.path, LOG_LEVEL: 'error' })
  assert.equal(code, 2)
  assert.match(err, /BITCOIN_RPC_URL or BITCOIN_REST_URL/)
})

test('a port that is taken is told, and nothing is left running', async () => {
  await using home = await temporaryHome()
  const blocker = createServer().listen(0, 'localhost')
  await new Promise(resolve => blocker.once('listening', resolve))
  const address = blocker.address()
  assert(typeof address === 'object' && address !== null)
  const { code, err } = await runAssay(['serve'], {
    ASSAY_HOME: home.path,
    PORT: String(address.port),
    LOG_LEVEL: 'error',
  })
  blocker.close()
  assert.equal(code, 1)
  assert.match(err, new RegExp(`Port ${address.port} is taken.*Set PORT`))
})

test('an unusable data folder is told with its path', async () => {
  await using home = await temporaryHome()
  const file = join(home.path, 'file')
  await writeFile(file, 'not a folder')
  const { code, err } = await runAssay(['status'], { ASSAY_HOME: file, LOG_LEVEL: 'error' })
  assert.equal(code, 1)
  assert(err.includes(file), err)
  assert.doesNotMatch(err, /\n\s+at /, 'no stack trace')
})

test(
  'decode goes on behind a bad file, tells where it is bad, and ends with 1',
  skipWithoutShared,
  async () => {
    await using home = await temporaryHome()
    const bad = join(home.path, 'bad.bin')
    await writeFile(bad, Buffer.alloc(90, 1))
    const good = shared('data/bitcoin/blocks/170-8dd4a2ee.bin')
    const { code, out } = await runAssay(['decode', 'bitcoin', bad, good])
    assert.equal(code, 1)
    const [first, second] = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    assert.equal(typeof first.error, 'string')
    assert.equal(typeof first.offset, 'number')
    assert.equal(second.hash, '00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee')
    assert.equal(second.txCount, 2)
  },
)

test('decode --tx prints the first payment between two people', skipWithoutShared, async () => {
  const { code, out } = await runAssay([
    'decode',
    'bitcoin',
    '--tx',
    shared('data/bitcoin/blocks/170-8dd4a2ee.bin'),
  ])
  assert.equal(code, 0)
  const [block] = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.equal(block.tx[1].txid, 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16')
})

test('an amount sum beyond 2^53 is printed as decimal text', skipWithoutShared, async () => {
  const path = shared('data/bitcoin/reorg/stale-blocks/74638-70a7ec1c.bin')
  const { out } = await runAssay(['decode', 'bitcoin', path])
  assert.equal(JSON.parse(out).outputSumSat, '18446744078759551616')
})

test('status of an empty installation says that nothing is held', async () => {
  await using home = await temporaryHome()
  const { code, out } = await runAssay(['status'], { ASSAY_HOME: home.path, LOG_LEVEL: 'error' })
  assert.equal(code, 0)
  assert.match(out, /newest block {2}none/)
})
