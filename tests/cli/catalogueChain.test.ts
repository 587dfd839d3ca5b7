/** An operator could not add a chain by one file. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { copyCatalog } from '#catalog/testing.ts'
import { createRandom } from '#ingest/testing.ts'
import { freePort } from '#kernel/freePort.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { type MadeLayer, openMadeLayer } from '#tests/evm/madeLayer.ts'
import { skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import { runAssay, spawnAssay, temporaryHome } from './runAssay.ts'

const QUIET = { BITCOIN_NETWORK: 'regtest', LOG_LEVEL: 'error', STACKS_API_URL: 'off' }
const isBuilt = existsSync(fileURLToPath(new URL('../../build/server/index.js', import.meta.url)))
const HOUR_S = 3600
const EVERY = { betweenMs: 100 }

/** A chain that nobody has heard of: all that Assay is told of it. */
const MERIDIAN = {
  id: 'far-meridian',
  name: 'Far Meridian',
  kind: 'evm',
  network: 'mainnet',
  chainId: 770_077,
  stack: 'geth',
  headerForm: 'standard',
  checksumChainId: null,
  about: { is: 'A chain of one node.', onBitcoin: 'Nothing.', source: 'made' },
  coin: { symbol: 'MER', name: 'Meridian', unit: 'wei', decimals: 18 },
  genesis: { hash: null, timeS: null, why: 'It begins with each test.' },
  blockSeconds: 2,
  endpoints: [],
  multicall3: null,
  explorers: [],
  systemContracts: [],
  tokens: [],
  bridges: [],
  dapps: [],
  reserve: { asset: 'none', addresses: [] },
  links: [{ label: 'Website', url: 'https://meridian.example' }],
  sources: { made: 'invented for a test' },
}

