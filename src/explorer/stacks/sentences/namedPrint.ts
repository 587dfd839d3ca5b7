import type { ClarityValue } from '#chains/stacks/index.ts'
import { argumentWords, textOf, verbOf, wordsOf } from './named.ts'
import type { Told } from './placeholders.ts'
import { plain, type SentencePart } from './sentence.ts'
import { amountPart, symbolPart } from './tokens.ts'
import { looseParts, opened, principalPart } from './values.ts'
import { past, verbOfPast } from './verbs.ts'

/** Most fields that a sentence names: the page of the transaction has all. */
const MOST_NAMED = 5

type Leaf = { readonly path: readonly string[]; readonly value: ClarityValue | undefined }

/** Fields that hold the others and mean nothing by themselves. */
const WRAPPERS = new Set(['data', 'payload', 'params', 'details', 'attachment', 'metadata', 'a', 'value'])

function leavesOf(value: ClarityValue, path: readonly string[] = []): Leaf[] {
  const at = opened(value)
  if (at?.type !== 'tuple') return [{ path, value: at }]
  return at.fields.flatMap(field => leavesOf(field.value, [...path, field.name]))
}

/** `data.fee-address` is "fee address", `old-values.minter` "old values minter"; an amount in STX need not say so twice. */
const nameOf = ({ path }: Leaf, token?: string): string =>
  path
    .filter((name, index) => index === path.length - 1 || !WRAPPERS.has(name))
    .map(name => argumentWords(token === 'STX' ? withoutStx(name) : name))
    .join(' ')
const withoutStx = (name: string): string => name.replace(/(?:^u?stx-|-u?stx(?=-|$))/, '') || name
const lastWords = ({ path }: Leaf): readonly string[] => wordsOf(path.at(-1) ?? '')

/** Words of fields that say that a number is an amount, or a principal a token, and nothing of which. */
const OF_AMOUNT = new Set(['amount', 'amt', 'amounts', 'quantity', 'value', 'assets', 'tokens'])
const OF_TOKEN = new Set(['token', 'asset', 'contract', 'trait', 'address', 'id', 'principal', 'ft', 'coin'])
/** What moved, by one letter: `dx` of the token `x`. */
const MOVED: Readonly<Record<string, string>> = { dx: 'x', dy: 'y', dz: 'z' }
const STX_WORDS = new Set(['stx', 'ustx'])

const isNumber = ({ value }: Leaf): boolean => value?.type === 'uint' || value?.type === 'int'
const isAmount = (leaf: Leaf): boolean =>
  isNumber(leaf) && lastWords(leaf).some(word => OF_AMOUNT.has(word) || MOVED[word] !== undefined)
const isToken = (told: Told, leaf: Leaf): boolean =>
  leaf.value?.type === 'principal' &&
  leaf.value.value.includes('.') &&
  (told.tokens.of(leaf.value.value) !== undefined ||
    lastWords(leaf).some(word => word === 'token' || word === 'asset' || word === 'ft'))
/** What tells one amount, or one token, of a print from another: `x` of `x-amount`, `dx` and `x-token`. */
const markOf = (leaf: Leaf, without: ReadonlySet<string>): string =>
  lastWords(leaf)
    .map(word => MOVED[word] ?? word)
    .filter(word => !without.has(word))
    .join(' ')

type Around = {
  readonly amounts: readonly Leaf[]
  readonly tokens: readonly Leaf[]
  /** Units of the contract itself were made, moved or destroyed. */
  readonly isOwn: boolean
}

/** The token that an amount is of: its namesake, the only one there is, STX where its name says so, else that of the contract itself. */
function tokenOf(told: Told, leaf: Leaf, { amounts, tokens, isOwn }: Around): string | undefined {
  const words = lastWords(leaf)
  if (words.some(word => STX_WORDS.has(word))) return 'STX'
  const mark = markOf(leaf, OF_AMOUNT)
  const idOf = (found: Leaf | undefined): string | undefined =>
    found?.value?.type === 'principal' ? found.value.value : undefined
  const namesakes = tokens.filter(token => markOf(token, OF_TOKEN) === mark)
  if (namesakes.length === 1) return idOf(namesakes[0])
  if (mark !== '') return undefined
  const alike = amounts.filter(amount => markOf(amount, OF_AMOUNT) === '')
  if (tokens.length === 1 && alike.length === 1) return idOf(tokens[0])
  return isOwn && tokens.length === 0 && told.tokens.of(told.contract)?.isListed === true
    ? told.contract
    : undefined
}

