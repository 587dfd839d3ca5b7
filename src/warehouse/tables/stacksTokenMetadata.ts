import { nullable, type RowOf, table, text, time, u8, u128 } from '#kernel/table.ts'

/** Outside the batches: a publisher's word. The newest one of a contract and a source holds. */
export const stxTokenMetadata = table('stx_token_metadata', {
  doc: 'One row per answer of a publisher to what a token on Stacks is called, beside what its contract answers (stx_tokens).',
  columns: {
    source: text('the publisher: id of sources'),
    contract: text('the token’s contract, as `address.name`'),
    name: nullable(text('its name; null where the publisher has none')),
    symbol: nullable(text('its symbol; null as above')),
    decimals: nullable(u8('digits of its amounts behind the point; null as above')),
    totalSupply: nullable(u128('supply, base units; null as above')),
    imageUrl: nullable(text('address of its picture, as text; null as above, or where it is no link')),
    askedAt: time('when it was asked, UTC'),
  },
  orderBy: ['contract', 'source', 'asked_at'],
})

export type StxTokenWord = RowOf<typeof stxTokenMetadata>
