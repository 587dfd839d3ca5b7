import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { KeptAnswer } from '../cache/answerCache.ts'
import type { Encoding } from '../cache/encodings.ts'

/** The files that pages load, by address. They are few and small: once read they stay in memory, packed. */
export type Assets = {
  /** The file at this address, read and packed at its first use; undefined where there is none. */
  find(path: string): Promise<KeptAnswer> | undefined
  /** The same if it was read before. */
  hot(path: string): KeptAnswer | undefined
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
}

const PACKED: readonly (readonly [Encoding, string])[] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]

/** Lists a folder once: what is not there now is never served, whatever an address says. */
export async function readAssets(folder: string): Promise<Assets> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = new Map(
    entries
      .filter(entry => entry.isFile())
      .map(entry => {
        const file = join(entry.parentPath, entry.name)
        return [file.slice(folder.length).replaceAll('\\', '/'), file] as const
      }),
  )
  const read = new Map<string, KeptAnswer>()
  const reading = new Map<string, Promise<KeptAnswer>>()

  async function load(path: string, file: string): Promise<KeptAnswer> {
    const bytes = await readFile(file)
    const packed = new Map<Encoding, Buffer>([['identity', bytes]])
    for (const [encoding, ending] of PACKED) {
      const sibling = files.get(path + ending)
      if (sibling !== undefined) packed.set(encoding, await readFile(sibling))
    }
    const answer: KeptAnswer = {
      key: path,
      etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      body: {
        bytes,
        contentType: TYPES[extname(path)] ?? 'application/octet-stream',
        headers: {
          // A file under /assets has the hash of its content in its name.
          'cache-control': path.startsWith('/assets/')
            ? 'public, max-age=31536000, immutable'
            : 'public, max-age=3600',
          vary: 'accept-encoding',
        },
      },
      packed,
      parts: new Set(),
    }
    read.set(path, answer)
    return answer
  }

  return {
    hot: path => read.get(path),
    find(path) {
      const file = files.get(path)
      if (file === undefined) return undefined
      const running = reading.get(path) ?? load(path, file)
      reading.set(path, running)
      return running
    },
  }
}
