import type { Catalog, TokenRules } from '#catalog/index.ts'
import { parseInterface, visibleText } from '#chains/stacks/index.ts'
import { countedOver, coversDays, indexedHoursOf, readHeld } from '../../across/chains.ts'
import { isoOf, type Reader, readRows } from '../../readRows.ts'
import type { NameBook } from '../names.ts'
import { amountPart, type Sentences } from '../sentences/index.ts'
import { claimFlags, type MoveRow, spamReason, type ToldRow } from './claims.ts'
import type { Coin, Coins, NewCoin } from './coin.ts'
import {
  HOLDERS_SQL,
  LIQUIDITY_SQL,
  MADE_SQL,
  MINTS_SQL,
  MOVES_SQL,
  SOURCES_SQL,
  SWAPS_SQL,
  TRADES_SQL,
  USED_SQL,
} from './coinSql.ts'
import { type TokenFlag, tokenFlags } from './safety.ts'

type Deps = {
  reader: Reader
  catalog: Pick<Catalog, 'tokens'>
  sentences: Sentences
  rules: TokenRules
  names: NameBook
}

type HolderRow = {
  asset: string
  holders: number
  top10Share: number | null
  gini: number | null
  supply: string
  hasNegative: number | boolean
  contracts: number
}
type SwapRow = {
  token: string
  trades: string
  buyers: string
  sellers: string
  volumeUstx: string
  volumeBeforeUstx: string
  boughtUstx: string
  ustxPerUnit: number | null
  ustxPerUnit1h: number | null
  ustxPerUnit24h: number | null
  ustxPerUnit7d: number | null
}

const contractOf = (asset: string): string => asset.split('::')[0] ?? asset
const byKey = <Row>(rows: readonly Row[], key: (row: Row) => string) =>
  new Map(rows.map(row => [key(row), row]))

/** Kinds of the catalogue that are no coins for people: parts of pools, wrappers, shares. */
const NO_COINS = new Set(['LP', 'wrapped', 'liquid-staking', 'yield', 'native'])

