/** An operator could not add an exchange by one file. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readCatalog } from '#catalog/index.ts'
import { copyCatalog } from '#catalog/testing.ts'
import { encodeAddress, type StacksEvent } from '#chains/stacks/index.ts'
import { freePort } from '#kernel/freePort.testing.ts'
import { silentLog } from '#kernel/log.ts'
import { until } from '#kernel/until.testing.ts'
import { moved, type Printable, printOf, writeMadeStacks } from '#metrics/madeStacks.testing.ts'
import { observations } from '#warehouse/tables/observations.ts'
import { readConfig } from '../../src/config.ts'
import { openRooms } from '../../src/main.ts'
import { spawnAssay, temporaryHome } from './runAssay.ts'

const QUIET = { BITCOIN_NETWORK: 'regtest', LOG_LEVEL: 'error', STACKS_API_URL: 'off', SOURCES: 'off' }
const isBuilt = existsSync(fileURLToPath(new URL('../../build/server/index.js', import.meta.url)))

const person = (n: number): string => encodeAddress(22, Buffer.alloc(20, n))
const ATOLL = person(70)
const CORE = `${ATOLL}.atoll-core`
const POOL = `${ATOLL}.atoll-pool-1`
const SHELL = `${person(71)}.shell-token`
const USDCX = 'SP120SBRBQJ00MCWS7TM5R8WJNTTKD5K0HFRC2CNE.usdcx'
const PLACES = { token_x: 'from', token_y: 'to', reserve_x: 'have.x', reserve_y: 'have.y', trader: 'who' }

/** An exchange that nobody has heard of: all that Assay is told of it. */
const EXCHANGE = {
  protocol: 'atoll',
  about: 'a made exchange of constant product',
  profile: {
    name: 'Atoll',
    category: 'Exchange',
    sentence: 'An exchange of one pool.',
    layers: ['stacks'],
    ids: {},
    origin: { note: 'made' },
  },
  exchange: {
    sources: [
      {
        name: 'first pools',
        contracts: [CORE],
        curve: 'product',
        pool: 'pool',
        holder: 'pool',
        legs: 'print',
        reserves: 'after',
        fixedFee: { lp: 25, protocol: 5, of: 10_000 },
        events: {
          opened: { kind: 'create', fields: { ...PLACES, x: 'dx', y: 'dy', minted: 'made' } },
          'sold-shell': { kind: 'swap', in: 'x', fields: { ...PLACES, x: 'dx', y: 'dy' } },
          'sold-dollars': { kind: 'swap', in: 'y', fields: { ...PLACES, x: 'dx', y: 'dy' } },
        },
      },
    ],
    tokens: [{ token: SHELL, symbol: 'SHELL', decimals: 3 }],
  },
}

const DOLLAR = 1_000_000n
const DAY = '2026-05-02'
const START_S = Date.UTC(2026, 4, 2) / 1000
const REMAINING_DAYS = 2

type Body = StacksEvent['body']

/** 20,000 SHELL and 10,000 dollars; then 100 dollars buy SHELL, 1,000 SHELL are sold, and a print lacks what came out. */
function eventsOfPool(): Body[] {
  let [x, y] = [20_000_000n, 10_000n * DOLLAR]
  const printed = (action: string, who: string, more: { readonly [name: string]: Printable }): Body =>
    printOf(CORE, {
      action,
      pool: `'${POOL}`,
      from: `'${SHELL}`,
      to: `'${USDCX}`,
      who: `'${who}`,
      have: { x, y },
      ...more,
    })
  const paid = (token: string, from: string, to: string, amount: bigint): Body =>
    moved({ from, to, amount, asset: `${token}::coin` })
  const opened = [
    paid(SHELL, person(1), POOL, x),
    paid(USDCX, person(1), POOL, y),
    printed('opened', person(1), { dx: x, dy: y, made: 1_000_000n }),
  ]
  const swap = (side: 'x' | 'y', who: string, amountIn: bigint): Body[] => {
    const protocolFee = (amountIn * 5n) / 10_000n
    const net = amountIn - (amountIn * 30n) / 10_000n
    const [held, other] = side === 'x' ? [x, y] : [y, x]
    const out = (other * net) / (held + net)
    const [nextIn, nextOut] = [held + amountIn - protocolFee, other - out]
    ;[x, y] = side === 'x' ? [nextIn, nextOut] : [nextOut, nextIn]
    const [tokenIn, tokenOut] = side === 'x' ? [SHELL, USDCX] : [USDCX, SHELL]
    const [dx, dy] = side === 'x' ? [amountIn, out] : [out, amountIn]
    return [
      paid(tokenIn, who, POOL, amountIn),
      paid(tokenOut, POOL, who, out),
      printed(side === 'x' ? 'sold-shell' : 'sold-dollars', who, { dx, dy }),
    ]
  }
  return [
    ...opened,
    ...swap('y', person(2), 100n * DOLLAR),
    ...swap('x', person(3), 1_000_000n),
    printed('sold-shell', person(4), { dx: 1n }),
  ]
}

