import type { Catalog, CatalogToken } from '#catalog/index.ts'
import { isCurrentPrice } from '#kernel/currentPrice.ts'
import { knownNow } from '#warehouse/index.ts'
import { type Reader, readRows } from '../readRows.ts'
import { type ChainHeld, type ChainId, countOfDays, readHeld } from './chains.ts'
import type { KnownContract, Names } from './names.ts'

/** A fungible token on one chain. Amounts are in its base units. */
export type FungibleToken = {
  chain: ChainId
  /** `address.contract::asset` on Stacks, 0x and the contract on EVM layers; of a token that has not moved its contract. */
  asset: string
  contract: string
  known: KnownContract | null
  /** As it says of itself, else as the catalogue has it. */
  symbol: string | null
  name: string | null
  decimals: number | null
  /** By the catalogue: coin, governance, btc, stable, staked, meme; null for all others. */
  kind: string | null
  isListed: boolean
  /** It calls itself by the symbol of a listed token of its chain, and is not that token. */
  isNamesake: boolean
  /** Where the public metadata service says another symbol or other decimals than the token’s contract does, in words. */
  otherWord: string | null
  /** null: it does not follow from what is held. */
  supply: string | null
  holderCount: number | null
  /** null where nothing is held of the chain. */
  transferCount24h: number | null
  transferCount7d: number | null
  moverCount7d: number | null
  /** Day of the newest block that supply, holders and transfers are counted up to; null where no block is indexed. */
  countDay: string | null
  /** Newest daily figures of publishers, US dollars; of listed tokens alone. Null where the newest is older than 30 days. */
  priceUsd: number | null
  /** Day of the newest price there is, current or not. */
  priceDay: string | null
  /** Value of this deployment alone, never of the token on all its chains. */
  capUsd: number | null
  capDay: string | null
  liquidityUsd: number | null
  liquidityDay: string | null
  /** By our own rows: what pools whose prints are read tell at the end of the newest day; null where none does. */
  pools: TokenPools | null
}

/** What pools on Stacks say of a token, US dollars. */
export type TokenPools = {
  /** null where no pool holds enough of another token that has a price, nobody says the decimals, or the day is older than 30 days. */
  priceUsd: number | null
  /** Value of the pools that it is in, both sides; of a side without a price nothing. Null where the day is older than 30 days. */
  liquidityUsd: number | null
  day: string
}

export type FungibleTokens = { items: FungibleToken[]; held: ChainHeld[] }

const NOBODY = "toFixedString(unhex(repeat('00', 20)), 20)"
const shown = (address: string): string => `concat('0x', lower(hex(${address})))`

type Row = {
  chain: ChainId
  asset: string
  contract: string
  supply: string
  holders: string
  least: string
  moves24h: string
  moves7d: string
  movers7d: string
}

/** Holders and supply are sums over what is held: negative balances show that something before is missing. */
const STACKS = `SELECT
  'stacks' AS chain, b.asset AS asset, splitByString('::', b.asset)[1] AS contract, toString(b.supply) AS supply,
  b.holders AS holders, toString(b.least) AS least, m.moves24h AS moves24h, m.moves7d AS moves7d, m.movers7d AS movers7d
FROM (
  SELECT asset, sum(balance) AS supply, countIf(balance > 0) AS holders, min(balance) AS least
  FROM stx_balances
  WHERE asset != ''
  GROUP BY asset
) AS b
LEFT JOIN (
  SELECT
    asset, countIf(block_time > now_at - 86400) AS moves24h, countIf(block_time > now_at - 604800) AS moves7d,
    uniqExactIf(ifNull(sender, recipient), block_time > now_at - 604800) AS movers7d
  FROM (SELECT *, (SELECT max(block_time) FROM stx_blocks) AS now_at FROM stx_transfers WHERE standard = 'ft')
  GROUP BY asset
) AS m ON m.asset = b.asset`

