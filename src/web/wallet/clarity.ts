/** A Clarity value as `@stacks/transactions` 7 writes it, of the kinds that are given to wallets. */
export type ClarityInput =
  | { readonly type: 'uint' | 'int'; readonly value: bigint }
  | { readonly type: 'ascii' | 'utf8' | 'buffer' | 'address' | 'contract'; readonly value: string }
  | { readonly type: 'true' | 'false' | 'none' }
  | { readonly type: 'some' | 'ok' | 'err'; readonly value: ClarityInput }
  | { readonly type: 'list'; readonly value: readonly ClarityInput[] }
  | { readonly type: 'tuple'; readonly value: Readonly<Record<string, ClarityInput>> }

/** The value as wallets take it: consensus bytes in hex with `0x`. Source: SIP-005. */
export async function hexOf(value: ClarityInput): Promise<string> {
  const { cvToHex } = await import('./crypto.ts')
  // The same records; theirs are declared changeable.
  return cvToHex(value as Parameters<typeof cvToHex>[0])
}
