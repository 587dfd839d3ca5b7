import type { ClarityValue } from '#chains/stacks/index.ts'
import { visibleText } from '#chains/stacks/index.ts'
import { type Flow, flowParts } from './moves.ts'
import { plain, type SentencePart } from './sentence.ts'
import { amountPart, symbolPart, type TokenBook, unitsText } from './tokens.ts'
import {
  bitcoinAddressText,
  hexPart,
  looseParts,
  opened,
  principalPart,
  textOfValue,
  valueAt,
} from './values.ts'

/** What a pattern speaks of. */
export type Told = {
  readonly contract: string
  readonly functionName: string
  /** Arguments of a call in their order; of a print the one value. */
  readonly values: readonly (ClarityValue | undefined)[]
  /** True: it happened. False: it was tried and failed. Null: nobody says yet. */
  readonly isDone: boolean | null
  /** What the sender really gave and got; null where that is not told. */
  readonly flows: readonly Flow[] | null
  readonly tokens: TokenBook
  /** What the protocol is called; empty where the catalogue knows none. */
  readonly app: string
}

/** Says something of what is told; null where there is nothing to say. */
export type Speaker = (told: Told) => readonly SentencePart[] | null

/** Where a gap looks: an argument by its place (null: the whole value) and fields within. */
export type Path = { readonly index: number | null; readonly fields: readonly string[] }

/** Names of the arguments; null for a print, whose fields are not known beforehand. */
export type Scope = { readonly args: readonly string[] | null }

type Making = { path(word: string): Path; fault(reason: string): Error }
type Make = (words: readonly string[], making: Making) => Speaker

const lookUp = (told: Told, { index, fields }: Path): ClarityValue | undefined =>
  valueAt(told.values[index ?? 0], fields)

const integerOf = (value: ClarityValue | undefined): bigint | null =>
  value?.type === 'uint' || value?.type === 'int' ? value.value : null

type TokenRef = (told: Told) => string | null

/** `@STX`, `@self` (the contract itself), `@address.contract`, or a path to a principal. */
function tokenRef(word: string | undefined, { path, fault }: Making): TokenRef {
  if (word === undefined) throw fault('needs a token: a path, @STX, @self or @ and a contract')
  if (word === '@self') return told => told.contract
  if (word.startsWith('@')) {
    const id = word.slice(1)
    return () => id
  }
  const at = path(word)
  return told => {
    const value = lookUp(told, at)
    return value?.type === 'principal' ? value.value : null
  }
}

/** Words of a gap: `max:` or `exact:` before its path, `/8` for the places of its amounts. */
function amountGap(words: readonly string[], making: Making) {
  const [first, token, places, ...more] = words
  if (first === undefined || more.length > 0 || (places !== undefined && !/^\/\d+$/.test(places)))
    throw making.fault('is written {kind path token /places}')
  const [, bound, word = ''] = /^(?:(max|exact|min):)?(.*)$/.exec(first) ?? []
  return {
    bound,
    at: making.path(word),
    token: tokenRef(token, making),
    decimals: places === undefined ? undefined : Number(places.slice(1)),
  }
}

const BOUNDS: Readonly<Record<string, string>> = { max: 'at most ', min: 'at least ' }

/** What really moved decides; the argument speaks where that is not told. */
const flowing =
  (direction: 'given' | 'got', usual: 'exact' | 'min'): Make =>
  (words, making) => {
    if (words.length === 0) return told => told.flows && flowParts(told.flows, direction, told.tokens)
    const { bound = usual, at, token, decimals } = amountGap(words, making)
    return told => {
      const id = token(told)
      const moved =
        told.isDone === true && told.flows !== null
          ? flowParts(told.flows, direction, told.tokens, id ?? undefined)
          : null
      if (moved !== null) return moved
      const amount = integerOf(lookUp(told, at))
      if (id === null) return amount === null ? null : [plain(`${unitsText(amount, 0)} base units`)]
      if (amount === null || (amount <= 1n && bound === 'min')) return [symbolPart(told.tokens, id)]
      const part = amountPart(told.tokens, id, amount, decimals)
      return BOUNDS[bound] === undefined ? [part] : [plain(BOUNDS[bound]), part]
    }
  }

const ofValue =
  (say: (value: ClarityValue, told: Told) => readonly SentencePart[] | null): Make =>
  (words, { path, fault }) => {
    if (words.length !== 1) throw fault('needs one path')
    const at = path(words[0]!)
    return told => {
      const value = lookUp(told, at)
      return value === undefined ? null : say(value, told)
    }
  }

