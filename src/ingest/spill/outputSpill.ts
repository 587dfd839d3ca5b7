import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { FoundOutput, type Spill } from '../prevoutCache.ts'
import type { Recalled } from '../prevouts.ts'
import type { Leaving } from './layout.ts'
import { mergeRuns } from './mergeRuns.ts'
import { ReadRoom, Run } from './run.ts'
import { openRunFile, partOf } from './runFile.ts'
import { dropAnswered, wantedOf } from './wanted.ts'
import { writeRun } from './writeRun.ts'

/** So many runs of one size become one of the next. */
const MERGED_AT_ONCE = 16
/** Offsets in a run are words in 32 bits. */
const MOST_WORDS = 2 ** 32

/** A block of the chain that is held. */
export type HeldBlock = { readonly height: number; readonly hash: string }

/**
 * Outputs that the cache of prevouts had no room for, on disk: each time the cache lets some go they become a sorted run,
 * and runs are merged as a log-structured tree does it (O'Neil et al. 1996). What is asked for is sorted too, so that a
 * search passes over each run once, whatever its size.
 *
 * It holds nothing that the engine will not hold as well, and may forget anything at any time. After a stop it goes on with
 * the runs of committed blocks, if the chain that is held is still the one they came from.
 */
export class OutputSpill implements AsyncDisposable, Spill {
  readonly #folder: string
  readonly #log: Log
  /** The oldest first. */
  #runs: Run[] = []
  #count = 0
  #top: HeldBlock | undefined
  #merging: { readonly done: Promise<void>; readonly abort: AbortController } | undefined
  readonly #removing = new Set<Promise<void>>()
  readonly #room = new ReadRoom(new FoundOutput())

  constructor(home: string, log: Log) {
    this.#folder = join(home, 'outputs')
    this.#log = log
  }

