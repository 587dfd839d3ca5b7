import { StacksInputError } from '#kernel/stacksRules.ts'

const SHORTEST = 6

/** An address of Stacks, or that of a contract's deployer: begins with S, is longer than 5 characters, its checksum is right. */
export async function demandContractAddress(text: string): Promise<string> {
  const { validateStacksAddress } = await import('./crypto.ts')
  const [address = ''] = text.split('.')
  if (!address.startsWith('S') || address.length < SHORTEST || !validateStacksAddress(address))
    throw new StacksInputError(
      'address',
      `"${text}" is no Stacks address: it starts with S, is longer than 5 characters and has a checksum that fits.`,
      text,
    )
  return text
}
