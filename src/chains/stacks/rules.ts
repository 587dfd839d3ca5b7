import { StacksInputError } from '#kernel/stacksRules.ts'
import { isAddress } from './address/c32.ts'

const SHORTEST_ADDRESS = 6

/** The address of a contract's deployer: begins with S, is longer than 5 characters, its checksum is right. */
export function demandContractAddress(text: string): string {
  if (!text.startsWith('S') || text.length < SHORTEST_ADDRESS || !isAddress(text)) {
    throw new StacksInputError(
      'address',
      `"${text}" is no Stacks address: it starts with S, is longer than 5 characters and has a checksum that fits.`,
      text,
    )
  }
  return text
}
