import type { StacksContractDetail } from '#http/contract.ts'
import { parseInterface } from '#kernel/clarityInterface.ts'
import { type ClarityType, parseType } from '#kernel/clarityType.ts'
import { ApiRefusal, ask } from '../../api.ts'

export type Callable = {
  readonly name: string
  readonly args: readonly { readonly name: string; readonly type: ClarityType }[]
}

/**
 * The public functions of a contract: by its interface as it is held here, else as a Stacks node has it. Throws `ApiRefusal` where
 * neither knows it.
 */
export async function readFunctions(contract: string): Promise<readonly Callable[]> {
  return (await heldFunctions(contract)) ?? (await nodeFunctions(contract))
}

async function heldFunctions(contract: string): Promise<readonly Callable[] | undefined> {
  try {
    // The server's own schema makes this answer.
    const held = (await ask(`/stacks/contracts/${contract}`, {})) as StacksContractDetail
    return held.isInterfaceHeld ? callables(held.functions) : undefined
  } catch (thrown) {
    if (thrown instanceof ApiRefusal && thrown.problem.status === 404) return undefined
    throw thrown
  }
}

const callables = (functions: StacksContractDetail['functions']): readonly Callable[] =>
  functions
    .filter(({ isReadOnly }) => !isReadOnly)
    .map(({ name, args }) => ({
      name,
      args: args.map(arg => ({ name: arg.name, type: parseType(arg.type) })),
    }))

async function nodeFunctions(contract: string): Promise<readonly Callable[]> {
  const { functions } = parseInterface(await ask(`/stacks/node/contracts/${contract}/interface`, {}))
  return [...functions.values()].filter(({ access }) => access === 'public')
}
