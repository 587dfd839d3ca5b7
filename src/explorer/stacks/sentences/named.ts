import type { Told } from './placeholders.ts'
import { plain, type SentencePart } from './sentence.ts'
import { symbolPart } from './tokens.ts'
import { looseParts, opened, principalPart } from './values.ts'
import { past } from './verbs.ts'

/** Most arguments that a sentence names: the page of the transaction has all. */
const MOST_NAMED = 5

/** First words of names that are no verb as they stand: the verb that is meant, and what it is about. */
const MEANT: Readonly<Record<string, readonly [verb: string, rest?: string]>> = {
  authorise: ['authorize'],
  calc: ['calculate'],
  callback: ['answer', 'the call back of a contract'],
  collateralize: ['pledge', 'collateral'],
  create2: ['create'],
  desallocate: ['take', 'back'],
  finalise: ['finalize'],
  get: ['ask', 'for'],
  init: ['initialize'],
  initialise: ['initialize'],
  is: ['check', 'who calls:'],
  socialise: ['socialize'],
  sum: ['add', 'up'],
  unbid: ['cancel', 'the bid'],
  withdrawal: ['withdraw'],
}

/** Words before a verb that say as whom, not what. */
const AS_WHOM: Readonly<Record<string, string>> = {
  admin: 'as its administrator',
  dao: 'as the DAO',
  edg: 'as the DAO',
  emergency: 'in an emergency',
  hermetica: 'on Hermetica',
  mb: 'on the bridge',
  mng: 'as the manager',
  pool: 'for the pool',
  protocol: 'as the protocol',
  test: 'as a test',
  x: 'across chains',
  zest: 'on Zest',
}

/** Words as people write them. */
const SPELLED: Readonly<Record<string, string>> = {
  addr: 'address',
  amt: 'amount',
  btc: 'BTC',
  cumm: 'cumulative',
  dao: 'DAO',
  ft: 'token',
  ip: 'IP',
  lp: 'LP',
  ltv: 'LTV',
  mgmt: 'management',
  nft: 'NFT',
  perf: 'performance',
  sbtc: 'sBTC',
  sip010: 'SIP-010 token',
  ststx: 'stSTX',
  stx: 'STX',
  uri: 'URI',
  usda: 'USDA',
  usdh: 'USDh',
  ustx: 'micro-STX',
}

/** Verbs whose one argument says whether it is done or undone. */
const UNDONE: Readonly<Record<string, string>> = {
  approve: 'disapprove',
  enable: 'disable',
  pause: 'unpause',
  whitelist: 'unlist',
}

/** One thing is set to one value. */
const SETTING = new Set(['set', 'update', 'change', 'adjust', 'reset'])

type Verb = { readonly verb: string; readonly rest: readonly string[]; readonly asWhom: string }

/**
 * What a function does by the words of its name: programmers begin it with a verb. Null where no word of it is a verb, as in a
 * name that is a noun.
 */
export function verbOf(functionName: string): Verb | null {
  const words = wordsOf(functionName)
  const meant = (word: string): readonly [string, string?] => MEANT[word] ?? [word]
  const at = words.findIndex((word, index) => {
    const [verb] = meant(word)
    return past(verb) !== undefined && (index === 0 || AS_WHOM[word] === undefined)
  })
  const word = words[at]
  if (word === undefined) return null
  const [verb, about] = meant(word)
  const before = words.slice(0, at)
  const whom = before.map(one => AS_WHOM[one]).find(one => one !== undefined)
  const nouns = before.filter(one => AS_WHOM[one] === undefined)
  return {
    verb,
    rest: [...(about === undefined ? [] : [about]), ...nouns, ...words.slice(at + 1)],
    asWhom: whom ?? '',
  }
}

/** The words of a name as programmers write them. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])(?=[a-z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_.:\s]+/)
    .filter(Boolean)

/** The words behind a verb; a further verb behind "and" happened too. */
export const textOf = (words: readonly string[], isDone: boolean): string =>
  words
    .map((word, index) => {
      const isVerb = index > 0 && (words[index - 1] === 'and' || words[index - 1] === 'then')
      return (isVerb && isDone ? past(word) : undefined) ?? SPELLED[word] ?? word
    })
    .join(' ')

/** `new-fee-address`, `token-x-trait` and `feeRate` are "fee address", "token x" and "fee rate". */
export const argumentWords = (name: string): string =>
  textOf(
    wordsOf(name).filter(
      (word, index, all) => all.length === 1 || (!(index === 0 && word === 'new') && word !== 'trait'),
    ),
    false,
  )

const isFalse = (value: Told['values'][number]): boolean => {
  const at = opened(value)
  return at?.type === 'bool' && !at.value
}

/** A value in a few words; a token that is listed by its symbol. */
function valueParts(told: Told, value: Told['values'][number]): readonly SentencePart[] {
  const at = opened(value)
  return at?.type === 'principal' && told.tokens.of(at.value)?.isListed === true
    ? [symbolPart(told.tokens, at.value)]
    : looseParts(value)
}

/**
 * A call of a contract whose source was read and that has no pattern, as a rule one that only its owners make: the words of the
 * function’s name with its arguments by theirs. Amounts stand as they were given, since names say no units. Null where the name
 * has no verb.
 */
export function namedCall(told: Told, names: readonly string[]): SentencePart[] | null {
  const found = verbOf(told.functionName)
  if (found === null) return null
  const isDone = told.isDone === true
  const { asWhom } = found
  const isSwitch = (index: number): boolean =>
    UNDONE[found.verb] !== undefined && opened(told.values[index])?.type === 'bool'
  const isUndone = told.values.some((value, index) => isSwitch(index) && isFalse(value))
  const verb = isUndone ? UNDONE[found.verb]! : found.verb
  const given = told.values.map((value, index) => ({ value, index })).filter(({ index }) => !isSwitch(index))
  const rest = textOf(found.rest, isDone)
  const head = plain(`${[isDone ? past(verb) : verb, rest].filter(Boolean).join(' ')}`)
  const contract = principalPart(told.contract)
  const whom = asWhom === '' ? [] : [plain(` ${asWhom}`)]
  const [first] = given
  if (given.length === 1 && first !== undefined && rest !== '') {
    const value = valueParts(told, first.value)
    if (SETTING.has(verb)) return [head, plain(' of '), contract, plain(' to '), ...value, ...whom]
    if (opened(first.value)?.type === 'principal')
      return [head, plain(' '), ...value, plain(' on '), contract, ...whom]
  }
  const parts: SentencePart[] = [head, plain(' on '), contract, ...whom]
  given.slice(0, MOST_NAMED).forEach(({ value, index }, at) => {
    const name = argumentWords(names[index] ?? '')
    parts.push(plain(`${at === 0 ? ': ' : ', '}${name} `), ...valueParts(told, value))
  })
  if (given.length > MOST_NAMED) parts.push(plain(` and ${given.length - MOST_NAMED} more`))
  return parts
}