const skip = skipWithoutAnvil.skip || (isBuilt ? false : 'the pages are not built')
describe('a chain that the catalogue gains by one file', { skip }, () => {
  let layer: MadeLayer
  let catalogue: Awaited<ReturnType<typeof copyCatalog>>
  let env: Record<string, string>

  before(async () => {
    const start = Math.floor(Date.now() / 1000) - 80 * HOUR_S
    layer = await openMadeLayer({ chainId: MERIDIAN.chainId, args: ['--timestamp', String(start)] })
    await layer.anvil.send('anvil_setBlockTimestampInterval', HOUR_S)
    await layer.grow(70, createRandom(7))
    catalogue = await copyCatalog()
    await writeFile(join(catalogue.dir, 'chains/far-meridian.json'), JSON.stringify(MERIDIAN))
    env = { ...QUIET, ASSAY_CATALOG: catalogue.dir, FAR_MERIDIAN_RPC_URL: layer.anvil.url }
  })
  after(async () => {
    await catalogue?.[Symbol.asyncDispose]()
    await layer?.[Symbol.asyncDispose]()
  })

  test('is followed into a data folder from before, and has its page, figures, menus, lists and search', async () => {
    await using home = await temporaryHome()
    await using merlin = await openMadeLayer({ chainId: 4200 })
    await merlin.grow(5, createRandom(9))
    const old = { ...QUIET, ASSAY_HOME: home.path, MERLIN_RPC_URL: merlin.anvil.url }
    const held = await runAssay(['backfill', '--chain', 'merlin', '--from', '1', '--to', '6'], old)
    assert.equal(held.code, 0, held.err)
    const unknown = await runAssay(['backfill', '--chain', 'far-meridian'], old)
    assert.equal(unknown.code, 2)
    assert.match(unknown.err, /rootstock, bob, merlin/)

    const now = { ...env, ASSAY_HOME: home.path }
    const filled = await runAssay(['backfill', '--chain', 'far-meridian', '--from', '0'], now)
    assert.equal(filled.code, 0, filled.err)
    const url = `http://localhost:${await freePort()}`
    const child = spawnAssay(['start'], { ...now, PORT: new URL(url).port })
    const ended = once(child, 'exit')
    const whileUp =
      <T>(look: () => Promise<T>) =>
      (): Promise<T> => {
        assert.equal(child.exitCode, null)
        return look()
      }
    try {
      const text = async (path: string): Promise<string> => {
        const answer = await fetch(url + path, { headers: { accept: 'text/html' } })
        assert.equal(answer.status, 200, path)
        return answer.text()
      }
      const json = async (path: string) => (await fetch(url + path)).json() as Promise<never>
      type Told = { chains: { chain: string; isFollowing: boolean; tip: { height: number } | null }[] }
      const told = async (): Promise<Told['chains']> =>
        ((await json('/api/v1/status').catch(() => ({ chains: [] }))) as Told).chains ?? []
      const follows = async () => (await told()).some(one => one.chain === MERIDIAN.id && one.isFollowing)
      await until('the new chain is followed', whileUp(follows), EVERY)

      // Following: a block that comes now is held soon.
      const before = await layer.height()
      await layer.anvil.mine()
      const isHeld = async () =>
        (await told()).some(one => one.chain === MERIDIAN.id && one.tip?.height === before + 1)
      await until('the next block is indexed', whileUp(isHeld), EVERY)
      assert.deepEqual(
        (await told()).filter(({ tip }) => tip !== null).map(({ chain, tip }) => [chain, tip?.height]),
        [
          ['merlin', 6],
          [MERIDIAN.id, before + 1],
        ],
      )

      // Figures: those of the API are those of the node, and the page shows them.
      const metrics = (await json('/api/v1/metrics')) as {
        metrics: { id: string; entities: string[] }[]
      }
      const own = metrics.metrics.filter(({ entities }) => entities.includes(MERIDIAN.id)).map(({ id }) => id)
      for (const id of ['tx.count', 'fees.total', 'addresses.senders', 'contracts.deployed', 'users.overlap'])
        assert.ok(own.includes(id), id)
      const day = new Date(Date.now() - 48 * HOUR_S * 1000).toISOString().slice(0, 10)
      let count = 0
      for (let height = 0; height <= before; height++) {
        const block = (await layer.anvil.send('eth_getBlockByNumber', `0x${height.toString(16)}`, false)) as {
          timestamp: string
          transactions: string[]
        }
        if (new Date(Number(block.timestamp) * 1000).toISOString().startsWith(day))
          count += block.transactions.length
      }
      // Days are summed behind the blocks: a moment may pass until the figure is there.
      type Series = { points: { day: string; value: string | number }[] }
      const dayFigure = async () =>
        (
          (await json(
            `/api/v1/metrics/tx.count?entity=${MERIDIAN.id}&from=${day}&to=${day}`,
          )) as unknown as Series
        ).points.find(point => point.day === day)?.value
      const figure = await until('the day has a figure', whileUp(dayFigure), EVERY)
      assert.equal(Number(figure), count)
      const page = await text('/far-meridian')
      assert.match(page, /<h1[^>]*>Far Meridian<\/h1>/)
      assert.match(page, /data-assay="tx\.count@far-meridian|tx\.count(?:@|%40)far-meridian/)
      for (const tab of ['usage', 'economy', 'money', 'bitcoin', 'contracts', 'builders', 'trust'])
        await text(`/far-meridian?tab=${tab}`)
      assert.match(await text(`/far-meridian/block/${before}`), /Far Meridian block/)
      await text(`/far-meridian/address/${layer.anvil.account}`)

      // Menus, lists, status and search name it; what is no chain is no page.
      const home = await text('/bitcoin')
      assert.match(home, /<a[^>]*href="\/far-meridian"/)
      assert.match(await text('/dashboards/hotcontracts?chain=far-meridian'), /far-meridian\/contract\//)
      assert.match(await text('/status'), /Far Meridian|far-meridian/)
      assert.match(await text('/search?q=meridian'), /href="\/far-meridian"/)
      for (const path of ['/far-meridien', '/far-meridien/tx/0x00'])
        assert.equal((await fetch(url + path)).status, 404)
      const refused = await fetch(`${url}/api/v1/contracts/hot?chain=far-meridien`)
      assert.match(await refused.text(), /There is no layer far-meridien/)
    } finally {
      child.kill('SIGTERM')
      await ended
    }
    // The old catalogue again: its layers are as they were.
    const back = await runAssay(['status'], old)
    assert.match(back.out, /^merlin \(mainnet\)\n {2}latest block {2}6 /m, back.err)
    assert.doesNotMatch(back.out, /meridian/)
  })

  test('is held in a fresh data folder, and its variables are checked by their rule', async () => {
    await using home = await temporaryHome()
    const fresh = { ...env, ASSAY_HOME: home.path }
    const wrong = await runAssay(['status'], { ...fresh, FAR_MERIDIAN_START_HEIGHT: 'x' })
    assert.equal(wrong.code, 2)
    assert.match(wrong.err, /FAR_MERIDIAN_START_HEIGHT: "x" must be a whole number/)
    const nobody = await runAssay(['backfill', '--chain', 'far-meridian'], {
      ...fresh,
      FAR_MERIDIAN_RPC_URL: 'public',
    })
    assert.equal(nobody.code, 2)
    assert.match(nobody.err, /no public endpoint of Far Meridian\. Name an address in FAR_MERIDIAN_RPC_URL/)
    const filled = await runAssay(['backfill', '--chain', 'far-meridian', '--from', '0', '--to', '9'], fresh)
    assert.equal(filled.code, 0, filled.err)
    assert.match(
      (await runAssay(['status'], fresh)).out,
      /^far-meridian \(mainnet\)\n {2}latest block {2}9 /m,
    )
  })
})
