import type { SentenceFacts } from './createSentences.ts'
import { type Pattern, PatternFault, parsePattern } from './pattern.ts'

/** Refuses a file of the catalogue with field and reason. */
export type SayFault = (file: string, field: string, reason: string) => never

type Call = { readonly args: readonly string[]; readonly pattern: Pattern }
/** A function of a standard: any contract may have it, so the types of its arguments must fit. */
export type StandardCall = { readonly types: readonly string[]; readonly pattern: Pattern }

/** What the catalogue says of one contract. */
export type Entry = {
  readonly protocol: string | null
  /** What the protocol is called at the end of a sentence; empty for nothing. */
  readonly app: string
  readonly calls: ReadonlyMap<string, readonly Call[]>
  readonly prints: ReadonlyMap<string, readonly Pattern[]>
  readonly errors: ReadonlyMap<string, string>
}

export type Entries = {
  of(contract: string): Entry
  argNames(contract: string, functionName: string, count: number): readonly string[] | undefined
  /** Null for a contract whose source nobody has read. */
  functionsOf(contract: string): readonly string[] | null
  readonly standards: ReadonlyMap<string, readonly StandardCall[]>
}

type Family = {
  readonly contracts: readonly string[]
  readonly protocol: string | null
  readonly app: string
  readonly calls: Map<string, Call[]>
  readonly prints: Map<string, Pattern[]>
  readonly errors: Map<string, string>
}

/** Contracts whose entry is remembered: strangers too, so that the list has an end. */
const MOST_REMEMBERED = 20_000
const CALL = /^([\w-]+)\.([^\s(]+)\(([^)]*)\)$/
const SIGNATURE = /^([^\s(]+)\(([^)]*)\)$/

/** Reads all patterns. A pattern that cannot be read is refused with `fault`. */
export function indexPatterns(facts: SentenceFacts, fault: SayFault): Entries {
  const families: Family[] = []
  const standards = new Map<string, StandardCall[]>()
  for (const { file, facts: said } of facts.files) {
    const byName = new Map<string, Family>()
    for (const [name, contracts] of Object.entries(said.contracts))
      byName.set(name, {
        contracts,
        protocol: said.protocol,
        app: said.name,
        calls: new Map(),
        prints: new Map(),
        errors: new Map(Object.entries(said.errors?.[name] ?? {})),
      })
    const familyOf = (field: string, name: string): Family =>
      byName.get(name) ??
      fault(file, field, `is of "${name}", and contracts has ${[...byName.keys()].join(', ')}`)
    for (const name of Object.keys(said.errors ?? {})) familyOf(`errors.${name}`, name)
    for (const [key, text] of Object.entries(said.calls)) {
      const field = `calls.${key}`
      const [, name = '', functionName = '', argsText = ''] =
        CALL.exec(key) ?? fault(file, field, 'is not written family.function(argument …)')
      const family = familyOf(field, name)
      const words = argsText.split(/\s+/).filter(Boolean)
      const args = words.map(word => word.split(':')[0] ?? '')
      const pattern = read(file, field, text, args)
      if (family.contracts.includes('*')) {
        const types = words.map(
          word => word.split(':')[1] ?? fault(file, field, `says no type of "${word}": a standard needs all`),
        )
        push(standards, functionName, { types, pattern })
      } else push(family.calls, functionName, { args, pattern })
    }
    for (const [key, text] of Object.entries(said.prints ?? {})) {
      const field = `prints.${key}`
      const [, name = '', event = ''] =
        /^([\w-]+)\.(.*?)(?:#\d+)?$/.exec(key) ?? fault(file, field, 'is not written family.event')
      push(familyOf(field, name).prints, event, read(file, field, text, null))
    }
    families.push(...byName.values())
  }
  const known = knownContracts(facts)
  const remembered = new Map<string, Entry>()
  return {
    standards,
    functionsOf: contract => {
      const names = known.functions(contract)?.keys()
      return names === undefined ? null : [...names].map(name => name.slice(0, name.lastIndexOf('/')))
    },
    argNames: (contract, functionName, count) =>
      known.functions(contract)?.get(`${functionName}/${count}`) ??
      entryOf(contract)
        .calls.get(functionName)
        ?.find(({ args }) => args.length === count)?.args,
    of: entryOf,
  }

  function entryOf(contract: string): Entry {
    const found = remembered.get(contract)
    if (found !== undefined) return found
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    const entry = merged(
      families.filter(({ contracts }) => contracts.some(one => fits(one, contract))),
      known.protocolOf(contract),
      known.errors(contract),
      known.functions(contract),
    )
    remembered.set(contract, entry)
    return entry
  }

  function read(file: string, field: string, text: string, args: readonly string[] | null): Pattern {
    try {
      return parsePattern(text, { args })
    } catch (thrown) {
      if (thrown instanceof PatternFault) return fault(file, field, thrown.message)
      throw thrown
    }
  }
}

const push = <Value>(map: Map<string, Value[]>, key: string, value: Value): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

/** `address.name`, or with one `*` for whatever stands there. */
function fits(pattern: string, contract: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return pattern === contract
  if (pattern === '*') return false
  const tail = pattern.slice(star + 1)
  return (
    contract.length >= pattern.length - 1 &&
    contract.startsWith(pattern.slice(0, star)) &&
    contract.endsWith(tail)
  )
}

function merged(
  families: readonly Family[],
  protocol: string | null,
  errors: ReadonlyMap<string, string>,
  functions: ReadonlyMap<string, readonly string[]> | undefined,
): Entry {
  const calls = new Map<string, Call[]>()
  const prints = new Map<string, Pattern[]>()
  const words = new Map(errors)
  for (const family of families) {
    for (const [name, list] of family.calls)
      for (const call of list) {
        // Versions of a contract differ in their arguments: where its own are known, they decide.
        const own = functions?.get(`${name}/${call.args.length}`)
        if (own === undefined || own.join() === call.args.join()) push(calls, name, call)
      }
    for (const [name, list] of family.prints) for (const pattern of list) push(prints, name, pattern)
    for (const [code, text] of family.errors) words.set(code, text)
  }
  return {
    protocol: families[0]?.protocol ?? protocol,
    app: families[0]?.app ?? '',
    calls,
    prints,
    errors: words,
  }
}

/** What `catalog/stacks/contracts.json` says, taken apart for a contract when it is asked for. */
function knownContracts({ contracts: { contracts, functions, errors } }: SentenceFacts) {
  const read = new Map<string, ReadonlyMap<string, readonly string[]>>()
  return {
    protocolOf: (contract: string): string | null => contracts[contract]?.protocol ?? null,
    errors: (contract: string): Map<string, string> =>
      new Map(
        (contracts[contract]?.errors ?? []).map(at => {
          const [code = '', ...words] = (errors[at] ?? '').split(' ')
          // The contract’s own words, as its constants have them.
          return [code, `“${words.join(' ')}”`]
        }),
      ),
    functions(contract: string): ReadonlyMap<string, readonly string[]> | undefined {
      const known = contracts[contract]
      if (known === undefined) return undefined
      let names = read.get(contract)
      if (names === undefined) {
        names = new Map(
          known.functions.map(at => {
            const [, name = '', args = ''] = SIGNATURE.exec(functions[at] ?? '') ?? []
            const list = args.split(' ').filter(Boolean)
            return [`${name}/${list.length}`, list]
          }),
        )
        read.set(contract, names)
      }
      return names
    },
  }
}