  /** Takes up what an earlier process has left; `hashAt` tells the hash of a held block, null where none is held. */
  async open(hashAt: (height: number) => Promise<string | null>): Promise<void> {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder) : []
    const top = readTop(join(this.#folder, TOP))
    const isSameChain = top !== undefined && (await hashAt(top.height)) === top.hash
    for (const name of names) {
      const path = join(this.#folder, name)
      const number = Number(/^(\d+)\.run$/.exec(name)?.[1] ?? Number.NaN)
      const file = isSameChain && number >= 0 ? openRunFile(path) : undefined
      if (file !== undefined) {
        this.#runs.push(new Run(path, file.fd, file.facts))
        this.#count = Math.max(this.#count, number + 1)
      } else if (name !== TOP) rmSync(path, { force: true })
    }
    this.#runs.sort((a, b) => a.facts.maxHeight - b.facts.maxHeight)
    this.#top = isSameChain ? top : undefined
    this.clear()
  }

  /** Runs that a search passes over. */
  get runCount(): number {
    return this.#runs.length
  }

  /** Keeps what leaves the cache. @throws IngestError `ingest.disk_full` */
  take(leaving: Leaving): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.#add(writeRun(leaving, this.#nextPath()), this.#runs.length)
    this.#mergeSome()
  }

  /** Blocks up to this one are committed: after a stop the runs up to it hold true. */
  committed({ height, hash }: HeldBlock): void {
    this.#top = { height, hash }
    if (this.#runs.length === 0) return
    const path = join(this.#folder, TOP)
    try {
      writeFileSync(partOf(path), JSON.stringify(this.#top), { mode: 0o600 })
      renameSync(partOf(path), path)
    } catch (thrown) {
      // The blocks are committed all the same; after a stop fewer runs are taken up.
      this.#log.warn(`Older outputs are saved up to an earlier block only: ${sentenceOf(thrown)}`)
    }
  }

  /**
   * Finds what it holds of what the chunks want, the newest output of an outpoint; `onFound` gets the chunk, its row and
   * where the output lies until it returns.
   */
  find(
    wanting: readonly Recalled[],
    onFound: (chunk: number, row: number, found: FoundOutput) => void,
  ): void {
    if (this.#runs.length === 0) return
    const wanted = wantedOf(wanting)
    const { found } = this.#room
    for (const run of this.#runs.toReversed()) {
      if (wanted.openCount === 0) break
      try {
        run.search(wanted, this.#room, place => onFound(wanted.chunkOf[place]!, wanted.rowOf[place]!, found))
      } catch (thrown) {
        // The engine knows what it held.
        this.#log.warn(`A file of older outputs is left out: ${sentenceOf(thrown)}`)
        this.#forget(one => one === run)
      }
      dropAnswered(wanted)
    }
  }

  /** Forgets outputs of blocks that are not committed. */
  clear(): void {
    this.#forgetAbove(this.#top?.height ?? -1)
  }

  /** Forgets outputs of blocks above a height, because others take their place. */
  forkedAt(fork: HeldBlock | undefined): void {
    this.#forgetAbove(fork?.height ?? -1)
    if (fork !== undefined) this.committed(fork)
    else this.#top = undefined
  }

  /** What is kept stays on disk. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#merging?.abort.abort()
    await this.#merging?.done
    for (const run of this.#runs.splice(0)) await run.close()
    await Promise.all(this.#removing)
  }

  #nextPath(): string {
    return join(this.#folder, `${this.#count++}.run`)
  }

  #add(run: Run, at: number, inPlaceOf = 0): void {
    this.#runs.splice(at, inPlaceOf, run)
    run
      .keep()
      .catch((thrown: unknown) =>
        this.#log.warn(`Older outputs are not saved across restarts: ${sentenceOf(thrown)}`),
      )
  }

  #forgetAbove(height: number): void {
    this.#forget(run => run.facts.maxHeight > height)
  }

  #forget(isForgotten: (run: Run) => boolean): void {
    if (!this.#runs.some(isForgotten)) return
    this.#merging?.abort.abort()
    this.#merging = undefined
    for (const run of this.#runs.filter(isForgotten)) this.#remove(run)
    this.#runs = this.#runs.filter(run => !isForgotten(run))
  }

  #remove(run: Run): void {
    const removing = run.remove()
    this.#removing.add(removing)
    void removing.finally(() => this.#removing.delete(removing))
  }

  /** Begins to merge runs that are enough of one level, one merge at a time. */
  #mergeSome(): void {
    if (this.#merging !== undefined) return
    const levelAt = (i: number): number | undefined => this.#runs[i]?.facts.level
    const from = this.#runs.findIndex((_, i) =>
      Array.from({ length: MERGED_AT_ONCE }, (_, k) => levelAt(i + k)).every(level => level === levelAt(i)),
    )
    if (from < 0) return
    const merged = this.#runs.slice(from, from + MERGED_AT_ONCE)
    if (merged.reduce((sum, { facts }) => sum + facts.offsets.at(-1)!, 0) >= MOST_WORDS) return
    const abort = new AbortController()
    const done = mergeRuns(merged.toReversed(), this.#nextPath(), abort.signal)
      .then(run => {
        if (abort.signal.aborted) return this.#remove(run)
        this.#add(run, this.#runs.indexOf(merged[0]!), merged.length)
        // Only once the new one is on disk: a stop before that finds the old ones.
        const isKept = run.keep().catch(() => {})
        void isKept.then(() => {
          for (const one of merged) this.#remove(one)
        })
        this.#merging = undefined
        this.#mergeSome()
      })
      .catch((thrown: unknown) => {
        // Searches take longer over many small runs; nothing is lost.
        if (abort.signal.aborted) return
        this.#merging = undefined
        this.#log.warn(`Older outputs could not be merged: ${sentenceOf(thrown)}`)
      })
    this.#merging = { done, abort }
  }
}

/** Where the newest committed block is written down. */
const TOP = 'top.json'

const Top = z.object({ height: z.int().min(0), hash: z.string() })

function readTop(path: string): HeldBlock | undefined {
  try {
    return Top.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // Missing or broken: then the runs beside it are not taken up.
    return undefined
  }
}