describe('an exchange that the catalogue gains by one file', {
  skip: isBuilt ? false : 'the pages are not built',
}, () => {
  test('has its swaps, pool, volume and fees, and its page, menu and search', async () => {
    await using catalogue = await copyCatalog()
    await writeFile(join(catalogue.dir, 'stacks/apps/atoll.json'), JSON.stringify(EXCHANGE))
    await using home = await temporaryHome()
    const env = { ...QUIET, ASSAY_CATALOG: catalogue.dir, ASSAY_HOME: home.path }
    const catalog = await readCatalog(catalogue.dir)
    {
      await using rooms = await openRooms(readConfig(env, catalog.evm), catalog, silentLog)
      const blocks = Array.from({ length: 24 * REMAINING_DAYS }, (_, hour) => ({
        height: 1 + hour,
        timeS: START_S + 3600 * hour + 60,
        burnHeight: 947_000 + 6 * hour,
        txs: hour === 1 ? [{ name: 'of the atoll', events: eventsOfPool() }] : [],
      }))
      await writeMadeStacks(rooms.warehouse, blocks)
      // Less than its prints come to: its share is of these.
      const total = {
        metric: 'dex.volume',
        entity: 'stacks',
        breakdown: '',
        day: DAY,
        value: 500,
        amount: null,
      }
      await rooms.warehouse.insertRows(observations, [
        { ...total, source: 'defillama.dexs', observedAt: START_S + 2 * 86_400 },
      ])
      await rooms.metrics.refreshRollups()
    }
    const url = `http://localhost:${await freePort()}`
    const child = spawnAssay(['start'], { ...env, PORT: new URL(url).port })
    const ended = once(child, 'exit')
    try {
      const isUp = () => {
        assert.equal(child.exitCode, null)
        return fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        )
      }
      await until('the server is healthy', isUp, { betweenMs: 100 })
      const json = async <T>(path: string) => (await (await fetch(`${url}/api/v1${path}`)).json()) as T
      const text = async (path: string): Promise<string> => {
        const answer = await fetch(url + path, { headers: { accept: 'text/html' } })
        assert.equal(answer.status, 200, path)
        return answer.text()
      }
      type Table = { rows: Record<string, string | number>[] }
      const { rows: swaps } = await json<Table>('/applications/atoll/tables/swaps')
      assert.deepEqual(
        swaps.map(row => [row.trader, row.amount_in, row.amount_in_symbol]).sort(),
        [
          [person(2), '100000000', 'USDCx'],
          [person(3), '1000000', 'SHELL'],
        ].sort(),
      )
      const { rows: pools } = await json<Table>('/applications/atoll/tables/pools')
      assert.deepEqual(
        pools.map(({ pair, contract }) => [pair, contract]),
        [['SHELL / USDCx', POOL]],
      )
      type Series = { points: { day: string; key: string; value: string | number | null }[] }
      const figure = async (metric: string, key = ''): Promise<number> => {
        const { points } = await json<Series>(`/metrics/${metric}?entity=atoll&from=${DAY}&to=${DAY}`)
        return Number(points.find(point => point.day === DAY && (key === '' || point.key === key))?.value)
      }
      // 100 dollars came in for SHELL; what 1,000 SHELL gave is between 480 and 520 dollars at a price near a half.
      const sold = swaps.find(({ trader }) => trader === person(3))
      const volume = 100 + Number(sold?.amount_out) / 1e6
      assert.ok(Math.abs((await figure('dex.volume')) / volume - 1) < 1e-9)
      assert.equal(await figure('dex.swaps'), 2)
      assert.equal(await figure('dex.unread'), 1)
      assert.ok((await figure('dex.fees', 'providers')) > 4 * (await figure('dex.fees', 'exchange')))
      assert.ok((await figure('pool.tvl')) > 19_000)
      assert.ok((await figure('dex.share')) === 1)
      const stacks = await json<Series>(`/metrics/dex.fees?entity=stacks&from=${DAY}&to=${DAY}`)
      assert.ok(stacks.points.some(({ key, value }) => key === 'atoll' && Number(value) > 0))

      const page = await text('/atoll')
      assert.match(page, /<h1[^>]*>Atoll<\/h1>/)
      assert.match(page, /dex\.volume(?:@|%40)atoll/)
      assert.match(await text('/atoll?tab=pools'), /SHELL \/ USDCx/)
      for (const tab of ['trades', 'users']) await text(`/atoll?tab=${tab}`)
      assert.match(await text('/atoll?tab=contracts'), /atoll-core/)
      assert.match(await text('/bitcoin'), /<a[^>]*href="\/atoll"/)
      assert.match(await text('/stacks/defi'), /Atoll/)
      assert.match(await text('/search?q=atoll'), /href="\/atoll"/)
      assert.match(await text('/alex'), /<h1[^>]*>ALEX<\/h1>/)
      const other = await fetch(`${url}/Atoll`, { redirect: 'manual' })
      assert.deepEqual([other.status, other.headers.get('location')], [308, '/atoll'])
      assert.equal((await fetch(`${url}/atol`)).status, 404)
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  })
})
