/** Two pages would claim one address, or a layer would have no page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerBuild } from 'react-router'
import { testCatalog } from '#catalog/testing.ts'
import { checkAddresses, siteOf } from './siteOf.ts'

test('pages know each layer and application of the catalogue, and one whose address another page has is refused', async () => {
  const { layers, applications } = siteOf(await testCatalog())
  const b2 = layers.find(({ id }) => id === 'b2-network')
  assert.deepEqual(b2, {
    id: 'b2-network',
    name: 'B² Network',
    coin: 'BTC',
    token: 'b2',
    variable: 'B2_NETWORK_RPC_URL',
    hasL1Fee: true,
    hasProfile: true,
  })
  // Of a route only its path is read, and whether it is the page of an application.
  const routesOf = (...paths: string[]) =>
    ({
      ...Object.fromEntries(paths.map(path => [path, { path }])),
      alex: { path: 'alex', module: { handle: { page: 'application' } } },
    }) as unknown as ServerBuild['routes']
  checkAddresses({ layers, applications }, routesOf('bitcoin/l2s/:name', ':layer', '*'))
  for (const id of ['tokens', 'api', 'alex'])
    assert.throws(
      () => checkAddresses({ layers: [{ ...b2!, id }], applications }, routesOf('tokens', ':layer')),
      {
        code: 'catalog.invalid',
        message: `catalog/chains/${id}.json, id: /${id} is the address of another page`,
      },
    )
  const alex = applications.find(({ slug }) => slug === 'alex')
  assert.deepEqual(alex, { slug: 'alex', name: 'ALEX', kind: 'exchange', markets: [] })
  for (const slug of ['tokens', 'api', 'b2-network'])
    assert.throws(
      () => checkAddresses({ layers, applications: [{ ...alex!, slug }] }, routesOf('tokens', ':layer')),
      {
        code: 'catalog.invalid',
        message: `catalog/stacks/apps/${slug}.json, protocol: /${slug} is the address of another page`,
      },
    )
})
