import { z } from 'zod'
import type { LiveSource, TokenWord } from '../live.ts'
import { createParts, type Parts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { WholeText } from './shapes.ts'
import { linkOf, wordOf } from './words.ts'

/** SIP-010 as the service has read it; what a contract or its description does not tell is left out. */
const Metadata = z.looseObject({
  tx_id: z.string().regex(/^0x[0-9a-f]{64}$/, 'must be a txid'),
  sender_address: z.string().regex(/^S[PM][0-9A-Z]{27,41}$/, 'must be an address of the main network'),
})
const Text = z.string().nullish()
const Decimals = z.int().min(0).max(255).nullish()
/** The service gives less than zero for tokens that burn more than they mint. */
const Supply = WholeText.nullish()

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
    'Name, symbol, decimals, supply and picture of each fungible token of the catalog on Stacks, as the public metadata service has them from contracts and descriptions. Kept in stx_token_metadata; anyone may write what is in a description.',
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
    const what = `Metadata of ${contract}`
    const metadata = shaped(Metadata, json, what)
    const parts = createParts(what)
    const read = <Schema extends z.ZodType>(schema: Schema, field: string) =>
      parts.read(schema, metadata[field], field)
    const word = {
      contract,
      name: wordOf(read(Text, 'name')),
      symbol: wordOf(read(Text, 'symbol')),
      decimals: read(Decimals, 'decimals') ?? null,
      totalSupply: read(Supply, 'total_supply') ?? null,
      imageUrl: linkOf(read(Text, 'image_canonical_uri')) ?? linkOf(read(Text, 'image_uri')),
    }
    return parts.answer({ observations: [], prices: [], tokenWords: wordsOf(word, parts) })
  },
}

/** The words of a token; none where all that the answer has of it was refused. */
export const wordsOf = (word: TokenWord, parts: Parts): TokenWord[] => {
  const { contract: _, ...values } = word
  return parts.count > 0 && Object.values(values).every(value => value === null) ? [] : [word]
}
