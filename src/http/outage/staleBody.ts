import type { Body } from '../cache/answerCache.ts'
import { withOutage } from './banner.ts'

/** The body of a last good answer: a page says so in its banner, an answer of the API stays as it is. */
export function staleBody(body: Body, asOfMs: number): Body {
  if (!body.contentType.startsWith('text/html')) return body
  return { ...body, bytes: Buffer.from(withOutage(body.bytes.toString(), asOfMs)) }
}

/**
 * Headers that mark a last good answer: its age in seconds (`Age`, RFC 9111) and that it is past its time
 * (`Cache-Status`, RFC 9211, with a negative time to live).
 */
export function staleHeaders(asOfMs: number, nowMs: number = Date.now()): Record<string, string> {
  const ageSeconds = Math.max(0, Math.round((nowMs - asOfMs) / 1000))
  return {
    'cache-control': 'no-store',
    age: String(ageSeconds),
    'cache-status': `assay; hit; ttl=${-ageSeconds}; detail=engine-unavailable`,
  }
}
