import type { ContractInterface } from '#kernel/clarityInterface.ts'
import type { ClarityType } from './type.ts'
import type { ClarityValue } from './value.ts'

export { type ContractFunction, type ContractInterface, parseInterface } from '#kernel/clarityInterface.ts'

export type NamedArgument = {
  /** Null where the interface has no such function or argument. */
  readonly name: string | null
  /** The declared type; null likewise. */
  readonly type: ClarityType | null
  readonly value: ClarityValue
}

/** The arguments of a call with their names. A call of what the interface does not have keeps its values, without names. */
export function nameArguments(
  { functions }: ContractInterface,
  functionName: string,
  values: readonly ClarityValue[],
): NamedArgument[] {
  const args = functions.get(functionName)?.args ?? []
  return values.map((value, i) => ({ name: args[i]?.name ?? null, type: args[i]?.type ?? null, value }))
}
