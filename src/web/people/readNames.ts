import type { StacksNamesAnswer } from '#http/contract.ts'
import { ask } from '../api.ts'

const held = new Map<string, Promise<StacksNamesAnswer>>()

/** Names of an address of Stacks, asked once while the page is open. Throws `ApiRefusal`. */
export function readNames(address: string): Promise<StacksNamesAnswer> {
  const known = held.get(address)
  if (known !== undefined) return known
  // The server's own schema makes this answer.
  const asked = ask(`/stacks/addresses/${address}/names`, {}) as Promise<StacksNamesAnswer>
  held.set(address, asked)
  asked.catch(() => held.delete(address))
  return asked
}
