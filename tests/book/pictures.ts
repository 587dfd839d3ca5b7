import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import pixelmatch from 'pixelmatch'
import type { Browser } from 'playwright-core'
import { PNG } from 'pngjs'
import { asKept, coloursOf, isAmong, smallFile, surfacesOf } from './fewColours.ts'

const FOLDER = fileURLToPath(new URL('../pictures', import.meta.url))
const NOTE = join(FOLDER, 'taken.json')
/** Beside the built pages: what a run keeps elsewhere goes with its end. */
const DIFFERENCES = fileURLToPath(new URL('../../build/pictures', import.meta.url))

/** By whom the pictures were taken, and the sum of each as the browser wrote it: equal sums need no comparison. */
type Note = { chromium: string; platform: string; sums: Record<string, string> }

/** So many pixels may differ: a letter that is wrong has more. */
const TOLERATED = 12
/** Difference of two pixels that counts, from 0 to 1: a card is a shade lighter than its page. */
const SEEN = 0.01

const sumOf = (file: Buffer): string => createHash('sha256').update(file).digest('hex').slice(0, 16)
const PLATFORM = `${process.platform} ${process.arch}`
const majorOf = (version: string): string => version.split('.')[0] ?? ''

const readNote = (): Note => JSON.parse(readFileSync(NOTE, 'utf8')) as Note

/** Why the kept pictures say nothing about this browser: another version of it draws letters in another way. */
export function whyNotCompared(browser: Browser): string | undefined {
  const { chromium, platform } = readNote()
  if (platform !== PLATFORM) return `the pictures were taken on ${platform}, this is ${PLATFORM}`
  const own = browser.version()
  return majorOf(chromium) === majorOf(own)
    ? undefined
    : `the pictures were taken with Chromium ${chromium}, this is ${own}; \`npm run pictures -- --accept\` takes them anew`
}

/** Keeps pictures by their names in place of all that were kept. */
export function keep(browser: Browser, files: ReadonlyMap<string, Buffer>): void {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const [name, file] of files) writeFileSync(join(FOLDER, name), smallFile(PNG.sync.read(file)))
  const sums = Object.fromEntries([...files].map(([name, file]) => [name, sumOf(file)]))
  const note: Note = { chromium: browser.version(), platform: PLATFORM, sums }
  writeFileSync(NOTE, `${JSON.stringify(note, null, 2)}\n`)
}

/** Whether a picture is the kept one to the byte. */
export function sameAsKept(): (name: string, file: Buffer) => boolean {
  const { sums } = readNote()
  return (name, file) => sums[name] === sumOf(file)
}

export type Comparer = {
  /** What differs between a picture as it was taken now and the one that is kept; undefined where nothing does. */
  compare(name: string, file: Buffer): string | undefined
  /** Pictures that are kept and were not taken. */
  left(): string[]
}

/** Compares with the kept pictures; what differs is written to a folder of its own, which the faults name. */
export function openComparer(): Comparer {
  const { sums } = readNote()
  const waiting = new Set(readdirSync(FOLDER).filter(name => name.endsWith('.png')))
  let folder: string | undefined
  const write = (name: string, file: Buffer): string => {
    if (folder === undefined) {
      mkdirSync(DIFFERENCES, { recursive: true })
      folder = mkdtempSync(join(DIFFERENCES, 'run-'))
    }
    writeFileSync(join(folder, name), file)
    return join(folder, name)
  }
  return {
    compare(name, file) {
      if (!waiting.delete(name)) return `${name}: no picture of it is kept`
      if (sums[name] === sumOf(file)) return undefined
      const kept = PNG.sync.read(readFileSync(join(FOLDER, name)))
      const taken = PNG.sync.read(file)
      const { fault, marked } = differenceOf(kept, taken)
      if (fault === undefined) return undefined
      const as = write(name, file)
      const where = marked && write(name.replace('.png', '-differs.png'), PNG.sync.write(marked))
      return `${name}: ${fault}; as drawn now: ${as}${where ? `, what differs: ${where}` : ''}`
    },
    left: () => [...waiting],
  }
}

/** What differs, in words, and where, as a picture. */
export function differenceOf(kept: PNG, taken: PNG): { fault?: string; marked?: PNG } {
  const { width, height } = kept
  if (taken.width !== width || taken.height !== height)
    return { fault: `${taken.width} × ${taken.height} px, was ${width} × ${height} px` }
  const colours = coloursOf(kept)
  const strange = surfacesOf(taken).filter(colour => !isAmong(colours, colour))
  if (strange.length > 0)
    return {
      fault: `surfaces of a new colour: ${strange.map(colour => `#${colour.toString(16).padStart(6, '0')}`).join(', ')}`,
    }
  const marked = new PNG({ width, height })
  const { data } = asKept(taken, kept)
  const count = pixelmatch(kept.data, data, marked.data, width, height, {
    threshold: SEEN,
    includeAA: true,
  })
  return count > TOLERATED ? { fault: `${count} pixels differ`, marked } : {}
}
