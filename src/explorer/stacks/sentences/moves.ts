import type { SentencePart } from './sentence.ts'
import { amountPart, spokenOf, type TokenBook } from './tokens.ts'

/** An amount that really moved, by the events of a transaction. `asset` is empty for STX. */
export type Move = {
  readonly standard: string
  readonly asset: string
  readonly sender: string | null
  readonly recipient: string | null
  readonly amount: string | bigint
  readonly tokenRepr?: string
}

export type Flow = { readonly asset: string; amount: bigint }

/** What a principal gave (negative) or got over all, by asset, in the order in which it moved first. */
export function flowsOf(moves: readonly Move[], principal: string): Flow[] {
  const flows: Flow[] = []
  for (const { standard, asset, sender, recipient, amount } of moves) {
    if (standard === 'nft' || sender === recipient) continue
    const sign = recipient === principal ? 1n : sender === principal ? -1n : 0n
    if (sign === 0n) continue
    const change = sign * BigInt(amount)
    const flow = flows.find(one => one.asset === asset)
    if (flow === undefined) flows.push({ asset, amount: change })
    else flow.amount += change
  }
  return flows.filter(({ amount }) => amount !== 0n)
}

/** What was given or got, in words: of `token` alone where that moved, else everything. Null where nothing did. */
export function flowParts(
  flows: readonly Flow[],
  direction: 'given' | 'got',
  book: TokenBook,
  token?: string,
): SentencePart[] | null {
  const there = flows.filter(({ amount }) => (direction === 'got' ? amount > 0n : amount < 0n))
  const wanted = token === undefined ? undefined : spokenOf(book, book.of(token))?.asset
  const meant = there.filter(
    ({ asset }) => spokenOf(book, book.of(asset))?.asset === wanted || asset.split('::')[0] === token,
  )
  const told = meant.length === 0 ? there : meant
  if (told.length === 0) return null
  return told.flatMap(({ asset, amount }, index) => {
    const part = amountPart(book, asset === '' ? 'STX' : asset, amount < 0n ? -amount : amount)
    if (index === 0) return [part]
    return [{ text: index === told.length - 1 ? ' and ' : ', ' }, part]
  })
}
