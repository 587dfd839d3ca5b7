/** A new application file would not give its pages and figures, or a faulty one would pass. */
import assert from 'node:assert/strict'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCatalog } from '#catalog/index.ts'
import { copyCatalog } from '#catalog/testing.ts'
import { encodeAddress } from '#chains/stacks/index.ts'
import { silentLog } from '#kernel/log.ts'
import { stacksReads } from '#sources/live/stacksReads.ts'
import { schemaOf } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { createMetrics } from '../createMetrics.ts'
import { printOf, writeMadeStacks } from '../madeStacks.testing.ts'

const NEW = `${encodeAddress(22, Buffer.alloc(20, 7))}.pool-v1`
const USDC = 'SP120SBRBQJ00MCWS7TM5R8WJNTTKD5K0HFRC2CNE.usdcx'
const APP = {
  protocol: 'newlend',
  about: 'a made lender',
  assets: { [USDC]: { symbol: 'USDCx', decimals: 6, price: { usd: 1 } } },
  markets: [{ id: 'USDCx', asset: USDC }],
  events: [
    {
      table: 'lend',
      version: 'v1',
      contracts: [NEW],
      assets: { [NEW]: USDC },
      kinds: [{ event: 'lent', kind: 'supply', fields: { account: 'who', amount: 'amount' } }],
    },
  ],
  reads: [{ name: 'totals', contract: NEW, function: 'get-totals' }],
  figures: [{ metric: 'lend.supplied', key: 'USDCx', amount: ['totals.assets'] }],
}

async function addTo(dir: string, app: object): Promise<void> {
  await writeFile(join(dir, 'stacks/apps/newlend.json'), JSON.stringify(app))
  const granite = JSON.parse(await readFile(join(dir, 'protocols/granite.json'), 'utf8'))
  await cp(join(dir, 'protocols/granite.json'), join(dir, 'protocols/newlend.json'))
  await writeFile(
    join(dir, 'protocols/newlend.json'),
    JSON.stringify({
      ...granite,
      slug: 'newlend',
      name: 'Newlend',
      ids: {},
      contracts: [{ layer: 'stacks', address: NEW, role: 'pool' }],
    }),
  )
}

test('an application is one file more: its prints are rows, its figures are in the registry, its contracts are asked', async () => {
  await using copy = await copyCatalog()
  await addTo(copy.dir, APP)
  const catalog = await readCatalog(copy.dir)
  await using warehouse = await openTestWarehouse({ schema: schemaOf(catalog) })
  const metrics = createMetrics({ warehouse, catalog, log: silentLog })
  const start = Date.UTC(2026, 7, 12) / 1000
  const lent = printOf(NEW, {
    action: 'lent',
    who: `'${encodeAddress(22, Buffer.alloc(20, 1))}`,
    amount: 2_500_000n,
  })
  await writeMadeStacks(warehouse, [
    { height: 1, timeS: start, burnHeight: 962_000 },
    { height: 2, timeS: start + 60, burnHeight: 962_001, txs: [{ name: 'lent', events: [lent] }] },
    { height: 3, timeS: start + 86_460, burnHeight: 962_144 },
  ])
  await metrics.refreshRollups()
  const { points } = await metrics.series({
    id: 'lend.flows',
    entity: 'newlend',
    from: '2026-08-12',
    to: '2026-08-12',
  })
  assert.equal(points.find(({ key }) => key === 'supply')?.value, 2.5)
  const request = stacksReads.requests(catalog).find(({ about }) => about === 'newlend')
  assert.deepEqual(
    request?.calls?.map(({ contract, function: name }) => [contract, name]),
    [[NEW, 'get-totals']],
  )
  const tip = { height: 2, id: `0x${'ab'.repeat(32)}` }
  const { observations } = stacksReads.read(
    request!,
    { tip, answers: { totals: { assets: '7' } } },
    { catalog, seenAt: start },
  )
  assert.deepEqual(
    observations.map(({ metric, entity, key, amount }) => [metric, entity, key, amount]),
    [['lend.supplied', 'newlend', 'USDCx', 7n]],
  )
})

for (const [field, app] of [
  ['figures.0', { ...APP, figures: [{ metric: 'lend.supplied', amount: ['total.assets'] }] }],
  ['markets.0.asset', { ...APP, markets: [{ id: 'USDCx', asset: NEW }] }],
  ['events.0.table', { ...APP, events: [{ ...APP.events[0], table: 'lends' }] }],
] as const)
  test(`a fault in ${field} of an application names file, field and reason`, async () => {
    await using copy = await copyCatalog()
    await addTo(copy.dir, app)
    await assert.rejects(readCatalog(copy.dir), (fault: { code: string; message: string }) => {
      assert.equal(fault.code, 'catalog.invalid')
      assert.match(
        fault.message,
        new RegExp(`^catalog/stacks/apps/newlend\\.json, ${field.replaceAll('.', '\\.')}: .+`),
      )
      return true
    })
  })
