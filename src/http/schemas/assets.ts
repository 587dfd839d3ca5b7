import { z } from 'zod'
import { MINT_FLAGS } from '#explorer/across/mints.ts'
import { TVL_PARTS } from '#kernel/tvlParts.ts'
import { amount, chainHeld, chainId, contractChain, csvFormat, known } from './across.ts'
import { asOf, day, isoTime, sourceRef } from './common.ts'

const held = z.array(chainHeld)
const usd = z
  .number()
  .nullable()
  .describe('US dollars, listed tokens only; null if the latest is older than 30 days')
const ofDay = day.nullable().describe('day of the latest figure there is, current or not')
const asset = z.string().describe('`address.contract::asset` on Stacks, 0x and the contract on EVM layers')
const contract = z.string()

export const fungibleTokens = z
  .strictObject({
    items: z.array(
      z.strictObject({
        chain: contractChain,
        asset,
        contract,
        known,
        symbol: z.string().nullable().describe('self-reported, else from the catalog'),
        name: z.string().nullable(),
        decimals: z.int().nullable(),
        kind: z.string().nullable().describe('by the catalog; null for tokens that it does not list'),
        isListed: z.boolean(),
        isNamesake: z
          .boolean()
          .describe('it calls itself by the symbol of a listed token of its chain, and is not that token'),
        otherWord: z
          .string()
          .nullable()
          .describe('how the public metadata service differs from the contract, in words'),
        supply: amount.nullable().describe('null: cannot be derived from indexed data'),
        holderCount: z.int().nullable(),
        transferCount24h: z
          .int()
          .nullable()
          .describe('null if none is indexed and blocks of that time are missing'),
        transferCount7d: z.int().nullable(),
        moverCount7d: z.int().nullable().describe('distinct senders'),
        countDay: ofDay.describe(
          'day of the latest block that supply, holders, transfers and senders are counted up to',
        ),
        priceUsd: usd,
        priceDay: ofDay,
        capUsd: usd.describe(
          'US dollars of this deployment alone: as reported of its chain, else its supply × price; null where either is unknown',
        ),
        capDay: ofDay,
        liquidityUsd: usd,
        liquidityDay: ofDay,
        pools: z
          .strictObject({
            priceUsd: usd.describe(
              'from the deepest pool; null if no pool holds enough of another priced token, the decimals are unknown, or the day is older than 30 days',
            ),
            liquidityUsd: usd.describe('value of the pools that it is in, both sides'),
            day,
          })
          .nullable()
          .describe('from indexed Stacks pools at the end of the latest day; null if it is in none'),
      }),
    ),
    held,
    asOf,
  })
  .meta({ id: 'FungibleTokens', description: 'Fungible tokens of all layers.' })

const UNCOUNTED =
  'null where none is indexed and blocks of the window are missing; above 0 of the indexed blocks alone (`indexedHours` of the chain)'

export const collections = z
  .strictObject({
    items: z.array(
      z.strictObject({
        chain: contractChain,
        asset,
        contract,
        known,
        name: z.string().nullable().describe('self-reported'),
        described: z
          .strictObject({
            name: z.string().nullable(),
            picture: z.string().nullable().describe('address of a picture, as text'),
          })
          .nullable()
          .describe('what the public metadata service has read of its first item; anyone may write it'),
        itemCount: z
          .int()
          .nullable()
          .describe(
            'indexed NFTs that were not destroyed; null where there are none and older ones may exist',
          ),
        holderCount: z.int().nullable().describe('current owners, from their latest transfers'),
        isWhole: z
          .boolean()
          .describe('all data since its contract was deployed is indexed: these are all items and holders'),
        mintCount30d: z.int().nullable().describe(UNCOUNTED),
        transferCount30d: z.int().nullable().describe(UNCOUNTED),
        saleCount7d: z.int().nullable().describe(UNCOUNTED),
        saleCount30d: z.int().nullable().describe(UNCOUNTED),
        volume7d: amount
          .nullable()
          .describe('of sales with a known price, smallest unit of the chain’s coin; null if the count is'),
        volume30d: amount.nullable(),
        floor: amount.nullable().describe('lowest asking price; null if offers are not on-chain'),
        listedCount: z
          .int()
          .nullable()
          .describe('null on EVM layers, where offers are off-chain, and if older offers can exist'),
        lastSale: isoTime.nullable(),
      }),
    ),
    sales: z
      .array(
        z.strictObject({
          chain: contractChain,
          asset,
          contract,
          token: z.string(),
          price: amount.nullable().describe('null where more than one NFT moved in the transaction'),
          nftCount: z.int(),
          seller: z.string(),
          buyer: z.string(),
          market: z.string().describe('contract that was called'),
          txHash: z.string(),
          time: isoTime,
        }),
      )
      .describe('newest first'),
    held,
    asOf,
  })
  .meta({ id: 'Collections', description: 'Collections of NFTs on Stacks and the EVM layers.' })

export const mints = z
  .strictObject({
    items: z.array(
      z.strictObject({
        chain: contractChain,
        asset,
        contract,
        known,
        name: z.string().nullable(),
        kind: z.enum(['nft', 'token']),
        mintCount24h: z.int().nullable().describe(UNCOUNTED),
        mintCount7d: z.int().nullable().describe(UNCOUNTED),
        ratePerHour: z
          .number()
          .nullable()
          .describe('mints an hour over the latest 24 hours; null where blocks of them are missing'),
        growth: z
          .number()
          .nullable()
          .describe('latest 24 hours ÷ the 24 hours before − 1; null if not indexed'),
        minterCount7d: z.int().nullable().describe(UNCOUNTED),
        price: amount.nullable().describe('median price paid per NFT; null for tokens and free mints'),
        creator: z.string().nullable(),
        firstMint: isoTime,
        lastMint: isoTime,
        isNew: z
          .boolean()
          .describe('its contract is indexed, and its first mint is in the latest seven days'),
        isOver: z.boolean().describe('no mint for a day while tries fail: sold out or closed'),
        flags: z.array(z.enum(MINT_FLAGS)),
      }),
    ),
    held,
    asOf,
  })
  .meta({ id: 'Mints', description: 'NFTs and tokens that are being minted, the most first.' })

const valueFigure = { valueUsd: z.number(), day, source: z.string().describe('id of the source') }

export const valueLocked = z
  .strictObject({
    chains: z.array(
      z.strictObject({
        chain: chainId,
        total: z.strictObject(valueFigure).nullable().describe('tvl.total; null until a source reports it'),
        parts: z
          .array(z.strictObject({ part: z.enum(TVL_PARTS), figure: z.strictObject(valueFigure) }))
          .describe('excluded from the total, as reported; parts overlap'),
      }),
    ),
    items: z
      .array(
        z.strictObject({
          chain: chainId,
          protocol: z.string(),
          name: z.string(),
          category: z.string().nullable(),
          ...valueFigure,
        }),
      )
      .describe(
        'by chain and protocol, within 60 days of the latest day of the chain; deposits of one in another count in both',
      ),
    assets: z
      .array(z.strictObject({ chain: chainId, asset: z.string(), ...valueFigure }))
      .describe('stablecoins by chain, within 60 days of the latest day of the chain'),
    sources: z.array(sourceRef).describe('those of the figures above'),
    asOf,
  })
  .meta({
    id: 'ValueLocked',
    description: 'TVL as reported by sources, by chain, protocol and asset.',
  })
export const valueLockedQuery = z.strictObject({ format: csvFormat })

export const assetQuery = z.strictObject({
  chain: contractChain.exactOptional().describe('one chain; default: all'),
  format: csvFormat,
})
