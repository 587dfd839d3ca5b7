import { z } from 'zod'
import type { LiveSource, TokenWord } from '../live.ts'
import { shaped } from '../shaped.ts'
import { linkOf, wordOf } from './words.ts'

/** Its first item as the service has read it (SIP-016): what the maker of a collection may leave out is left out. */
const Item = z.object({
  metadata: z
    .object({
      name: z.string().nullish(),
      image: z.string().nullish(),
      properties: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
})
/** The form before, of the collection itself. */
const Older = z.object({
  tx_id: z.string().regex(/^0x[0-9a-f]{64}$/, 'must be a txid'),
  sender_address: z.string().regex(/^S[PM][0-9A-Z]{28,41}$/, 'must be an address of the main network'),
  name: z.string().nullish(),
  image_uri: z.string().nullish(),
  image_canonical_uri: z.string().nullish(),
})

const NEWER = 'https://api.hiro.so/metadata/v1/nft/'
const OLDER = 'https://api.hiro.so/extended/v1/tokens/'

/** The number at the end of an item’s name: `Satoshi's Team #1` is of Satoshi's Team. */
const NUMBER = /\s*[#№]\s*\d+$/u

/** What the public metadata service says of collections of NFTs on Stacks: beside what their contracts answer. */
export const stacksNfts: LiveSource = {
  id: 'stacks.nfts',
  name: 'Stacks API: NFT metadata',
  url: 'https://docs.hiro.so/token-metadata-api',
  licence: 'public chain data; names and pictures of their makers',
  rank: 19,
  cadenceSeconds: 86_400,
  requestsPerMinute: 30,
  about:
    'Name and address of a picture of each collection of NFTs of the catalogue on Stacks, from the description of its first item as the public metadata service has read it. Kept as text in stx_token_metadata; anyone may write what is in a description, and no picture is loaded.',
  requests: ({ collections }) =>
    collections.map(({ contract }) => ({
      about: contract,
      url: `${NEWER}${encodeURIComponent(contract)}/1`,
      otherwise: [`${OLDER}${encodeURIComponent(contract)}/nft/metadata`],
    })),
  read: ({ about: contract, url }, json) => {
    const what = `Metadata of ${contract}`
    const words = url.startsWith(OLDER) ? olderWords(json, what) : wordsOf(json, what)
    return {
      observations: [],
      prices: [],
      tokenWords: [
        {
          contract,
          name: words.name,
          symbol: null,
          decimals: null,
          totalSupply: null,
          imageUrl: words.imageUrl,
        },
      ],
    }
  },
}

type Words = Pick<TokenWord, 'name' | 'imageUrl'>

function wordsOf(json: unknown, what: string): Words {
  const { metadata } = shaped(Item, json, what)
  const collection = metadata?.properties?.collection
  const own = typeof collection === 'string' ? wordOf(collection) : null
  return {
    name: own ?? wordOf(metadata?.name?.replace(NUMBER, '')),
    imageUrl: linkOf(metadata?.image),
  }
}

function olderWords(json: unknown, what: string): Words {
  const said = shaped(Older, json, what)
  return { name: wordOf(said.name), imageUrl: linkOf(said.image_canonical_uri) ?? linkOf(said.image_uri) }
}
