import type { ClarityValue } from '#chains/stacks/index.ts'
import { type Entry, indexPatterns, type SayFault, type StandardCall } from './entries.ts'
import { type ErrorWords, type Failed, failureText, TRANSFER_ERRORS } from './failure.ts'
import { genericCall, genericPrint } from './generic.ts'
import { flowsOf, type Move } from './moves.ts'
import { namedCall } from './named.ts'
import { namedPrint } from './namedPrint.ts'
import type { Told } from './placeholders.ts'
import type { ContractFacts, SentenceFile } from './read.ts'
import { capitalised, plain, type Sentence, type SentencePart, sentenceOfParts } from './sentence.ts'
import { createTokenBook, type ListedToken, type TokenBook } from './tokens.ts'

export type SentenceFacts = {
  readonly files: readonly { readonly file: string; readonly facts: SentenceFile }[]
  readonly tokens: readonly ListedToken[]
  readonly collections: readonly { readonly asset: string; readonly name: string }[]
  readonly contracts: ContractFacts
  /** Contracts whose prints the applications’ files read, with how the names of others begin. */
  readonly printing: readonly { readonly contracts: readonly string[]; readonly begins: readonly string[] }[]
}

export type CallFacts = {
  readonly contract: string
  readonly functionName: string
  readonly args: readonly ClarityValue[]
  readonly sender: string
  /** Null where nobody says how it ended. */
  readonly isSuccess: boolean | null
  /** What moved in its transaction; null where that is not told. */
  readonly moves: readonly Move[] | null
  readonly failed?: Failed
  /** With what tokens tell of themselves; the catalogue’s alone otherwise. */
  readonly tokens?: TokenBook
}

export type PrintFacts = {
  readonly contract: string
  /** What happened, as `stx_prints.event`. */
  readonly event: string
  /** Functions that print it, as `stx_prints.function_names`; absent where nobody says. */
  readonly functionNames?: readonly string[]
  readonly value: ClarityValue
  readonly tokens?: TokenBook
}

/** Calls and prints as sentences, by the patterns of the catalogue. */
export type Sentences = {
  call(call: CallFacts): Sentence
  print(print: PrintFacts): Sentence
  /** Names of the arguments of a function whose contract’s source was read. */
  argNames(contract: string, functionName: string, count: number): readonly string[] | undefined
  /** All public functions of such a contract. */
  functionsOf(contract: string): readonly string[] | null
  readonly errorWords: ErrorWords
  readonly tokens: TokenBook
  /** What the tokens are that the catalogue lists. */
  readonly coins: readonly ListedToken[]
}

export function createSentences(facts: SentenceFacts, fault: SayFault): Sentences {
  const tokens = createTokenBook(facts.tokens, facts.collections)
  const entries = indexPatterns(facts, fault)
  const isPrinting = knowsPrints(facts.printing)
  const errorWords: ErrorWords = (contract, code) => entries.of(contract).errors.get(code)
  return {
    tokens,
    coins: facts.tokens,
    errorWords,
    argNames: entries.argNames,
    functionsOf: entries.functionsOf,
    call(call) {
      const entry = entries.of(call.contract)
      const told = toldOf(call, entry, call.tokens ?? tokens)
      const { parts, from } = callParts(call, told, entry, entries.standards)
      const tried = call.isSuccess === false
      const failed = call.failed ?? { status: '', resultRepr: '', vmError: '' }
      const words: ErrorWords = (contract, code) =>
        errorWords(contract, code) ?? (from === 'standard' ? TRANSFER_ERRORS[code] : undefined)
      return sentenceOfParts(
        tried
          ? [plain('Tried to '), ...parts, plain(failureText(failed, call.contract, words))]
          : capitalised(parts),
        { from, protocol: entry.protocol },
      )
    },
    print({ contract, event, functionNames = [], value, tokens: book = tokens }) {
      const entry = entries.of(contract)
      const told: Told = {
        contract,
        functionName: event,
        values: [value],
        isDone: true,
        flows: null,
        tokens: book,
        app: entry.app,
      }
      for (const pattern of entry.prints.get(event) ?? []) {
        const parts = pattern.speak(told)
        if (parts !== null) {
          const said = withApp(parts, pattern.hasApp, entry)
          return sentenceOfParts(pattern.hasVerb ? capitalised(said) : said, {
            from: 'pattern',
            protocol: entry.protocol,
          })
        }
      }
      const isKnown = entries.functionsOf(contract) !== null || isPrinting(contract)
      const named = isKnown ? namedPrint(told, event, functionNames) : null
      return sentenceOfParts(capitalised(named ?? genericPrint(told, event)), {
        from: named === null ? 'generic' : 'name',
        protocol: entry.protocol,
      })
    },
  }

  function callParts(
    call: CallFacts,
    told: Told,
    entry: Entry,
    standards: ReadonlyMap<string, readonly StandardCall[]>,
  ): { parts: SentencePart[]; from: Sentence['from'] } {
    for (const { args, pattern } of entry.calls.get(call.functionName) ?? []) {
      if (args.length !== call.args.length) continue
      const parts = pattern.speak(told)
      if (parts !== null) return { parts: withApp(parts, pattern.hasApp, entry), from: 'pattern' }
    }
    for (const { types, pattern } of standards.get(call.functionName) ?? []) {
      if (types.length !== call.args.length) continue
      if (!types.every((type, index) => type === call.args[index]!.type)) continue
      const parts = pattern.speak(told)
      if (parts !== null) return { parts, from: 'standard' }
    }
    const names = entries.argNames(call.contract, call.functionName, call.args.length)
    const named = names === undefined ? null : namedCall(told, names)
    return named === null
      ? { parts: genericCall(told, names), from: 'generic' }
      : { parts: named, from: 'name' }
  }
}

function knowsPrints(printing: SentenceFacts['printing']): (contract: string) => boolean {
  const contracts = new Set(printing.flatMap(app => app.contracts))
  const begins = printing.flatMap(app => app.begins)
  return contract => contracts.has(contract) || begins.some(start => contract.startsWith(start))
}

const withApp = (parts: SentencePart[], hasApp: boolean, { app }: Entry): SentencePart[] => {
  if (!hasApp && app !== '') parts.push(plain(` on ${app}`))
  return parts
}

const toldOf = (call: CallFacts, entry: Entry, tokens: TokenBook): Told => ({
  contract: call.contract,
  functionName: call.functionName,
  values: call.args,
  isDone: call.isSuccess,
  flows: call.moves === null ? null : flowsOf(call.moves, call.sender),
  tokens,
  app: entry.app,
})
