import type { TokenRules } from '#catalog/index.ts'
import { visibleText } from '#chains/stacks/index.ts'
import type { TokenBook } from '../sentences/index.ts'
import type { TokenFlag } from './safety.ts'

/** What the contract of a token answers of itself; null: not asked, or no answer. */
export type ToldRow = {
  contract: string
  name: string | null
  symbol: string | null
  decimals: number | null
  totalSupply: string | null
}
/** How a token moved in the newest 30 days. */
export type MoveRow = { asset: string; moves: string; recipients: string; senderShare: number }

/** What a token says of itself, held against what the catalogue knows. */
export function claimFlags(
  tokens: TokenBook,
  token: {
    contract: string
    symbol: string
    decimals: number | null
    isListed: boolean
    own: ToldRow | undefined
  },
): TokenFlag[] {
  const flags: TokenFlag[] = []
  const taken = token.isListed ? undefined : tokens.symbolTaken(token.symbol)
  if (taken !== undefined)
    flags.push({
      id: 'lying-symbol',
      label: `Not the ${taken} that is known`,
      means: `It is called "${visibleText(token.symbol, 24)}", which reads like ${taken}, and its contract is another.`,
      grade: 'severe',
      functions: [],
      from: 'claims',
    })
  const told = token.own?.decimals
  if (token.isListed && told != null && token.decimals !== null && told !== token.decimals)
    flags.push({
      id: 'decimals-differ',
      label: 'Decimals differ',
      means: `Its contract now returns ${told} decimals, but its source had ${token.decimals}. Amounts use the source.`,
      grade: 'severe',
      functions: [],
      from: 'claims',
    })
  if (!token.isListed && (token.decimals === null || token.decimals > 18))
    flags.push({
      id: 'decimals-odd',
      label: token.decimals === null ? 'Decimals unknown' : `${token.decimals} decimals`,
      means: 'Its amounts cannot be compared with those of other tokens.',
      grade: 'caution',
      functions: [],
      from: 'claims',
    })
  return flags
}

/**
 * Why a stranger is left out of lists; null where it stays. That nobody swapped it is known only where every block of the
 * window is indexed (`isCovered`).
 */
export function spamReason(
  { spam }: Pick<TokenRules, 'spam'>,
  words: string,
  move: Pick<MoveRow, 'recipients' | 'senderShare'> | undefined,
  swap: unknown,
  isCovered: boolean,
): string | null {
  if (new RegExp(spam.names, 'i').test(words)) return 'its name is an address of the web, or a promise'
  const isSentOut =
    move !== undefined && Number(move.recipients) >= spam.recipients && move.senderShare >= spam.senderShare
  if (swap !== undefined || !isSentOut) return null
  return isCovered
    ? 'never swapped, and one sender distributed nearly all of it'
    : 'one sender sent nearly all of it out in the indexed blocks'
}