const LAYERS = `SELECT
  toString(b.chain) AS chain, ${shown('b.token')} AS asset, ${shown('b.token')} AS contract, toString(b.supply) AS supply,
  b.holders AS holders, toString(b.least) AS least, m.moves24h AS moves24h, m.moves7d AS moves7d, m.movers7d AS movers7d
FROM (
  SELECT chain, token, sum(balance) AS supply, countIf(balance > 0) AS holders, min(balance) AS least
  FROM evm_balances
  WHERE token_id IS NULL
  GROUP BY chain, token
) AS b
LEFT JOIN (
  SELECT
    t.chain AS chain, t.token AS token, countIf(t.block_time > n.now_at - 86400) AS moves24h,
    countIf(t.block_time > n.now_at - 604800) AS moves7d,
    uniqExactIf(if(t.sender = ${NOBODY}, t.recipient, t.sender), t.block_time > n.now_at - 604800) AS movers7d
  FROM evm_transfers AS t
  INNER JOIN (SELECT chain, max(block_time) AS now_at FROM evm_blocks GROUP BY chain) AS n ON n.chain = t.chain
  WHERE t.standard = 'erc20'
  GROUP BY chain, token
) AS m ON m.chain = b.chain AND m.token = b.token`

const SAID = `SELECT 'stacks' AS chain, contract, symbol, name, decimals FROM stx_tokens
UNION ALL
SELECT toString(e.chain), ${shown('e.token')}, e.symbol, e.name, e.decimals FROM evm_tokens AS e`

const MADE = `SELECT 'stacks' AS chain, contract, min(height) AS height
FROM stx_contracts
WHERE contract IN (SELECT splitByString('::', asset)[1] FROM stx_transfers WHERE standard = 'ft')
GROUP BY contract
UNION ALL
SELECT toString(c.chain), ${shown('c.contract')}, min(c.height)
FROM evm_contracts AS c
WHERE (c.chain, c.contract) IN (SELECT chain, token FROM evm_transfers WHERE standard = 'erc20')
GROUP BY c.chain, c.contract`

/** What the public metadata service says of a token. */
const METADATA = `SELECT contract, symbol, decimals
FROM stx_token_metadata
ORDER BY contract, asked_at DESC
LIMIT 1 BY contract`

/** How the word of the metadata service differs from that of the contract; null where it does not, or one of them is silent. */
function otherWordOf(
  own: Said | undefined,
  published: Pick<Said, 'symbol' | 'decimals'> | undefined,
): string | null {
  const isOther = <Word>(one: Word | null | undefined, other: Word | null | undefined): boolean =>
    one != null && other != null && one !== other
  const parts = [
    ...(isOther(own?.decimals, published?.decimals) ? [`${published?.decimals} decimals`] : []),
    ...(isOther(own?.symbol, published?.symbol) ? [`the symbol ${published?.symbol}`] : []),
  ]
  return parts.length === 0 ? null : `the Stacks API reports ${parts.join(' and ')}`
}

/** What publishers say of the tokens of the catalogue, the newest day of each. */
const PUBLISHED = `SELECT o.metric AS metric, o.entity AS entity, o.key AS key, argMax(ifNull(o.value, toFloat64(o.amount)), o.day) AS figure, toString(max(o.day)) AS day
FROM latest_observations AS o
WHERE metric IN ('token.price', 'token.liquidity', 'stables.by_token')
GROUP BY o.metric, o.entity, o.key`

/** Pools that it is in, and the price that the one with most behind it tells: on Stacks, of the newest day of each. */
const POOLED = `SELECT
  l.token AS token, l.liquidity AS liquidity, toString(l.day) AS day, if(p.usd > 0, p.usd * exp10(p.decimals), NULL) AS price
FROM (
  SELECT token, sum(tvl_usd) AS liquidity, max(day) AS day
  FROM (
    SELECT arrayJoin([token_x, token_y]) AS token, tvl_usd, day
    FROM stx_pool_values
    WHERE day = (SELECT max(day) FROM stx_pool_values)
  )
  WHERE token != ''
  GROUP BY token
) AS l
LEFT JOIN (SELECT token, day, usd, decimals FROM stx_token_prices WHERE steps > 0) AS p ON p.token = l.token AND p.day = l.day`

type PublishedRow = { metric: string; entity: string; key: string; figure: number | null; day: string }
type PooledRow = { token: string; liquidity: number | null; price: number | null; day: string }

