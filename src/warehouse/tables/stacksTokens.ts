import { STACKS_TOKEN_STANDARDS } from '#kernel/stacks.ts'
import { bytes, nullable, oneOf, table, text, time, u8, u32, u128 } from '#kernel/table.ts'

/** Outside the batches: an answer is of its block, which it names. The newest one of a contract holds. */
export const stxTokens = table('stx_tokens', {
  doc: 'One row per answer of a token’s contract on Stacks to what it is called.',
  columns: {
    contract: text('the contract, as `address.name`'),
    standard: oneOf(STACKS_TOKEN_STANDARDS, 'the standard whose functions it answers'),
    name: nullable(text('its name; null where it has none that can be read')),
    symbol: nullable(text('its symbol; null as above')),
    decimals: nullable(
      u8('digits of its amounts behind the point; of SIP-013 those of token 1; null as above'),
    ),
    tokenUri: nullable(
      text('where its description lies; of SIP-009 and SIP-013 that of token 1; null as above'),
    ),
    totalSupply: nullable(u128('supply that it states, base units; null as above')),
    lastTokenId: nullable(u128('SIP-009: highest id that it states; null for all others')),
    height: u32('block as of which it was asked'),
    blockHash: bytes(32, 'index block hash of that block'),
    askedAt: time('when it was asked, UTC'),
  },
  orderBy: ['contract', 'asked_at'],
})
