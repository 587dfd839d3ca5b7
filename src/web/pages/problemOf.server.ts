import type { Problem } from '#http/contract.ts'

/** The problem document that every error of the API carries; any other error may say too much, and gives none. */
export function problemOf(thrown: unknown): Problem | undefined {
  if (!(thrown instanceof Error) || !('problem' in thrown)) return undefined
  const { problem } = thrown
  return typeof problem === 'object' && problem !== null && 'detail' in problem && 'status' in problem
    ? (problem as Problem)
    : undefined
}
