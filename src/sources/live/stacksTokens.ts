import { z } from 'zod'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { WholeText } from './shapes.ts'
import { linkOf, wordOf } from './words.ts'

/** SIP-010 as the service has read it; what a contract or its description does not tell is left out. */
const Metadata = z.object({
  tx_id: z.string().regex(/^0x[0-9a-f]{64}$/, 'must be a txid'),
  sender_address: z.string().regex(/^S[PM][0-9A-Z]{28,41}$/, 'must be an address of the main network'),
  name: z.string().nullish(),
  symbol: z.string().nullish(),
  decimals: z.int().min(0).max(255).nullish(),
  total_supply: WholeText.nullish(),
  image_uri: z.string().nullish(),
  image_canonical_uri: z.string().nullish(),
})

/** What the public metadata service says of the tokens of the catalogue: beside what their contracts answer. */
export const stacksTokens: LiveSource = {
  id: 'stacks.tokens',
  name: 'Stacks API: token metadata',
  url: 'https://docs.hiro.so/token-metadata-api',
  licence: 'public chain data; names and pictures of their makers',
  rank: 19,
  cadenceSeconds: 86_400,
  requestsPerMinute: 30,
  about:
    'Name, symbol, decimals, supply and picture of each fungible token of the catalogue on Stacks, as the public metadata service has them from contracts and descriptions. Kept in stx_token_metadata; anyone may write what is in a description.',
  requests: ({ tokens }) =>
    [
      ...new Set(
        tokens.flatMap(({ deployments }) =>
          deployments
            .filter(({ layer, contract }) => layer === 'stacks' && contract.includes('.'))
            .map(({ contract }) => contract.split('::')[0] ?? contract),
        ),
      ),
    ].map(contract => ({
      about: contract,
      url: `https://api.hiro.so/metadata/v1/ft/${encodeURIComponent(contract)}`,
      otherwise: [`https://api.hiro.so/extended/v1/tokens/${encodeURIComponent(contract)}/ft/metadata`],
    })),
  read: ({ about: contract }, json) => {
    const said = shaped(Metadata, json, `Metadata of ${contract}`)
    return {
      observations: [],
      prices: [],
      tokenWords: [
        {
          contract,
          name: wordOf(said.name),
          symbol: wordOf(said.symbol),
          decimals: said.decimals ?? null,
          totalSupply: said.total_supply ?? null,
          imageUrl: linkOf(said.image_canonical_uri) ?? linkOf(said.image_uri),
        },
      ],
    }
  },
}
