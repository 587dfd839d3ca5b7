import { visibleText } from '#chains/stacks/index.ts'

/** Codes of errors by contract, in the words of their constants. */
export type ErrorWords = (contract: string, code: string) => string | undefined

/** How it failed. */
export type Failed = {
  readonly status: string
  /** The result as readable text: `(err u1020)`. */
  readonly resultRepr: string
  readonly vmError: string
}

const CODE = /^\(err (u?-?\d+)\)$/

/** What a token’s own functions answer. Source: SIP-010 and the Clarity reference, `ft-transfer?`. */
export const TRANSFER_ERRORS: Readonly<Record<string, string>> = {
  u1: 'the sender has too little',
  u2: 'sender and recipient are the same',
  u3: 'the amount is not positive',
  u4: 'the sender is not who signed',
}

/** Why a transaction failed, to follow "Tried to …". */
export function failureText(
  { status, resultRepr, vmError }: Failed,
  contract: string | null,
  words: ErrorWords,
): string {
  if (status === 'abort_by_post_condition') return ': rolled back, since a post-condition did not hold'
  if (status === 'problematic_skipped') return ': skipped by the node as harmful'
  const [, code] = CODE.exec(resultRepr) ?? []
  if (code === undefined) {
    if (vmError !== '') return `: failed, ${visibleText(vmError, 120)}`
    return resultRepr === '' || resultRepr === '(err none)'
      ? ': failed'
      : `: failed with ${visibleText(resultRepr, 60)}`
  }
  const told = contract === null ? undefined : words(contract, code)
  return told === undefined ? `: failed with the error ${code}` : `: failed, ${told} (error ${code})`
}
