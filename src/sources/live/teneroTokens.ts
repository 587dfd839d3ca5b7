import { z } from 'zod'
import type { Catalog, CatalogToken } from '#catalog/index.ts'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { UsdText } from './shapes.ts'

/** Null, and nothing, of a token in whose pools too little lies. */
const Price = UsdText.nullable()
const Token = z.object({ data: z.object({ price_usd: Price }) })
/** The same before the service had its newer name. */
const OlderToken = z.object({ metrics: z.object({ price_usd: Price }) })

const NEWER = 'https://api.tenero.io/v1/stacks/tokens/'
const OLDER = 'https://api.stxtools.io/tokens/'

/** Tokens on Stacks that no other publisher is known to price, with the contract that stands for each. */
export const unpricedOnStacks = ({ tokens }: Pick<Catalog, 'tokens'>): { id: string; contract: string }[] =>
  tokens.flatMap(({ id, ids, priceAsset, deployments }: CatalogToken) => {
    const contract = deployments.find(
      ({ layer, contract }) => layer === 'stacks' && contract.includes('.'),
    )?.contract
    const isPriced = Object.keys(ids).length > 0 || priceAsset !== undefined
    return contract === undefined || isPriced ? [] : [{ id, contract: contract.split('::')[0] ?? contract }]
  })

/** What a market-data service says of tokens on Stacks: beside the price that their pools tell. */
export const teneroTokens: LiveSource = {
  id: 'tenero.tokens',
  name: 'Tenero: prices of tokens',
  url: 'https://tenero.io',
  licence: 'none stated',
  rank: 40,
  cadenceSeconds: 3600,
  requestsPerMinute: 10,
  about:
    'Price in US dollars, at the moment of the answer, of tokens on Stacks that neither CoinGecko nor DefiLlama is asked about, from trades on exchanges of Stacks as the service (once STXTools) reads them. How it weighs pools is not documented. Its older host is asked where the newer one is gone.',
  mayBeEmpty: true,
  requests: catalog =>
    unpricedOnStacks(catalog).map(({ id, contract }) => ({
      about: id,
      url: `${NEWER}${encodeURIComponent(contract)}`,
      otherwise: [`${OLDER}${encodeURIComponent(contract)}`],
    })),
  read: ({ about: entity, url }, json, { seenAt }) => {
    const what = `Price of ${entity}`
    const price = url.startsWith(OLDER)
      ? shaped(OlderToken, json, what).metrics.price_usd
      : shaped(Token, json, what).data.price_usd
    return {
      observations:
        price === null || price === 0
          ? []
          : [{ metric: 'token.price', entity, day: dayOf(seenAt), value: price }],
      prices: [],
    }
  },
}
