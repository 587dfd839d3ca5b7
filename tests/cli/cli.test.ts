/** Commands would fail without saying what was wrong. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { runAssay, spawnAssay, temporaryHome } from './runAssay.ts'

const COMMANDS = [
  'start',
  'serve',
  'ingest',
  'work',
  'decode',
  'backfill',
  'verify',
  'status',
  'metrics',
  'mcp',
]
const noFullDevice = existsSync('/dev/full') ? false : 'the system has no /dev/full'

test('each command explains itself and ends with 0', async () => {
  for (const command of COMMANDS) {
    const { code, out } = await runAssay([command, '--help'])
    assert.equal(code, 0, command)
    assert.match(out, new RegExp(`^Usage: assay ${command}`))
    assert.match(out, /Exit codes: 0 done, 1 something failed or was refused, 2 wrong call/)
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

test('a stretch that ends before it begins is a wrong call, not a stretch without blocks', async () => {
  for (const command of ['backfill', 'verify']) {
    const { code, err } = await runAssay([command, '--from', '10', '--to', '2'])
    assert.equal(code, 2, command)
    assert.match(err, /--from 10 is above --to 2/)
  }
  const { code } = await runAssay(['verify', '--to', '99999999999'])
  assert.equal(code, 2)
})

test('a wrong variable stops the start with a sentence that names it', async () => {
  const { code, err } = await runAssay(['start'], { PORT: '70000' })
  assert.equal(code, 2)
  assert.match(err, /PORT: "70000" must be a whole number from 1 to 65535/)
  assert.doesNotMatch(err, /\n\s+at /, 'no stack trace')
})

test('commands that need a node say which variables name one', async () => {
  await using home = await temporaryHome()
  for (const call of [['ingest'], ['backfill'], ['verify', '--against-node']]) {
    const { code, err } = await runAssay(call, { ASSAY_HOME: home.path, LOG_LEVEL: 'error' })
    assert.equal(code, 2, call.join(' '))
    assert.match(err, /BITCOIN_RPC_URL or BITCOIN_REST_URL/)
  }
})

test('a ClickHouse server that is away is told by the variable that names it', async () => {
  await using home = await temporaryHome()
  const { code, err } = await runAssay(['status'], {
    ASSAY_HOME: home.path,
    CLICKHOUSE_URL: 'http://127.0.0.1:1',
  })
  assert.equal(code, 1)
  assert.match(err, /ClickHouse server at http:\/\/127\.0\.0\.1:1 cannot be reached.*CLICKHOUSE_URL/)
})

test('a backfill from files that hold no block has failed', async () => {
  await using home = await temporaryHome()
  const env = { ASSAY_HOME: join(home.path, 'data'), LOG_LEVEL: 'error' }
  const empty = await runAssay(['backfill', '--from-files', home.path], env)
  assert.equal(empty.code, 1)
  assert.match(empty.out, /No blocks in these files/)
  const absent = await runAssay(['backfill', '--from-files', join(home.path, 'absent')], env)
  assert.equal(absent.code, 1)
  const unset = await runAssay(['backfill', '--from-files'], { ...env, BITCOIN_BLOCKS_DIR: '/absent' })
  assert.equal(unset.code, 2)
  assert.match(unset.err, /BITCOIN_BLOCKS_DIR: \/absent does not exist/)
  assert.match(absent.err, /absent does not exist/)
})

test('files that are absent or no blocks are told, and what they seem to be', async () => {
  await using home = await temporaryHome()
  const file = async (name: string, bytes: Uint8Array) => {
    await writeFile(join(home.path, name), bytes)
    return join(home.path, name)
  }
  const wanted: [string, RegExp, number | null][] = [
    [join(home.path, 'absent'), /absent: does not exist/, null],
    [home.path, /is a folder/, null],
    [await file('empty', Buffer.alloc(0)), /the bytes end inside the block header/i, 0],
    [await file('hex', Buffer.from('01000000'.repeat(40))), /looks like hex text/, 80],
    [
      await file('gzip', gzipSync(createHash('shake256', { outputLength: 200 }).digest())),
      /looks like gzip/,
      80,
    ],
    [
      await file('blk', Buffer.concat([Buffer.from('f9beb4d91d010000', 'hex'), Buffer.alloc(90, 1)])),
      /looks like a blk\*\.dat file of mainnet: load it with `assay backfill --from-files`/,
      80,
    ],
  ]
  const { code, out } = await runAssay(['decode', 'bitcoin', ...wanted.map(([path]) => path)])
  assert.equal(code, 1)
  const lines = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.equal(lines.length, wanted.length)
  for (const [i, [path, words, offset]] of wanted.entries()) {
    assert.deepEqual(Object.keys(lines[i]), ['error', 'offset'])
    assert.ok(lines[i].error.startsWith(path))
    assert.match(lines[i].error, words)
    if (offset === null || offset === 0) assert.equal(lines[i].offset, offset)
    else assert.ok(lines[i].offset >= offset, `${path}: ${lines[i].offset}`)
  }
})

test('a reader who stops reading ends decode without a word', skipWithoutShared, async () => {
  const block = shared('data/bitcoin/blocks/831124-250792d6.bin')
  const child = spawnAssay(['decode', 'bitcoin', '--tx', ...Array(20).fill(block)])
  let err = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const code = await new Promise(resolve => child.once('close', resolve))
  assert.deepEqual({ code, err }, { code: 0, err: '' })
})

test('an answer that cannot be written is a failure', { skip: noFullDevice }, async () => {
  for (const call of [['--help'], ['decode', 'bitcoin', '/dev/null']]) {
    const full = await open('/dev/full', 'w')
    const child = spawnAssay(call, {}, full.fd)
    const code = await new Promise(resolve => child.once('exit', resolve))
    await full.close()
    assert.equal(code, 1, call.join(' '))
  }
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
  assert.equal(code, 2)
  assert(err.includes(`ASSAY_HOME: ${file} is a file, not a folder`), err)
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
  assert.match(out, /latest block {2}none/)
})
