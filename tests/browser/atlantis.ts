import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Adds one file each to a folder of the catalogue: a layer, a token on it, an application on it. */
export async function addAtlantis(dir: string): Promise<void> {
  const liquid = JSON.parse(await readFile(join(dir, 'layers/liquid.json'), 'utf8'))
  const add = (path: string, facts: object) => writeFile(join(dir, path), JSON.stringify(facts))
  await add('layers/atlantis.json', { ...liquid, slug: 'atlantis', name: 'Atlantis' })
  await add('tokens/atl-btc.json', {
    id: 'atl-btc',
    symbol: 'atlBTC',
    name: 'Bitcoin under the sea',
    kind: 'btc',
    custody: 'nobody that is known',
    claimOn: 'btc',
    deployments: [{ layer: 'atlantis', contract: '0x0000000000000000000000000000000000000a71', decimals: 8 }],
    ids: {},
    origin: { note: 'made' },
  })
  await add('protocols/kraken-swap.json', {
    slug: 'kraken-swap',
    name: 'Kraken Swap',
    category: 'Exchange',
    layers: ['atlantis'],
    ids: {},
    origin: { note: 'made' },
  })
}
