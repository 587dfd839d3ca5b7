import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// An engine proves that it knows the token before it is sent the token: the port in `endpoint.json` may be stale, and another
// process may listen there now. The port is part of the proof, so a process in between cannot pass on that of the engine.

/** What the engine that listens on this port answers to a challenge, as hex. */
export const proofOf = (token: string, port: number, challenge: string): string =>
  createHmac('sha256', token).update(`assay engine ${port} ${challenge}`).digest('hex')

export const createChallenge = (): string => randomBytes(24).toString('base64url')

export function isProof(given: string, token: string, port: number, challenge: string): boolean {
  const expected = Buffer.from(proofOf(token, port, challenge))
  const answer = Buffer.from(given)
  return answer.length === expected.length && timingSafeEqual(answer, expected)
}
