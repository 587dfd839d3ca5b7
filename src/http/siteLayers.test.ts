import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerBuild } from 'react-router'
import { testCatalog } from '#catalog/testing.ts'
import { checkAddresses, siteLayers } from './siteLayers.ts'

test('pages know each layer of the catalogue, and one whose address another page has is refused', async () => {
  const layers = siteLayers(await testCatalog())
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
  // Of a route only its path is read.
  const routesOf = (...paths: string[]) =>
    Object.fromEntries(paths.map(path => [path, { path }])) as unknown as ServerBuild['routes']
  checkAddresses(layers, routesOf('bitcoin/l2s/:name', ':layer', '*'))
  for (const id of ['tokens', 'api'])
    assert.throws(() => checkAddresses([{ ...b2!, id }], routesOf('tokens', ':layer')), {
      code: 'catalog.invalid',
      message: `catalog/chains/${id}.json, id: /${id} is the address of another page`,
    })
})