/** Coins of a kind: those of the catalogue, and of memes every stranger that moved or was swapped in the newest 30 days. */
export async function readCoins(
  { reader, catalog, sentences, rules, names }: Deps,
  kind: 'meme' | 'stable',
): Promise<Coins> {
  const [[run], moves, swaps, liquidity, made] = await Promise.all([
    readHeld(reader, ['stacks']),
    readRows<MoveRow>(reader, MOVES_SQL),
    readRows<SwapRow>(reader, SWAPS_SQL),
    readRows<{ token: string; liquidityUstx: string }>(reader, LIQUIDITY_SQL),
    kind === 'meme' ? readRows<Omit<NewCoin, 'time'> & { timeS: number }>(reader, MADE_SQL) : [],
  ])
  const custody = new Map(
    catalog.tokens.flatMap(token =>
      token.deployments.flatMap(({ layer, contract }) =>
        layer === 'stacks' && token.custody !== undefined ? [[contract, token.custody] as const] : [],
      ),
    ),
  )
  const listed = byKey(sentences.coins, ({ asset }) => asset)
  const ofKind = sentences.coins.filter(coin => coin.kind === kind).map(({ asset }) => asset)
  const listedContracts = new Set(sentences.coins.map(({ asset }) => contractOf(asset)))
  const strangers =
    kind === 'meme'
      ? moves
          .map(({ asset }) => asset)
          .filter(asset => !listed.has(asset) && !listedContracts.has(contractOf(asset)))
      : []
  const assets = [...ofKind, ...strangers].filter(asset => !NO_COINS.has(listed.get(asset)?.kind ?? ''))
  const contracts = [...new Set(assets.map(contractOf))]
  const [holders, told, sources, trades, mints, used] = await Promise.all([
    readRows<HolderRow>(reader, HOLDERS_SQL, { assets, leftOut: rules.leftOut.addresses }),
    readRows<ToldRow>(
      reader,
      'SELECT contract, name, symbol, decimals, toString(total_supply) AS totalSupply FROM stx_tokens WHERE contract IN {contracts:Array(String)}',
      { contracts: [...new Set([...contracts, ...strangers.map(contractOf)])] },
    ),
    readRows<{
      contract: string
      source: string
      interface: string
      madeS: number
      isWhole: number | boolean
    }>(reader, SOURCES_SQL, { contracts }),
    readRows<
      Record<'txid' | 'protocol' | 'trader' | 'given' | 'got' | 'givenAmount' | 'gotAmount', string> & {
        timeS: number
      }
    >(reader, TRADES_SQL, { contracts }),
    kind === 'stable'
      ? readRows<Record<'txid' | 'asset' | 'action' | 'who' | 'amount', string> & { timeS: number }>(
          reader,
          MINTS_SQL,
          { assets },
        )
      : [],
    readRows<{ asset: string; holder: string; balance: string }>(reader, USED_SQL, { assets }),
  ])
  const tokens = sentences.tokens.with(told)
  const isCovered = { moves: coversDays(run, 30), trades: coversDays(run, 7), before: coversDays(run, 14) }
  const maps = {
    moves: byKey(moves, ({ asset }) => asset),
    swaps: byKey(swaps, ({ token }) => token),
    liquidity: byKey(liquidity, ({ token }) => token),
    holders: byKey(holders, ({ asset }) => asset),
    told: byKey(told, ({ contract }) => contract),
    sources: byKey(sources, ({ contract }) => contract),
    used: Map.groupBy(used, ({ asset }) => asset),
  }
  const all = assets.map(asset => coinOf(asset))
  const nameOf = (address: string) => names.primary(address) ?? null
  return {
    coins: all.filter(({ spam }) => spam === null).sort(byVolume),
    leftOut: all.filter(({ spam }) => spam !== null),
    indexedHours: indexedHoursOf(run),
    trades: trades.map(({ timeS, given, got, givenAmount, gotAmount, ...trade }) => ({
      ...trade,
      traderName: nameOf(trade.trader),
      time: isoOf(timeS),
      given: amountPart(tokens, given, BigInt(givenAmount)).text,
      got: amountPart(tokens, got, BigInt(gotAmount)).text,
    })),
    mints: mints.map(({ timeS, asset, amount, ...mint }) => ({
      ...mint,
      whoName: nameOf(mint.who),
      time: isoOf(timeS),
      words: amountPart(tokens, asset, BigInt(amount)).text,
    })),
    made: made.map(({ timeS, ...coin }) => ({
      ...coin,
      deployerName: nameOf(coin.deployer),
      time: isoOf(timeS),
    })),
  }

  function coinOf(asset: string): Coin {
    const contract = contractOf(asset)
    const facts = listed.get(asset)
    const own = maps.told.get(contract)
    const holding = maps.holders.get(asset)
    const swap = maps.swaps.get(contract)
    const move = maps.moves.get(asset)
    const source = maps.sources.get(contract)
    const decimals = facts?.decimals ?? own?.decimals ?? null
    const isWhole =
      holding !== undefined &&
      !Number(holding.hasNegative) &&
      (Number(source?.isWhole ?? 0) === 1 || (own?.totalSupply ?? '') === holding.supply)
    const symbol = facts?.symbol ?? (visibleText(own?.symbol ?? '', 24) || (asset.split('::')[1] ?? contract))
    const name = facts?.name ?? visibleText(own?.name ?? '', 60)
    const perCoin = (perUnit: number | null | undefined) =>
      perUnit == null || decimals === null ? null : perUnit * 10 ** decimals
    const price = perCoin(swap?.ustxPerUnit)
    const changeFrom = (perUnit: number | null | undefined) => {
      const before = perCoin(perUnit)
      return price === null || !before ? null : price / before - 1
    }
    const supply = isWhole ? holding.supply : (own?.totalSupply ?? null)
    return {
      contract,
      asset,
      symbol,
      name,
      decimals,
      listed: facts?.kind ?? null,
      custody: custody.get(contractOf(asset)) ?? null,
      holders: isWhole ? holding.holders : null,
      top10Share: isWhole ? holding.top10Share : null,
      gini: isWhole ? holding.gini : null,
      contracts: isWhole ? holding.contracts : null,
      supply,
      madeAt: source === undefined ? null : isoOf(source.madeS),
      moves: countedOver(Number(move?.moves ?? 0), isCovered.moves),
      ...tradesOf(swap),
      priceUstx: price,
      change1h: changeFrom(swap?.ustxPerUnit1h),
      change24h: changeFrom(swap?.ustxPerUnit24h),
      change7d: changeFrom(swap?.ustxPerUnit7d),
      mcapUstx:
        price === null || supply === null || decimals === null
          ? null
          : (Number(supply) / 10 ** decimals) * price,
      liquidityUstx: maps.liquidity.get(contract)?.liquidityUstx ?? null,
      flags: flagsOf({ asset, symbol, decimals, isListed: facts !== undefined, own, source }),
      spam: facts === undefined ? spamReason(rules, `${symbol} ${name}`, move, swap, isCovered.moves) : null,
      usedBy: (maps.used.get(asset) ?? []).map(({ holder, balance }) => ({
        contract: holder,
        words: amountPart(tokens, asset, BigInt(balance)).text,
      })),
    }
  }

  /** Swaps of the newest 7 days; unknown where there is none and blocks of those days are missing. */
  function tradesOf(
    swap: SwapRow | undefined,
  ): Pick<Coin, 'trades' | 'buyers' | 'sellers' | 'volumeUstx' | 'volumeBeforeUstx' | 'netBoughtUstx'> {
    const trades = countedOver(Number(swap?.trades ?? 0), isCovered.trades)
    const volumeBeforeUstx = isCovered.before ? (swap?.volumeBeforeUstx ?? '0') : null
    if (trades === null)
      return {
        trades,
        buyers: null,
        sellers: null,
        volumeUstx: null,
        volumeBeforeUstx,
        netBoughtUstx: null,
      }
    return {
      trades,
      buyers: Number(swap?.buyers ?? 0),
      sellers: Number(swap?.sellers ?? 0),
      volumeUstx: swap?.volumeUstx ?? '0',
      volumeBeforeUstx,
      // What is missing may be more of either side.
      netBoughtUstx: isCovered.trades
        ? String(2n * BigInt(swap?.boughtUstx ?? 0) - BigInt(swap?.volumeUstx ?? 0))
        : null,
    }
  }

  function flagsOf({
    asset,
    symbol,
    decimals,
    isListed,
    own,
    source,
  }: {
    asset: string
    symbol: string
    decimals: number | null
    isListed: boolean
    own: ToldRow | undefined
    source: { source: string; interface: string } | undefined
  }): TokenFlag[] | null {
    const contract = contractOf(asset)
    const functions =
      sentences.functionsOf(contract) ??
      (source === undefined || source.interface === '' ? null : publicNames(source.interface))
    const claims = claimFlags(tokens, { contract, symbol, decimals, isListed, own })
    const flags = tokenFlags(rules.rules, source?.source ?? null, functions)
    return flags === null ? (claims.length === 0 ? null : claims) : [...claims, ...flags]
  }
}

const publicNames = (json: string): string[] =>
  [...parseInterface(JSON.parse(json)).functions.values()]
    .filter(({ access }) => access === 'public')
    .map(({ name }) => name)

const byVolume = (a: Coin, b: Coin): number => {
  const difference = BigInt(b.volumeUstx ?? 0) - BigInt(a.volumeUstx ?? 0)
  if (difference !== 0n) return difference > 0n ? 1 : -1
  return (b.moves ?? 0) - (a.moves ?? 0) || (a.contract < b.contract ? -1 : 1)
}
