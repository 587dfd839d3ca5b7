/** With parts of the site missing, pages would be blank or show raw errors. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { testCatalog } from '#catalog/testing.ts'
import { existingPages, siteWith } from '#web/site.ts'
import { openTestSite, type TestSite } from './browser/testSite.ts'

/** States of pages beside the first ones, and pages of one thing. */
const MORE = [
  '/bitcoin?tab=fees',
  '/bitcoin?tab=utxo',
  '/bitcoin?tab=valuation&range=max',
  '/bitcoin?assay=fees.total@bitcoin',
  '/stacks?tab=pox',
  '/rootstock?tab=gas',
  '/alex?tab=risk',
  '/analyze/bitcoin-treasuries/strategy',
  '/reports/what-layers-pay-bitcoin',
  '/documentation/tables/btc_blocks',
  '/documentation/metrics/fees.total',
  '/search?q=fee',
]
/** What no reader should meet in words. */
const RAW = /\bNaN\b|\bundefined\b|\bInfinity\b|\[object |\bat .+\.ts:\d+/

type Answer = { path: string; status: number; heading: string; words: string }

describe('a site of which parts are missing', () => {
  let site: TestSite
  let paths: readonly string[]
  before(async () => {
    const { evm } = await testCatalog()
    paths = [...existingPages(siteWith({ layers: evm, applications: [] })).map(({ path }) => path), ...MORE]
    site = await openTestSite({ command: 'serve' })
  })
  after(async () => site?.[Symbol.asyncDispose]())

  const open = async (path: string): Promise<Answer> => {
    const answer = await fetch(site.url + path, { signal: AbortSignal.timeout(60_000) })
    const html = await answer.text()
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
    const words = main
      .replaceAll(/<script.*?<\/script>/gs, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
    return {
      path,
      status: answer.status,
      heading: /<h1[^>]*>([^<]+)/.exec(main)?.[1] ?? '',
      words,
    }
  }
  const faultsOf = ({ path, heading, words }: Answer): string[] => [
    ...(heading === '' ? [`${path} has no heading`] : []),
    ...(RAW.test(words) ? [`${path} says ${RAW.exec(words)?.[0]}`] : []),
  ]

  test('with an empty warehouse each page is whole and says what would bring its figures in', async () => {
    const faults: string[] = []
    for (const path of paths) {
      const answer = await open(path)
      faults.push(...faultsOf(answer))
      if (answer.status !== 200) faults.push(`${path} answers ${answer.status}`)
    }
    assert.deepEqual(faults, [])
    for (const [path, way] of [
      ['/bitcoin', /set BITCOIN_RPC_URL to a node/],
      ['/rootstock', /ROOTSTOCK_RPC_URL/],
      ['/alex', /With internet they come from the public API/],
      ['/analyze/bitcoin-treasuries', /come with the bundled snapshot/],
      ['/developer-activity', /DEVELOPERS=on/],
    ] as const)
      assert.match((await open(path)).words, way, path)
  })

  test('readers who do not take their page, or never finish asking, keep nobody waiting', async () => {
    const { hostname, port } = new URL(site.url)
    const slow = Array.from({ length: 50 }, (_, at) => {
      const socket = connect({ host: hostname, port: Number(port) })
      socket.on('error', () => undefined).pause()
      socket.write(
        at % 2 === 0 ? `GET /status HTTP/1.1\r\nHost: ${hostname}\r\n\r\n` : 'GET / HTTP/1.1\r\nHos',
      )
      return socket
    })
    await Promise.all(slow.map(socket => once(socket, 'connect')))
    const answers = await Promise.all(paths.slice(0, 12).map(open))
    assert.deepEqual(
      answers.filter(({ status }) => status !== 200).map(({ path }) => path),
      [],
    )
    for (const socket of slow) socket.destroy()
  })

  test('while no engine stays alive each page says so within the shell, and /readyz too', async () => {
    const engineOf = async () => {
      const answer = await fetch(`${site.url}/readyz`)
      const { parts } = (await answer.json()) as { parts: { name: string; detail: string }[] }
      return { status: answer.status, detail: parts.find(({ name }) => name === 'engine')?.detail ?? '' }
    }
    const pidOf = async (): Promise<number> =>
      (JSON.parse(await readFile(join(site.home, 'warehouse', 'endpoint.json'), 'utf8')) as { pid: number })
        .pid
    // It is started again without end, so each new one is ended as soon as it is there.
    await using killing = killEach(pidOf)
    let engine = await engineOf()
    for (let turn = 0; turn < 900 && (engine.detail === '' || killing.count < 2); turn++) {
      await delay(100)
      engine = await engineOf()
    }
    assert.equal(engine.status, 503)
    assert.match(engine.detail, /(?:warehouse|data) engine|No answer for/)
    const health = await fetch(`${site.url}/healthz`)
    assert.equal(health.status, 200)
    assert.match(((await health.json()) as { detail: string }).detail, /^Cached pages are served\. ./)
    const faults: string[] = []
    let told = 0
    // Answers that are kept are still given; a range that nobody has asked for is not among them.
    for (const path of [...paths, '/bitcoin/block/5', '/stacks/block/5', '/bitcoin?tab=mining&range=90d']) {
      const answer = await open(path)
      faults.push(...faultsOf(answer))
      if (answer.status !== 200 && answer.status !== 503) faults.push(`${path} answers ${answer.status}`)
      if (answer.status === 503) {
        told++
        if (!/Warehouse unavailable|data engine is unreachable/.test(answer.words))
          faults.push(`${path} does not say why: ${answer.words}`)
      }
    }
    assert.deepEqual(faults, [])
    assert.ok(told >= 2, `${told} pages told of the engine`)
    const sql = await fetch(`${site.url}/api/v1/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"sql":"SELECT 1"}',
    })
    assert.equal(sql.status, 503)
    assert.equal(((await sql.json()) as { code: string }).code, 'sql.unavailable')
  })
})

/** Ends each engine process that `pidOf` names, until disposed. */
function killEach(pidOf: () => Promise<number>): AsyncDisposable & { count: number } {
  let isOver = false
  let last: number | undefined
  const killed = { count: 0 }
  const running = (async () => {
    while (!isOver) {
      // Its file is absent while none is there.
      const pid = await pidOf().catch(() => undefined)
      if (pid !== undefined && pid !== last) {
        last = pid
        killed.count++
        process.kill(pid, 'SIGKILL')
      }
      await delay(20)
    }
  })()
  return {
    get count() {
      return killed.count
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      await running
    },
  }
}