const counted = (count: bigint | number, word: string): readonly SentencePart[] => {
  const isOne = BigInt(count) === 1n
  const plural = /[^aeou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`
  return [plain(`${unitsText(BigInt(count), 0)} ${(isOne ? word : plural).replaceAll('_', ' ')}`)]
}

/** Every kind of gap that a pattern may have. */
export const KINDS: Readonly<Record<string, Make>> = {
  /** `{amount path token /places}`: an amount as the argument or print says. */
  amount: (words, making) => {
    const { bound, at, token, decimals } = amountGap(words, making)
    return told => {
      const amount = integerOf(lookUp(told, at))
      const id = token(told)
      if (amount === null) return null
      if (id === null) return [plain(`${unitsText(amount, 0)} base units`)]
      const part = amountPart(told.tokens, id, amount, decimals)
      return bound === undefined || BOUNDS[bound] === undefined ? [part] : [plain(BOUNDS[bound]), part]
    }
  },
  sent: flowing('given', 'exact'),
  got: flowing('got', 'min'),
  /** `{sum list field token}`: amounts of the items of a list, added. */
  sum: (words, making) => {
    const [list = '', field = '', token] = words
    const at = making.path(list)
    const ref = tokenRef(token, making)
    return told => {
      const value = lookUp(told, at)
      const id = ref(told)
      if (value?.type !== 'list' || id === null) return null
      const sum = value.items.reduce((all, item) => all + (integerOf(valueAt(item, [field])) ?? 0n), 0n)
      return [amountPart(told.tokens, id, sum)]
    }
  },
  stx: (words, making) => KINDS.amount!([...words, '@STX'], making),
  sats: (words, making) => KINDS.amount!([...words, `@${SBTC}`], making),
  token: (words, making) => {
    const ref = tokenRef(words[0], making)
    return told => {
      const id = ref(told)
      return id === null ? null : [symbolPart(told.tokens, id)]
    }
  },
  /** `{nft collection id}`. */
  nft: (words, making) => {
    const ref = tokenRef(words[0], making)
    const at = making.path(words[1] ?? '')
    return told => {
      const id = ref(told)
      const value = lookUp(told, at)
      if (id === null || value === undefined) return null
      const name = told.tokens.collection(id) ?? id.split('.')[1] ?? id
      const number = integerOf(value)
      return [
        { text: visibleText(name, 60), principal: id },
        ...(number === null ? [plain(' '), ...looseParts(value)] : [plain(` #${number}`)]),
      ]
    }
  },
  who: ofValue(value => (value.type === 'principal' ? [principalPart(value.value)] : looseParts(value))),
  n: ofValue(value => {
    const number = integerOf(value)
    return number === null ? null : [plain(unitsText(number, 0))]
  }),
  /** `{count path word}`: length of a list, or a number, with its word: `12 cycles`. */
  count: (words, { path, fault }) => {
    const [first = '', word] = words
    if (word === undefined) throw fault('needs a path and a word')
    const at = path(first)
    return told => {
      const value = lookUp(told, at)
      if (value?.type === 'list') return counted(value.items.length, word)
      const number = integerOf(value)
      return number === null ? null : counted(number, word)
    }
  },
  text: ofValue(value => {
    const text = textOfValue(value)
    return text === null || text.trim() === '' ? null : [plain(`“${visibleText(text)}”`)]
  }),
  /** Name in a namespace: `{fqn name namespace}` or `{fqn tuple}`. */
  fqn: (words, { path }) => {
    const name = path(words.length === 1 ? `${words[0]}.name` : (words[0] ?? ''))
    const namespace = path(words.length === 1 ? `${words[0]}.namespace` : (words[1] ?? ''))
    return told => {
      const [first, second] = [textOfValue(lookUp(told, name)), textOfValue(lookUp(told, namespace))]
      return first === null || second === null ? null : [plain(visibleText(`${first}.${second}`))]
    }
  },
  /** A text without quotes, for names. */
  name: ofValue(value => {
    const text = textOfValue(value)
    return text === null ? null : [plain(visibleText(text))]
  }),
  hex: ofValue(value => (value.type === 'buffer' ? [plain(hexPart(value.value))] : null)),
  /** `{pct path scale}`: a share of `scale`, in per cent. */
  pct: (words, { path, fault }) => {
    const [first = '', scale = ''] = words
    if (!/^10+$/.test(scale)) throw fault('needs a path and a scale such as 10000')
    const at = path(first)
    const places = scale.length - 3
    return told => {
      const number = integerOf(lookUp(told, at))
      if (number === null) return null
      return [plain(`${places < 0 ? number * 10n ** BigInt(-places) : unitsText(number, places)} %`)]
    }
  },
  /** `{is path yes no}`: one of two words; underscores are spaces, `-` is nothing. */
  is: (words, { path, fault }) => {
    const [first = '', yes, no] = words
    if (yes === undefined || no === undefined) throw fault('needs a path and two words')
    const at = path(first)
    const [ifTrue, ifFalse] = [yes, no].map(word => [plain(word === '-' ? '' : word.replaceAll('_', ' '))])
    return told => {
      const value = opened(lookUp(told, at))
      return value?.type === 'bool' ? (value.value ? ifTrue! : ifFalse!) : null
    }
  },
  btc: ofValue(value => {
    const address = bitcoinAddressText(value)
    return address === null ? null : [plain(address)]
  }),
  any: ofValue(value => looseParts(value)),
  app: () => told => [plain(told.app)],
  self: () => told => [{ text: told.contract.split('.')[1] ?? told.contract, principal: told.contract }],
}

const SBTC = 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token'
