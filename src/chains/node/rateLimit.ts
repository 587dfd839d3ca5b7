import { NodeError } from './errors.ts'

/** An endpoint that takes no more requests for now; `facts.retryAfterMs` is what it asked for, null where it did not say. */
export const rateLimited = (
  name: string,
  what: string,
  said: string,
  retryAfterMs: number | null,
): NodeError =>
  new NodeError('node.rate_limited', `${name} takes no more requests for now (${what}): ${said}`, {
    hint: 'It is asked again more slowly. Set a lower rate for this endpoint, or add another one.',
    facts: { retryAfterMs },
  })

/** `Retry-After` in milliseconds: seconds or a date; null where there is none to go by. At most a minute. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null
  const seconds = Number(header)
  const wait = Number.isFinite(seconds) && header.trim() !== '' ? seconds * 1000 : Date.parse(header) - nowMs
  return Number.isFinite(wait) ? Math.min(60_000, Math.max(0, wait)) : null
}
