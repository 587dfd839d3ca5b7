/** An answer of the API as it came: for whoever wants to see it rather than use it. */
export type RawAnswer = {
  readonly status: number
  readonly words: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
  /** Size of the body, bytes. */
  readonly bytes: number
  /** From the request to the last byte, milliseconds. */
  readonly ms: number
}

/** Headers that tell something of an answer to who builds on it. */
const TELLING = ['content-type', 'etag', 'cache-control', 'retry-after', 'x-request-id']

/** Asks the API, as whom `proof` (headers) says; a problem is an answer like any other. Throws where no answer came. */
export async function rawAnswer(
  method: string,
  address: string,
  body: string | undefined,
  proof: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<RawAnswer> {
  const begin = performance.now()
  const response = await fetch(address, {
    method,
    signal,
    headers: { ...proof, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  const bytes = await response.arrayBuffer()
  return {
    status: response.status,
    words: response.statusText,
    headers: TELLING.flatMap(name => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    }),
    text: new TextDecoder().decode(bytes),
    bytes: bytes.byteLength,
    ms: performance.now() - begin,
  }
}
