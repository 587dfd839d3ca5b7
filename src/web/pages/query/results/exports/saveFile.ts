import type { Problem } from '#http/contract.ts'
import { ApiRefusal } from '../../../../api.ts'
import { apiHref } from '../../../../apiHref.ts'
import type { Headers } from '../rowSource.ts'

/** Bytes that are kept as pieces before they become part of a blob, which browsers hold outside of the tab. */
const PIECE_BYTES = 8_000_000

/** Reads a response whole, without its bytes in the memory of the page. */
export async function readBlob(response: Response, onProgress: (bytes: number) => void): Promise<Blob> {
  let blob = new Blob([])
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let pending = 0
  const reader = response.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || value === undefined) break
    pieces.push(value)
    pending += value.byteLength
    onProgress(blob.size + pending)
    if (pending < PIECE_BYTES) continue
    blob = new Blob([blob, ...pieces])
    pieces = []
    pending = 0
  }
  return new Blob([blob, ...pieces])
}

type Saving = {
  path: string
  name: string
  headers: Headers
  signal: AbortSignal
  /** Bytes so far, and in all where the server says so. */
  onProgress: (bytes: number, total: number | undefined) => void
}

/** Fetches a file as whoever is signed in, and hands it to the reader. Throws `ApiRefusal`. */
export async function saveFile({ path, name, headers, signal, onProgress }: Saving): Promise<void> {
  const response = await fetch(apiHref(path), { headers: await headers(), signal })
  if (!response.ok) {
    const problem = (await response.json().catch(() => undefined)) as Problem | undefined
    throw new ApiRefusal(
      problem ?? {
        type: 'about:blank',
        title: 'Export failed',
        status: response.status,
        detail: `The server responded with status ${response.status}. Retry in a moment.`,
        code: 'web.no_reason',
      },
    )
  }
  const length = response.headers.get('content-length')
  // The length of a compressed response is not that of the file.
  const isPlain = response.headers.get('content-encoding') === null
  const total = length !== null && isPlain ? Number(length) : undefined
  const blob = await readBlob(response, bytes => onProgress(bytes, total))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  // The server's name says whether the file holds all rows.
  link.download = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? name
  link.click()
  URL.revokeObjectURL(link.href)
}
