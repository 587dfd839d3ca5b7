import { mkdir, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ACCEPT_ENCODING } from './load.ts'
import type { Recorded } from './peers.ts'

/** Headers that Node's server writes by itself. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive', 'transfer-encoding']

/** An answer with its headers, its body as it travelled. Throws unless it is a 200. */
export async function record(url: string): Promise<Recorded & { bytes: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<Recorded & { bytes: Buffer }>()
  get(url, { headers: { 'accept-encoding': ACCEPT_ENCODING, accept: '*/*' } }, answer => {
    const parts: Buffer[] = []
    answer.on('data', part => parts.push(part))
    answer.on('error', reject)
    answer.on('end', () => {
      const bytes = Buffer.concat(parts)
      if (answer.statusCode !== 200)
        return reject(new Error(`${url} answered ${answer.statusCode}: ${bytes.subarray(0, 300)}`))
      const headers = Object.fromEntries(
        Object.entries(answer.headers)
          .filter(([name]) => !OWN_HEADERS.includes(name))
          .map(([name, value]) => [name, String(value)]),
      )
      resolve({ headers, body: bytes.toString('base64'), bytes })
    })
  }).on('error', reject)
  return promise
}

export function unpacked({ headers, bytes }: { headers: Recorded['headers']; bytes: Buffer }): Buffer {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(bytes)
  return headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
}

/** Name of the file in which a page is saved: `x.html` for a page `/x`, `index.html` for `/`. */
export const fileOf = (path: string): string =>
  `${path === '/' ? 'index' : decodeURIComponent(path).slice(1)}.html`

/** Saves an answer as a static file, and as it travelled beside it. */
export async function save(origin: string, path: string, folder: string): Promise<void> {
  const answer = await record(origin + path)
  const isPage = answer.headers['content-type']?.startsWith('text/html') === true
  const { pathname } = new URL(path, origin)
  const file = join(folder, isPage ? fileOf(pathname) : decodeURIComponent(pathname))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, unpacked(answer))
  const suffix = { br: '.br', gzip: '.gz' }[answer.headers['content-encoding'] ?? '']
  if (suffix !== undefined) await writeFile(file + suffix, answer.bytes)
}
