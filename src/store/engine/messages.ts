/** A message of PostgreSQL's wire protocol: type, length, body. */
export function whole(type: string, body: Uint8Array): Buffer {
  const bytes = Buffer.alloc(5 + body.length)
  bytes.write(type, 0, 'latin1')
  bytes.writeInt32BE(4 + body.length, 1)
  bytes.set(body, 5)
  return bytes
}

/** A text that ends with a zero byte. */
export const text = (value: string): Buffer => Buffer.from(`${value}\0`)

/** State of the session by the `ReadyForQuery` at the end of an answer: idle, in a transaction, in one that has failed. */
export function stateOf(answer: Uint8Array): 'I' | 'T' | 'E' | undefined {
  const at = answer.length - 6
  if (at < 0 || answer[at] !== 0x5a) return undefined
  const state = String.fromCharCode(answer[at + 5] ?? 0)
  return state === 'I' || state === 'T' || state === 'E' ? state : undefined
}

/** The code that stands in place of a version where a client asks for TLS. */
export const SSL_REQUEST_CODE = 80_877_103

/** The whole message; the front answers it with one byte before anybody is admitted. */
export const SSL_REQUEST: Uint8Array = Uint8Array.of(0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f)
