import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { MetricsError } from '../errors.ts'

/** What a file of the snapshot holds. */
export const SNAPSHOT_KINDS = [
  'run',
  'island',
  'prevouts',
  'statistics',
  'epochs',
  'stale',
  'series',
  'stacks_archive',
  'evm_headers',
] as const

const File = z.object({
  /** Inside the snapshot's folder; compressed with zstd. */
  path: z.string().regex(/^[\w./-]+\.zst$/),
  kind: z.enum(SNAPSHOT_KINDS),
  /** Source id of the figures; blocks are facts of the chain. */
  source: z.string(),
  /** Repository and path that it was recorded from. */
  from: z.string(),
  licence: z.string(),
  /** Of the bytes before compression. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().nonnegative(),
  height: z.number().int().nonnegative().optional(),
})

const Manifest = z.object({ version: z.literal(1), files: z.array(File).min(1) })

export type SnapshotFile = z.infer<typeof File>
export type Manifest = z.infer<typeof Manifest>

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The manifest of a snapshot folder. Throws `metrics.snapshot` where it is missing or does not fit its schema. */
export async function readManifest(dir: string): Promise<Manifest> {
  const path = join(dir, 'manifest.json')
  const text = await readFile(path, 'utf8').catch(cause => {
    throw new MetricsError('metrics.snapshot', `there is no snapshot at ${dir}`, { cause })
  })
  const parsed = Manifest.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new MetricsError('metrics.snapshot', `${path}: ${issue?.path.join('.')}: ${issue?.message}`)
}

/** The bytes of a snapshot's file, checked against the manifest. Throws `metrics.snapshot`. */
export async function readSnapshotFile(dir: string, file: SnapshotFile): Promise<Buffer> {
  const bytes = zstdDecompressSync(await readFile(join(dir, file.path)))
  if (sha256Of(bytes) === file.sha256) return bytes
  throw new MetricsError('metrics.snapshot', `${file.path} is not the file that the manifest names`, {
    hint: 'Check the working copy out again.',
  })
}