type Said = {
  chain: string
  contract: string
  symbol: string | null
  name: string | null
  decimals: number | null
}

/** A figure that still counts, and the day of the newest there is. */
type Dated = { value: number | null; day: string | null }
type Listed = { token: CatalogToken; decimals: number | null; layer: string; contract: string }

/** Fungible tokens that moved in the blocks held, and those that the catalogue lists. */
export async function readFungibleTokens(
  reader: Reader,
  chains: readonly ChainId[],
  names: Names,
  catalog: Pick<Catalog, 'tokens'>,
  { chain }: { chain?: ChainId },
): Promise<FungibleTokens> {
  const [held, stacks, layers, said, made, published, metadata, pooled] = await Promise.all([
    readHeld(reader, chains),
    chain === undefined || chain === 'stacks' ? readRows<Row>(reader, STACKS) : [],
    chain === 'stacks' ? [] : readRows<Row>(reader, LAYERS),
    readRows<Said>(reader, SAID),
    readRows<{ chain: string; contract: string; height: number }>(reader, MADE),
    readRows<PublishedRow>(reader, PUBLISHED),
    chain === undefined || chain === 'stacks'
      ? readRows<Pick<Said, 'contract' | 'symbol' | 'decimals'>>(reader, METADATA)
      : [],
    chain === undefined || chain === 'stacks' ? readRows<PooledRow>(reader, POOLED) : [],
  ])
  const keyOf = (of: string, contract: string): string => `${of} ${contract.toLowerCase()}`
  const words = new Map(said.map(one => [keyOf(one.chain, one.contract), one]))
  const madeAt = new Map(made.map(one => [keyOf(one.chain, one.contract), one.height]))
  const now = knownNow()
  const isCurrent = (day: string): boolean => isCurrentPrice(day, now)
  const figures = new Map(published.map(one => [`${one.metric} ${one.entity} ${one.key}`, one]))
  const others = new Map(metadata.map(one => [keyOf('stacks', one.contract), one]))
  const pools = new Map(pooled.map(one => [keyOf('stacks', one.token), one]))
  const runs = new Map(held.map(run => [run.chain as string, run]))
  const listed = new Map(
    catalog.tokens.flatMap(token =>
      token.deployments.map(({ layer, contract, decimals }): [string, Listed] => [
        keyOf(layer, contract),
        { token, decimals, layer, contract },
      ]),
    ),
  )
  const symbols = new Set(
    catalog.tokens.flatMap(({ symbol, deployments }) =>
      deployments.map(({ layer }) => `${layer} ${symbol.toLowerCase()}`),
    ),
  )
  const dated = (metric: string, entity: string | undefined, key = ''): Dated => {
    const found = entity === undefined ? undefined : figures.get(`${metric} ${entity} ${key}`)
    return found?.figure == null
      ? { value: null, day: null }
      : { value: isCurrent(found.day) ? found.figure : null, day: found.day }
  }
  const ofSymbol = Map.groupBy(
    listed.values(),
    ({ token, layer }) => `${layer} ${token.symbol.toLowerCase()}`,
  )
  /** Of a stablecoin what is reported of its chain, where one deployment alone has the symbol; else supply × price. */
  const capOf = (row: Row, entry: Listed | undefined, supply: number | null, price: Dated): Dated => {
    const symbol = entry?.token.symbol ?? ''
    if (
      entry?.token.kind === 'stable' &&
      ofSymbol.get(`${row.chain} ${symbol.toLowerCase()}`)?.length === 1
    ) {
      const reported = dated('stables.by_token', row.chain, symbol)
      if (reported.day !== null) return reported
    }
    if (supply === null || price.day === null) return { value: null, day: null }
    return { value: price.value === null ? null : supply * price.value, day: price.day }
  }
  const itemOf = (row: Row, isMoved: boolean): FungibleToken => {
    const key = keyOf(row.chain, row.contract)
    const own = words.get(key)
    const entry = listed.get(key)
    const run = runs.get(row.chain)
    const inPools = pools.get(key)
    const isWhole =
      isMoved &&
      !row.least.startsWith('-') &&
      run !== undefined &&
      (run.isSinceGenesis || (madeAt.get(key) ?? -1) >= run.sinceHeight)
    const symbol = own?.symbol ?? entry?.token.symbol ?? null
    const decimals = own?.decimals ?? entry?.decimals ?? null
    const price = dated('token.price', entry?.token.id)
    const liquidity = dated('token.liquidity', entry?.token.id)
    const supply = isWhole && decimals !== null ? Number(row.supply) / 10 ** decimals : null
    const cap = capOf(row, entry, supply, price)
    const hasCurrentPools = inPools !== undefined && isCurrent(inPools.day)
    return {
      chain: row.chain,
      asset: row.asset,
      contract: row.contract,
      known: names(row.chain, row.contract),
      symbol,
      name: own?.name ?? entry?.token.name ?? null,
      decimals,
      kind: entry?.token.kind ?? null,
      isListed: entry !== undefined,
      isNamesake:
        entry === undefined && symbol !== null && symbols.has(`${row.chain} ${symbol.toLowerCase()}`),
      otherWord: otherWordOf(own, others.get(key)),
      supply: isWhole ? row.supply : null,
      holderCount: isWhole ? Number(row.holders) : null,
      transferCount24h: countOfDays(run, row.moves24h, 1),
      transferCount7d: countOfDays(run, row.moves7d, 7),
      moverCount7d: countOfDays(run, row.movers7d, 7),
      countDay: run?.time.slice(0, 10) ?? null,
      priceUsd: price.value,
      priceDay: price.day,
      capUsd: cap.value,
      capDay: cap.day,
      liquidityUsd: liquidity.value,
      liquidityDay: liquidity.day,
      pools:
        inPools === undefined
          ? null
          : {
              priceUsd: hasCurrentPools ? inPools.price : null,
              liquidityUsd: hasCurrentPools ? inPools.liquidity : null,
              day: inPools.day,
            },
    }
  }
  const moved = [...stacks, ...layers].filter(row => chain === undefined || row.chain === chain)
  const seen = new Set(moved.map(row => keyOf(row.chain, row.contract)))
  const still = [...listed]
    .filter(
      ([key, { layer }]) =>
        !seen.has(key) &&
        layer !== 'bitcoin' &&
        chains.includes(layer) &&
        (chain === undefined || layer === chain),
    )
    .map(
      ([, { layer, contract }]): Row => ({
        chain: layer as ChainId,
        asset: contract,
        contract,
        supply: '0',
        holders: '0',
        least: '0',
        moves24h: '0',
        moves7d: '0',
        movers7d: '0',
      }),
    )
  return {
    held: held.filter(run => run.chain !== 'bitcoin' && (chain === undefined || run.chain === chain)),
    items: [...moved.map(row => itemOf(row, true)), ...still.map(row => itemOf(row, false))]
      .sort(byFigures)
      .slice(0, SHOWN),
  }
}

const SHOWN = 500

/** Tokens with a market cap lead, the largest first, then those with a price. Those without any figure are last, nameless ones behind others. */
const byFigures = (a: FungibleToken, b: FungibleToken): number =>
  (b.capUsd ?? -1) - (a.capUsd ?? -1) ||
  Number(hasPrice(b)) - Number(hasPrice(a)) ||
  Number(hasFigure(b)) - Number(hasFigure(a)) ||
  Number(hasName(b)) - Number(hasName(a)) ||
  (b.transferCount7d ?? 0) - (a.transferCount7d ?? 0) ||
  Number(b.isListed) - Number(a.isListed) ||
  (a.symbol ?? a.asset).localeCompare(b.symbol ?? b.asset, 'en')

const hasPrice = ({ priceUsd, pools }: FungibleToken): boolean => (pools?.priceUsd ?? priceUsd) !== null

const hasName = ({ symbol, name }: FungibleToken): boolean => (symbol ?? name) !== null

const hasFigure = ({ pools, liquidityUsd, supply, holderCount, transferCount7d }: FungibleToken): boolean =>
  [pools?.liquidityUsd ?? liquidityUsd, supply, holderCount, transferCount7d].some(figure => figure !== null)
