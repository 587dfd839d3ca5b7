/** What every codec is asked for: the id of each transaction, type and address program of each output. */
export type OutputFacts = {
  readonly type: string
  /** Hex; '' where the output has none. */
  readonly program: string
  /** '' where the output has none. */
  readonly address: string
}
export type BlockFacts = { readonly txids: readonly string[]; readonly outputs: readonly OutputFacts[] }

export type Contestant = {
  /** Decodes to the facts in the library's own form; the result only keeps the work from being optimised away. */
  decode(bytes: Uint8Array): number
  /** The same, and the address of each output as text. */
  decodeWithAddresses(bytes: Uint8Array): number
  /** The facts as text, to be compared. Absent for a limit that decodes nothing. */
  facts?(bytes: Uint8Array): BlockFacts
}

export const MODES = ['program', 'address'] as const
export type Mode = (typeof MODES)[number]

export type Request = { readonly mode: Mode; readonly repeats: number } | { readonly factsOf: number }
/** Milliseconds a decode, block by block; or the facts of one block. */
export type Answer = { readonly ms: readonly number[] } | { readonly facts: BlockFacts | null }
