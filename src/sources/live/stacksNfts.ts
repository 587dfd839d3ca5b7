import { z } from 'zod'
import type { LiveSource, TokenWord } from '../live.ts'
import { createParts, type Parts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { wordsOf } from './stacksTokens.ts'
import { linkOf, wordOf } from './words.ts'

/** Its first item as the service has read it (SIP-016): what the maker of a collection may leave out is left out. */
const Item = z.object({ metadata: z.looseObject({}).nullish() })
const Text = z.string().nullish()
const Properties = z.record(z.string(), z.unknown()).nullish()
/** The form before, of the collection itself. */
const Older = z.looseObject({
  tx_id: z.string().regex(/^0x[0-9a-f]{64}$/, 'must be a txid'),
  sender_address: z.string().regex(/^S[PM][0-9A-Z]{27,41}$/, 'must be an address of the main network'),
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
    'Name and address of a picture of each collection of NFTs of the catalog on Stacks, from the description of its first item as the public metadata service has read it. Kept as text in stx_token_metadata; anyone may write what is in a description, and no picture is loaded.',
  requests: ({ collections }) =>
    collections.map(({ contract }) => ({
      about: contract,
      url: `${NEWER}${encodeURIComponent(contract)}/1`,
      otherwise: [`${OLDER}${encodeURIComponent(contract)}/nft/metadata`],
    })),
  read: ({ about: contract, url }, json) => {
    const what = `Metadata of ${contract}`
    const parts = createParts(what)
    const words = url.startsWith(OLDER) ? olderWords(json, what, parts) : newerWords(json, what, parts)
    const { name, imageUrl } = words
    const word = { contract, name, symbol: null, decimals: null, totalSupply: null, imageUrl }
    return parts.answer({ observations: [], prices: [], tokenWords: wordsOf(word, parts) })
  },
}

type Words = Pick<TokenWord, 'name' | 'imageUrl'>

function newerWords(json: unknown, what: string, parts: Parts): Words {
  const metadata = shaped(Item, json, what).metadata ?? {}
  const collection = parts.read(Properties, metadata.properties, 'metadata.properties')?.collection
  const own = typeof collection === 'string' ? wordOf(collection) : null
  const name = parts.read(Text, metadata.name, 'metadata.name')
  return {
    name: own ?? wordOf(name?.replace(NUMBER, '')),
    imageUrl: linkOf(parts.read(Text, metadata.image, 'metadata.image')),
  }
}

function olderWords(json: unknown, what: string, parts: Parts): Words {
  const older = shaped(Older, json, what)
  const read = (field: string) => parts.read(Text, older[field], field)
  return {
    name: wordOf(read('name')),
    imageUrl: linkOf(read('image_canonical_uri')) ?? linkOf(read('image_uri')),
  }
}
