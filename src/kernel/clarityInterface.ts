import { type ClarityType, ClarityTypeError } from './clarityType.ts'

/** What a contract offers, as far as calls and values are named by it. */
export type ContractInterface = {
  readonly functions: ReadonlyMap<string, ContractFunction>
  readonly fungibleTokens: readonly string[]
  readonly nonFungibleTokens: readonly { readonly name: string; readonly type: ClarityType }[]
}
export type ContractFunction = {
  readonly name: string
  readonly access: 'public' | 'read_only' | 'private'
  readonly args: readonly { readonly name: string; readonly type: ClarityType }[]
  readonly output: ClarityType
}

/**
 * Reads an interface as nodes write it (`contract_abi`, `contract_interface`, `/v2/contracts/interface`). Errors:
 * `ClarityTypeError`. Source: stacks-core `clarity/src/vm/analysis/contract_interface_builder`.
 */
export function parseInterface(json: unknown): ContractInterface {
  const { functions, fungible_tokens, non_fungible_tokens } = objectOf(json)
  const parsed = listOf(functions).map(parseFunction)
  return {
    functions: new Map(parsed.map(one => [one.name, one])),
    fungibleTokens: listOf(fungible_tokens).map(token => textOf(objectOf(token).name)),
    nonFungibleTokens: listOf(non_fungible_tokens).map(parseField),
  }
}

function parseFunction(json: unknown): ContractFunction {
  const { name, access, args, outputs } = objectOf(json)
  if (access !== 'public' && access !== 'read_only' && access !== 'private') throw fault('access', access)
  return {
    name: textOf(name),
    access,
    args: listOf(args).map(parseField),
    output: parseAbiType(objectOf(outputs).type),
  }
}

function parseField(json: unknown): { name: string; type: ClarityType } {
  const { name, type } = objectOf(json)
  return { name: textOf(name), type: parseAbiType(type) }
}

/** A type as interfaces write it: a word, or an object with one key. */
function parseAbiType(json: unknown): ClarityType {
  switch (json) {
    case 'int128':
      return { type: 'int' }
    case 'uint128':
      return { type: 'uint' }
    case 'bool':
    case 'principal':
      return { type: json }
    case 'trait_reference':
      return { type: 'trait' }
    case 'none':
      return { type: 'unknown' }
  }
  const [[kind, inner] = ['', undefined], ...more] = Object.entries(objectOf(json))
  if (more.length > 0) throw fault('type', json)
  switch (kind) {
    case 'buffer':
      return { type: 'buffer', most: lengthOf(inner) }
    case 'string-ascii':
    case 'string-utf8':
      return { type: kind, most: lengthOf(inner) }
    case 'optional':
      return { type: 'optional', inner: parseAbiType(inner) }
    case 'response': {
      const { ok, error } = objectOf(inner)
      return { type: 'response', ok: parseAbiType(ok), err: parseAbiType(error) }
    }
    case 'list':
      return { type: 'list', most: lengthOf(inner), item: parseAbiType(objectOf(inner).type) }
    case 'tuple':
      return { type: 'tuple', fields: listOf(inner).map(parseField) }
    default:
      throw fault('type', json)
  }
}

function lengthOf(json: unknown): number {
  const { length } = objectOf(json)
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) throw fault('length', json)
  return length
}

function objectOf(json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw fault('object', json)
  return json as Record<string, unknown>
}

function listOf(json: unknown): readonly unknown[] {
  if (!Array.isArray(json)) throw fault('list', json)
  return json
}

function textOf(json: unknown): string {
  if (typeof json !== 'string') throw fault('name', json)
  return json
}

function fault(what: string, json: unknown): ClarityTypeError {
  const got = JSON.stringify(json) ?? 'nothing'
  return new ClarityTypeError(
    `The contract's interface has ${got.slice(0, 200)} where a ${what} belongs.`,
    got,
  )
}
