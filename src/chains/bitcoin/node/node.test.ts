/** A user’s own Bitcoin node could not be indexed, or its faults would go unexplained. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { NodeError } from '../../node/errors.ts'
import { readHeader } from './header.ts'
import { createRestSource } from './restSource.ts'
import { createRpcSource } from './rpcSource.ts'
import type { BlockSource } from './source.ts'
import { openChainServer } from './testing.ts'

const refusal = (code: string, words: RegExp) => (thrown: unknown) => {
  assert.ok(thrown instanceof NodeError, String(thrown))
  assert.equal(thrown.code, code)
  assert.match(thrown.message, words)
  return true
}

/** Real blocks 0 to 4312. */
function firstBlocks(count: number): Buffer[] {
  const file = readFileSync(shared('data/bitcoin/runs/blk-0-4312.dat'))
  const blocks: Buffer[] = []
  for (let at = 0; blocks.length < count; ) {
    const size = file.readUInt32LE(at + 4)
    blocks.push(file.subarray(at + 8, at + 8 + size))
    at += 8 + size
  }
  return blocks
}

async function collect(source: BlockSource, from: number, to: number) {
  const blocks = []
  for await (const block of source.blocks(from, to)) blocks.push(block)
  return blocks
}

for (const kind of ['rpc', 'rest'] as const)
  test(`a node's blocks arrive by ${kind} as they are, in order of height`, skipWithoutShared, async () => {
    const chain = firstBlocks(1200)
    await using server = await openChainServer({ network: 'mainnet', chain })
    const create = kind === 'rpc' ? createRpcSource : createRestSource
    using source = create({ url: server.url, network: 'mainnet' })
    const tip = await source.tip()
    assert.deepEqual(tip, { height: 1199, hash: readHeader(chain[1199]!).hash })
    assert.equal(await source.hashAt(0), readHeader(chain[0]!).hash)
    assert.equal(await source.hashAt(1200), null)
    assert.equal(await source.workAbove(1189), 10n * 0x100010001n)
    assert.deepEqual(
      await source.headerTimes(3, 5),
      chain.slice(3, 6).map(block => readHeader(block).timeS),
    )
    const blocks = await collect(source, 7, 1199)
    assert.equal(blocks.length, 1193)
    blocks.forEach(({ height, hash, bytes }, i) => {
      assert.equal(height, 7 + i)
      assert.equal(hash, readHeader(chain[7 + i]!).hash)
      assert.deepEqual(Buffer.from(bytes), chain[7 + i])
    })
  })

test('recorded answers of Bitcoin Core about block 951658 are understood', skipWithoutShared, async () => {
  const recorded = JSON.parse(readFileSync(shared('data/bitcoin/vectors/rpc-block-951658.json'), 'utf8'))
  const block = readFileSync(shared('data/bitcoin/blocks/951658-db9ca628.bin'))
  await using server = await openChainServer({
    network: 'mainnet',
    chain: [block],
    fromHeight: 951_658,
    recordedHeaders: new Map([[recorded.hash, recorded]]),
  })
  using source = createRpcSource({ url: server.url, network: 'mainnet' })
  assert.deepEqual(await source.headerTimes(951_658, 951_658), [recorded.time])
  assert.equal(await source.hashAt(951_658), recorded.hash)
  assert.equal(await source.workAbove(-1), BigInt(`0x${recorded.chainwork}`))
  const [got] = await collect(source, 951_658, 951_658)
  assert.equal(got?.bytes.length, recorded.size)
})

test('a wrong password is told as such, the right one lets in', async () => {
  await using server = await openChainServer({
    network: 'regtest',
    chain: [genesis()],
    user: 'u',
    password: 'p',
  })
  using wrong = createRpcSource({ url: server.url, user: 'u', password: 'x', network: 'regtest' })
  await assert.rejects(wrong.tip(), refusal('node.unauthorized', /refused user and password \(401\)/))
  using right = createRpcSource({ url: server.url.replace('//', '//u:p@'), network: 'regtest' })
  assert.equal((await right.tip()).height, 0)
  await assert.rejects(wrong.tip(), thrown => !String(thrown).includes('x@'))
})

