import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { KeptAnswer } from './cache/answerCache.ts'
import { type Encoding, encodingFor, isPackable } from './cache/encodings.ts'
import { isHeld, keptHeaders } from './send.ts'

const MAX_HEADERS = 200

/**
 * Puts kept answers before the router: an address seen before under this data version is answered with its bytes, at the
 * price of a map look-up. Everything else goes on to `rest`.
 */
export function hotListener(
  find: (url: string, accept: string | undefined) => KeptAnswer | undefined,
  baseHeaders: Readonly<Record<string, string>>,
  newRequestId: () => string,
  rest: RequestListener,
): RequestListener {
  /** Raw header lists by answer and encoding: built once, sent many times. */
  const lists = new WeakMap<KeptAnswer, Map<Encoding, string[]>>()

  /** Browsers send one of a few headers; reading them anew would cost more than the look-up of the answer. */
  const encodings = new Map<string, Encoding>()
  function encodingOf(accepted: string | undefined): Encoding {
    const known = encodings.get(accepted ?? '')
    if (known !== undefined) return known
    if (encodings.size > MAX_HEADERS) encodings.clear()
    const encoding = encodingFor(accepted)
    encodings.set(accepted ?? '', encoding)
    return encoding
  }

  function headerList(answer: KeptAnswer, encoding: Encoding, sizeBytes: number): string[] {
    const known = lists.get(answer)?.get(encoding)
    if (known) return known
    const list = Object.entries({
      ...baseHeaders,
      ...keptHeaders(answer),
      'content-type': answer.body.contentType,
      'content-length': String(sizeBytes),
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    }).flat()
    const byEncoding = lists.get(answer) ?? new Map<Encoding, string[]>()
    byEncoding.set(encoding, list)
    lists.set(answer, byEncoding)
    return list
  }

  function send(request: IncomingMessage, response: ServerResponse, answer: KeptAnswer): boolean {
    const { headers } = request
    if (isHeld(headers['if-none-match'], answer.etag)) {
      response.writeHead(304, { ...baseHeaders, ...keptHeaders(answer), 'x-request-id': newRequestId() })
      response.end()
      return true
    }
    const { bytes, contentType } = answer.body
    const encoding = isPackable(contentType, bytes.length)
      ? encodingOf(headers['accept-encoding'])
      : 'identity'
    const packed = answer.packed.get(encoding)
    if (packed === undefined) return false
    const list = headerList(answer, encoding, packed.length)
    response.writeHead(200, [...list, 'x-request-id', newRequestId()])
    response.end(request.method === 'HEAD' ? undefined : packed)
    return true
  }

  return (request, response) => {
    const mayBeKept = request.method === 'GET' || request.method === 'HEAD'
    const answer = mayBeKept ? find(request.url ?? '', request.headers.accept) : undefined
    if (answer !== undefined && send(request, response, answer)) return
    rest(request, response)
  }
}
