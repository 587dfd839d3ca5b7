/** An operator could not index an EVM layer from the command line. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createRandom } from '#ingest/testing.ts'
import { freePort } from '#kernel/freePort.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { type MadeLayer, openMadeLayer } from '#tests/evm/madeLayer.ts'
import { skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import { openRpcProxy } from '#tests/evm/rpcProxy.ts'
import { runAssay, spawnAssay, temporaryHome } from './runAssay.ts'

const QUIET = { BITCOIN_NETWORK: 'regtest', LOG_LEVEL: 'error' }
const isBuilt = existsSync(fileURLToPath(new URL('../../build/server/index.js', import.meta.url)))

test('a layer without endpoints is told by the variable that names them, an unknown one by those there are', async () => {
  await using home = await temporaryHome()
  const env = { ...QUIET, ASSAY_HOME: home.path }
  for (const call of [['ingest'], ['backfill'], ['verify', '--against-node']]) {
    const { code, err } = await runAssay([...call, '--chain', 'b2-network'], env)
    assert.equal(code, 2, err)
    assert.match(err, /No endpoint of B² Network is configured\. Set B2_NETWORK_RPC_URL/)
  }
  for (const command of ['ingest', 'backfill', 'verify']) {
    const { code, err } = await runAssay([command, '--chain', 'dogechain'], env)
    assert.equal(code, 2)
    assert.match(err, /rootstock, bob, merlin/)
  }
  const files = await runAssay(['backfill', '--chain', 'bob', '--from-files', 'x.dat'], env)
  assert.equal(files.code, 2)
  const sampled = await runAssay(['verify', '--samples', '3'], env)
  assert.equal(sampled.code, 2)
})

describe('the commands of a layer', skipWithoutAnvil, () => {
  let layer: MadeLayer
  before(async () => {
    layer = await openMadeLayer({ chainId: 4200 })
    await layer.grow(30, createRandom(3))
  })
  after(() => layer[Symbol.asyncDispose]())

  /** Merlin is the layer whose first block the catalogue does not know. */
  const envOf = (home: string, ...urls: string[]) => ({
    ...QUIET,
    ASSAY_HOME: home,
    MERLIN_RPC_URL: urls.join(', '),
  })

  test('backfill brings a stretch in, status shows it, verify compares it and tells what differs', async () => {
    await using home = await temporaryHome()
    const env = envOf(home.path, layer.anvil.url)
    const filled = await runAssay(['backfill', '--chain', 'merlin', '--from', '5', '--to', '31'], env)
    assert.equal(filled.code, 0, filled.err)
    assert.match(filled.out, /All requested blocks are indexed/)
    const status = await runAssay(['status'], env)
    assert.match(
      status.out,
      /^merlin \(mainnet\)\n {2}latest block {2}31 of .*\n.*\n {2}indexed {7}5 to 31$/m,
    )
    const { chains } = JSON.parse((await runAssay(['status', '--json'], env)).out) as {
      chains: { chain: string; tip: { height: number } | null }[]
    }
    assert.deepEqual(
      chains.filter(({ tip }) => tip !== null).map(({ chain, tip }) => [chain, tip?.height]),
      [['merlin', 31]],
    )
    const own = await runAssay(['verify', '--chain', 'merlin'], env)
    assert.match(own.out, /^27 blocks checked, 0 differences$/m)
    const compared = await runAssay(['verify', '--chain', 'merlin', '--source', layer.anvil.url], env)
    assert.match(compared.out, /^27 blocks checked, 20 compared with the source, 0 differences$/m)
    assert.equal(compared.code, 0)
    await using liar = await openRpcProxy(layer.anvil.url)
    liar.rewrite = (call, answer) => (call.method === 'eth_getLogs' ? { ...answer, result: [] } : answer)
    const differing = await runAssay(
      ['verify', '--chain', 'merlin', '--source', liar.url, '--samples', '27'],
      env,
    )
    assert.equal(differing.code, 1)
    assert.match(differing.out, /^block \d+: log 0 of 0: indexed 0 [0-9a-f]{40}.*, expected none$/m)
  })

  test('an endpoint of another chain ends the command with both numbers', async () => {
    await using home = await temporaryHome()
    const env = { ...QUIET, ASSAY_HOME: home.path, CORE_RPC_URL: layer.anvil.url }
    const { code, err } = await runAssay(['backfill', '--chain', 'core', '--from', '1'], env)
    assert.equal(code, 1)
    assert.match(err, /follows chain 4200, but Assay asks for Core \(chain 1116\)/)
  })

  test('start follows every configured layer, and the status says so', {
    skip: isBuilt ? false : 'the pages are not built',
  }, async () => {
    await using home = await temporaryHome()
    const port = await freePort()
    const env = { ...envOf(home.path, layer.anvil.url), PORT: String(port), MERLIN_START_HEIGHT: '3' }
    const child = spawnAssay(['start'], env)
    const ended = once(child, 'exit')
    const told = async (): Promise<{ isFollowing: boolean; coverage: unknown } | undefined> => {
      const answer = await fetch(`http://localhost:${port}/api/v1/status`).catch(() => undefined)
      if (!answer?.ok) return undefined
      const { chains } = (await answer.json()) as {
        chains: { chain: string; isFollowing: boolean; coverage: { to: number }[] }[]
      }
      return chains.find(({ chain }) => chain === 'merlin')
    }
    const look = async () => {
      assert.equal(child.exitCode, null)
      const merlin = await told()
      return merlin?.isFollowing && merlin
    }
    const merlin = await until('Merlin is followed', look, { betweenMs: 100 })
    assert.deepEqual(merlin.coverage, [{ from: 3, to: 31, origin: 'rpc', isIsland: false }])
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })
})
