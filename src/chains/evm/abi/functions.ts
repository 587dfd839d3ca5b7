import { AbiError, DecodeError } from '../errors.ts'
import { bytesOf, type Hex } from '../hex.ts'
import { keccakHex } from '../keccak.ts'
import { type AbiValue, decodeAbi } from './decode.ts'
import { type AbiParameter, canonical, parseSignature } from './types.ts'

/** An entry of the catalogue of functions. */
export type FunctionDefinition = {
  /** First four bytes of the hash of the signature: how a call names it. */
  readonly selector: Hex
  /** `transfer(address to, uint256 amount)` */
  readonly signature: string
}

/** A call as the catalogue reads it. */
export type DecodedCall = {
  readonly name: string
  /** In the order of the signature; names are empty where the catalogue has none. null where the input is not of that form. */
  readonly args: readonly { readonly name: string; readonly type: string; readonly value: AbiValue }[] | null
}

export type FunctionIndex = {
  /**
   * What an input says; null where the catalogue does not know its selector. Four bytes are few: another function of the
   * same selector is read as this one unless its arguments do not fit.
   */
  decode(input: Hex): DecodedCall | null
  /** The signature of a selector as the catalogue writes it; null likewise. */
  signatureOf(selector: Hex): string | null
}

/** Throws `AbiError` for a signature that is none, a selector that is not its own, or a selector used twice. */
export function createFunctionIndex(definitions: readonly FunctionDefinition[]): FunctionIndex {
  const bySelector = new Map<string, { name: string; inputs: readonly AbiParameter[]; signature: string }>()
  for (const { selector, signature } of definitions) {
    const { name, inputs, canonical: text } = parseSignature(signature)
    const own = keccakHex(text).slice(0, 10)
    if (own !== selector)
      throw new AbiError('function', `The selector of ${text} is ${own}, not ${selector}.`, { selector })
    if (bySelector.has(selector))
      throw new AbiError('function', `The selector ${selector} of ${text} stands here twice.`, { selector })
    bySelector.set(selector, { name, inputs, signature })
  }
  return {
    signatureOf: selector => bySelector.get(selector)?.signature ?? null,
    decode(input) {
      const found = bySelector.get(input.slice(0, 10))
      if (found === undefined) return null
      return { name: found.name, args: argumentsOf(found.inputs, `0x${input.slice(10)}`) }
    },
  }
}

function argumentsOf(inputs: readonly AbiParameter[], data: Hex): DecodedCall['args'] {
  try {
    const values = decodeAbi(
      inputs.map(({ type }) => type),
      bytesOf(data),
    )
    return inputs.map(({ name, type }, i) => ({ name, type: canonical(type), value: values[i]! }))
  } catch (thrown) {
    if (thrown instanceof DecodeError) return null
    throw thrown
  }
}