test('the cookie file is read again after a restart of the node', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-cookie-'))
  const cookieFile = join(folder, '.cookie')
  await using server = await openChainServer({
    network: 'regtest',
    chain: [genesis()],
    user: '__cookie__',
    password: 'one',
  })
  using source = createRpcSource({ url: server.url, cookieFile, network: 'regtest' })
  await assert.rejects(source.tip(), refusal('node.config', /cookie file .* cannot be read/))
  await writeFile(cookieFile, '__cookie__:old')
  await assert.rejects(source.tip(), refusal('node.unauthorized', /401/))
  await writeFile(cookieFile, '__cookie__:one')
  assert.equal((await source.tip()).height, 0)
  await rm(folder, { recursive: true })
})

test('a node of another network is refused by name', async () => {
  await using server = await openChainServer({ network: 'regtest', chain: [genesis()] })
  using source = createRpcSource({ url: server.url, network: 'signet' })
  await assert.rejects(
    source.tip(),
    refusal('node.wrong_chain', /follows regtest, but Assay is set to signet/),
  )
})

test('a node that stalls, drops the line, is not there or is no node gives a sentence each', async () => {
  await using server = await openChainServer({ network: 'regtest', chain: [genesis()] })
  using source = createRpcSource({ url: server.url, network: 'regtest', limits: { idleMs: 60 } })
  server.intercept = () => true
  await assert.rejects(
    source.tip(),
    refusal('node.timeout', /did not answer getblockchaininfo within 0.06 s/),
  )
  server.intercept = (_, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('{')
    return true
  }
  await assert.rejects(source.tip(), refusal('node.timeout', /did not answer/))
  server.intercept = (_, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('{', () => response.destroy())
    return true
  }
  await assert.rejects(
    source.tip(),
    refusal('node.dropped', /dropped the connection while answering getblockchaininfo/),
  )
  server.intercept = (_, response) => {
    response.end('<html>')
    return true
  }
  await assert.rejects(source.tip(), refusal('node.http', /no JSON/))
  server.intercept = (_, response) => {
    response.end(JSON.stringify({ result: { chain: 'regtest', blocks: '5' }, error: null, id: 0 }))
    return true
  }
  await assert.rejects(
    source.tip(),
    refusal('node.shape', /getblockchaininfo in a shape we do not know: blocks/),
  )
  server.intercept = (_, response) => {
    response.writeHead(500)
    response.end(
      JSON.stringify({ result: null, error: { code: -28, message: 'Loading block index…' }, id: 0 }),
    )
    return true
  }
  await assert.rejects(source.tip(), refusal('node.warming_up', /is starting: Loading block index/))
  const { url } = server
  await server[Symbol.asyncDispose]()
  using gone = createRpcSource({ url, network: 'regtest' })
  await assert.rejects(gone.tip(), refusal('node.refused', /connection was refused/))
})

test('an aborted wait ends with the reason that aborted it', async () => {
  await using server = await openChainServer({ network: 'regtest', chain: [genesis()] })
  using source = createRpcSource({ url: server.url, network: 'regtest' })
  const abort = new AbortController()
  server.intercept = () => {
    abort.abort(new Error('enough'))
    return true
  }
  await assert.rejects(source.tip(abort.signal), /enough/)
})

test('an address that is none is refused before anything is sent', () => {
  assert.throws(
    () => createRpcSource({ url: 'bitcoin:8332', network: 'regtest' }),
    refusal('node.config', /no http address/),
  )
})

/** The genesis block of regtest: a header is all that these tests read of it. */
function genesis(): Buffer {
  const bytes = Buffer.alloc(285)
  bytes.writeUInt32LE(0x207fffff, 72)
  return bytes
}