/** Fields that say who had a part in it. */
const PARTIES: Readonly<Record<string, 'from' | 'to' | 'by'>> = {
  from: 'from',
  payer: 'from',
  recipient: 'to',
  receiver: 'to',
  to: 'to',
  beneficiary: 'to',
  sender: 'by',
  'tx-sender': 'by',
  caller: 'by',
  'contract-caller': 'by',
  user: 'by',
  account: 'by',
  who: 'by',
  owner: 'by',
  staker: 'by',
  lender: 'by',
  borrower: 'by',
  provider: 'by',
  requester: 'by',
  buyer: 'by',
  seller: 'by',
}

/** What a token’s contract does with its own units. */
const OWN = new Set(['mint', 'burn', 'transfer', 'send'])
/** Words of names that say how a contract is built, not what it did. */
const BUILT = new Set(['helper', 'call', 'iter', 'internal', 'event', 'executed!'])
/** What happens of itself: nobody does it to anything. */
const BY_ITSELF = new Set(['expired', 'ended', 'failed', 'matured', 'started'])
/** Names that are nouns, with what was done. */
const NOUNS: Readonly<Record<string, string>> = {
  confirmation: 'confirmed a transaction',
  extension: 'set an extension',
  flashloan: 'made a flash loan',
  proposal: 'made a proposal',
  wipeout: 'wiped out all stakes',
}

type Head = {
  readonly text: string
  readonly verb?: string
  /** As whom it was done. */
  readonly whom?: string
  /** What was done is all that it says: the amount follows. */
  readonly isMove: boolean
}

/** What happened by the words of the event’s name. */
function headOf(name: string): Head {
  // A contract may write its own name before.
  const all = wordsOf(name.replace(/!$/, '').replace(/^.*\.(?=.)/, ''))
  const words = all.filter(
    (word, index) => !BUILT.has(word) && !(word.length === 1 && all[index - 1] === 'helper'),
  )
  const isPast = (word: string, index: number): boolean =>
    BY_ITSELF.has(word) ||
    word === 'found' ||
    (verbOfPast(word) !== undefined && (past(word) === undefined || index === words.length - 1))
  const at = words.findIndex((word, index) => index > 0 && isPast(word, index))
  if (at > 0) {
    const isDenied = words[at - 1] === 'not'
    const nouns = words.slice(0, isDenied ? at - 1 : at)
    if (nouns.length > 0 && (isDenied || verbOf(nouns[0] ?? '') === null)) {
      const what = textOf(nouns, false)
      const then = textOf(words.slice(at), false)
      if (BY_ITSELF.has(words[at] ?? '')) return { text: `${what} ${then}`, isMove: false }
      const isMany = /[^s]s$/.test(nouns.at(-1) ?? '')
      return { text: `${what} ${isMany ? 'were' : 'was'} ${isDenied ? 'not ' : ''}${then}`, isMove: false }
    }
  }
  const [first = '', ...others] = words
  const verb = verbOfPast(first)
  if (verb !== undefined && past(first) === undefined) {
    const rest = textOf(others, false)
    return { text: [past(verb) ?? first, rest].filter(Boolean).join(' '), verb, isMove: others.length === 0 }
  }
  const noun = words.find(word => NOUNS[word] !== undefined)
  if (noun !== undefined && words.every(word => past(word) === undefined))
    return { text: NOUNS[noun]!, isMove: false }
  const found = verbOf(words.join('-'))
  if (found === null) return { text: `noted ${textOf(words, false)}`, isMove: false }
  const rest = textOf(found.rest, true)
  return {
    text: [past(found.verb), rest].filter(Boolean).join(' '),
    whom: found.asWhom,
    verb: found.verb,
    isMove: rest === '' || rest === 'tokens' || rest === 'token',
  }
}

/**
 * A print of a contract whose source was read and that has no pattern: the words of its event’s name, or of the function that
 * printed it, with amounts in the tokens that it names, and who had a part in it. An amount whose token is not told stands as
 * it was printed. Null where neither says what it is.
 */
