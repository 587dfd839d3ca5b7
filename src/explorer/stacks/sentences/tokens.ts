import { symbolAsRead, visibleText } from '#chains/stacks/index.ts'
import type { SentencePart } from './sentence.ts'

/** A fungible token as sentences speak of it. */
export type TokenFacts = {
  /** `contract::asset`, or `STX`. */
  readonly asset: string
  readonly symbol: string
  /** Null where nobody says: amounts then stand in base units. */
  readonly decimals: number | null
  /** The catalogue has read its contract: its symbol is no claim of a stranger. */
  readonly isListed: boolean
  /** What it wraps one to one: a contract, or `STX`. Sentences speak of that. */
  readonly standsFor?: string
}

/** A token as its contract describes itself: none of it can be proved. */
export type ToldToken = {
  readonly contract: string
  readonly symbol: string | null
  readonly decimals: number | null
}

export type TokenBook = {
  /** By contract, by `contract::asset`, or `STX`. */
  of(id: string): TokenFacts | undefined
  /** Name of a collection of NFTs, by the same; undefined where the catalogue has none. */
  collection(id: string): string | undefined
  /** The listed symbol that this one reads like; undefined for none. */
  symbolTaken(symbol: string): string | undefined
  /** The same book with what contracts tell of themselves. */
  with(told: readonly ToldToken[]): TokenBook
}

export type ListedToken = {
  readonly asset: string
  readonly symbol: string
  readonly decimals: number
  readonly standsFor?: string | undefined
  readonly name: string
  /** As the catalogue sorts tokens: `meme`, `stable`, `wrapped` … */
  readonly kind: string
}

const STX: TokenFacts = { asset: 'STX', symbol: 'STX', decimals: 6, isListed: true }

export function createTokenBook(
  listed: readonly ListedToken[],
  collections: readonly { readonly asset: string; readonly name: string }[],
): TokenBook {
  const known = new Map<string, TokenFacts>([
    ['STX', STX],
    ['', STX],
  ])
  for (const { asset, symbol, decimals, standsFor } of listed) {
    const facts = { asset, symbol, decimals, isListed: true, ...(standsFor !== undefined && { standsFor }) }
    known.set(asset, facts)
    const contract = contractOf(asset)
    // The first asset of a contract is the one that its standard functions are about.
    if (!known.has(contract)) known.set(contract, facts)
  }
  const names = new Map(
    collections.flatMap(({ asset, name }) => [
      [asset, name],
      [contractOf(asset), name],
    ]),
  )
  const symbols = new Map([...known.values()].map(({ symbol }) => [symbolAsRead(symbol), symbol]))
  const book = (told: ReadonlyMap<string, TokenFacts>): TokenBook => ({
    of: id => known.get(id) ?? told.get(id) ?? told.get(contractOf(id)),
    collection: id => names.get(id),
    symbolTaken: symbol => symbols.get(symbolAsRead(symbol)),
    with: more => book(new Map(more.map(token => [token.contract, strangerOf(token, symbols)]))),
  })
  return book(new Map())
}

const contractOf = (asset: string): string => asset.split('::')[0] ?? asset

/** A token that nobody has listed: a symbol that reads like a listed one stands in quotes, with whose it is. */
function strangerOf(token: ToldToken, symbols: ReadonlyMap<string, string>): TokenFacts {
  const { contract, decimals } = token
  const name = contract.split('.')[1] ?? contract
  const symbol = visibleText(token.symbol ?? '', 24) || name
  const isTaken = symbols.has(symbolAsRead(symbol))
  return {
    asset: contract,
    symbol: isTaken
      ? `“${symbol}” of ${contract.slice(0, 5)}…${contract.slice(contract.indexOf('.') - 3)}`
      : symbol,
    decimals,
    isListed: false,
  }
}

/** 1234500 with 6 decimals: `1.2345`; every digit, thousands in groups. */
export function unitsText(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? '−' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return `${sign}${whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** An amount of a token with its symbol. `decimals` overrides the token’s own: some protocols count all tokens alike. */
export function amountPart(book: TokenBook, id: string, amount: bigint, decimals?: number): SentencePart {
  const token = book.of(id)
  const shown = spokenOf(book, token)
  if (token === undefined || shown === undefined) {
    const name = id.split('::')[1] ?? id.split('.')[1] ?? id
    const units = unitsText(amount, decimals ?? 0)
    // Where the protocol itself says the places of its amounts, they are no base units.
    return { text: decimals === undefined ? `${units} base units of ${name}` : `${units} ${name}`, asset: id }
  }
  const places = decimals ?? token.decimals
  if (places === null)
    return { text: `${unitsText(amount, 0)} base units of ${shown.symbol}`, asset: shown.asset }
  return { text: `${unitsText(amount, places)} ${shown.symbol}`, asset: shown.asset }
}

/** A token by its symbol alone. */
export function symbolPart(book: TokenBook, id: string): SentencePart {
  const shown = spokenOf(book, book.of(id))
  return shown === undefined
    ? { text: id.split('::')[1] ?? id.split('.')[1] ?? id, asset: id }
    : { text: shown.symbol, asset: shown.asset }
}

/** Whose name is spoken: that of the token which it stands for. */
export const spokenOf = (book: TokenBook, token: TokenFacts | undefined): TokenFacts | undefined =>
  token?.standsFor === undefined ? token : (book.of(token.standsFor) ?? token)