export function namedPrint(told: Told, event: string, functions: readonly string[]): SentencePart[] | null {
  const name = event === '' ? (functions[0] ?? '') : event
  const value = opened(told.values[0])
  const place = plain(' on ')
  const where = told.app === '' ? [place, principalPart(told.contract)] : [plain(` on ${told.app}`)]
  if (value?.type !== 'tuple') {
    if (isText(value, event)) return [plain(headOf(event).text), ...where]
    const isMemo = value === undefined || value.type === 'buffer' || value.type.startsWith('string')
    if (isMemo && (name === '' || MEMO.test(name)))
      return value === undefined
        ? [plain('noted no memo'), ...where]
        : [plain('noted the memo '), ...looseParts(value), ...where]
    if (name === '') return null
    const { text, whom = '' } = headOf(name)
    return [plain([text, whom].filter(Boolean).join(' ')), ...where, plain(': '), ...looseParts(value)]
  }
  if (name === '') return null
  const { text, verb = '', whom = '', isMove } = headOf(name)
  const leaves = leavesOf(value).filter(({ value: at }) => at !== undefined && !isText(at, event))
  const amounts = leaves.filter(isAmount)
  const tokens = leaves.filter(leaf => isToken(told, leaf))
  const priced = new Map(
    amounts.flatMap(leaf => {
      const token = tokenOf(told, leaf, { amounts, tokens, isOwn: isMove && OWN.has(verb) })
      return token === undefined ? [] : [[leaf, token] as const]
    }),
  )
  const spoken = new Set<Leaf>()
  const amountOf = (leaf: Leaf, token: string): SentencePart =>
    amountPart(
      told.tokens,
      token,
      leaf.value?.type === 'uint' || leaf.value?.type === 'int' ? leaf.value.value : 0n,
    )
  const parts: SentencePart[] = [plain(text)]
  const own = [...priced].filter(([leaf]) => markOf(leaf, OF_AMOUNT) === '')
  const [moved] = own
  if (isMove && own.length === 1 && moved !== undefined) {
    parts[0] = plain(text.replace(/ tokens?$/, ''))
    parts.push(plain(' '), amountOf(...moved))
    spoken.add(moved[0])
  }
  if (whom !== '') parts.push(plain(` ${whom}`))
  for (const leaf of tokens)
    if ([...priced.values()].includes(leaf.value?.type === 'principal' ? leaf.value.value : ''))
      spoken.add(leaf)
  const partyOf = (role: 'from' | 'to' | 'by'): Leaf | undefined =>
    leaves.find(
      leaf =>
        leaf.value?.type === 'principal' && !spoken.has(leaf) && PARTIES[leaf.path.at(-1) ?? ''] === role,
    )
  const [from, to] = [partyOf('from'), partyOf('to')]
  for (const [role, leaf] of [
    ['from', from],
    ['to', to],
  ] as const)
    if (leaf !== undefined) {
      parts.push(plain(` ${role} `), ...looseParts(leaf.value))
      spoken.add(leaf)
    }
  parts.push(...where)
  const by = partyOf('by')
  if (by !== undefined) {
    parts.push(plain(', by '), ...looseParts(by.value))
    spoken.add(by)
  }
  const rest = leaves.filter(leaf => !spoken.has(leaf))
  // What has a token is told first.
  const ordered = [...rest.filter(leaf => priced.has(leaf)), ...rest.filter(leaf => !priced.has(leaf))]
  ordered.slice(0, MOST_NAMED).forEach((leaf, index) => {
    const token = priced.get(leaf)
    parts.push(plain(`${index === 0 ? ': ' : ', '}${nameOf(leaf, token)} `))
    if (token !== undefined) parts.push(amountOf(leaf, token))
    else if (isListed(told, leaf.value)) parts.push(symbolPart(told.tokens, leaf.value.value))
    else parts.push(...looseParts(leaf.value))
  })
  if (ordered.length > MOST_NAMED) parts.push(plain(` and ${ordered.length - MOST_NAMED} more`))
  return parts
}

const MEMO = /transfer|memo|send|mint|burn|mine/

const isListed = (
  told: Told,
  value: ClarityValue | undefined,
): value is Extract<ClarityValue, { type: 'principal' }> =>
  value?.type === 'principal' && told.tokens.of(value.value)?.isListed === true

const isText = (value: ClarityValue | undefined, event: string): boolean =>
  event !== '' && (value?.type === 'string-ascii' || value?.type === 'string-utf8') && value.value === event
