import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { FoundOutput, type Spill } from '../prevoutCache.ts'
import type { Recalled } from '../prevouts.ts'
import type { Leaving } from './layout.ts'
import { mergeRuns } from './mergeRuns.ts'
import { ReadRoom, type Run } from './run.ts'
import { dropAnswered, wantedOf } from './wanted.ts'
import { writeRun } from './writeRun.ts'

/** So many runs of one size become one of the next. */
const MERGED_AT_ONCE = 16
/** Offsets in a run are words in 32 bits. */
const MOST_WORDS = 2 ** 32

/**
 * Outputs that the cache of prevouts had no room for, on disk: each time the cache lets some go they become a sorted run,
 * and runs are merged as a log-structured tree does it (O'Neil et al. 1996). What is asked for is sorted too, so that a
 * search passes over each run once, whatever its size.
 *
 * It holds nothing that the engine will not hold as well and may forget anything at any time; it lasts as long as the
 * process.
 */
export class OutputSpill implements AsyncDisposable, Spill {
  readonly #folder: string
  readonly #log: Log
  /** The oldest first; each with how many times it was merged. */
  #runs: { readonly run: Run; readonly level: number }[] = []
  #count = 0
  #merging: { readonly done: Promise<void>; readonly abort: AbortController } | undefined
  readonly #room = new ReadRoom(new FoundOutput())

  constructor(home: string, log: Log) {
    this.#folder = join(home, 'outputs')
    this.#log = log
  }

  /** Runs that a search passes over. */
  get runCount(): number {
    return this.#runs.length
  }

  /** Keeps what leaves the cache. @throws IngestError `ingest.disk_full` */
  take(leaving: Leaving): void {
    mkdirSync(this.#folder, { recursive: true })
    this.#runs.push({ run: writeRun(leaving, this.#nextPath()), level: 0 })
    this.#mergeSome()
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
    for (let i = this.#runs.length - 1; i >= 0 && wanted.openCount > 0; i--) {
      this.#runs[i]!.run.search(wanted, this.#room, place =>
        onFound(wanted.chunkOf[place]!, wanted.rowOf[place]!, found),
      )
      dropAnswered(wanted)
    }
  }

  /** Forgets everything. */
  clear(): void {
    this.#merging?.abort.abort()
    this.#merging = undefined
    for (const { run } of this.#runs.splice(0)) run.close()
  }

  /** Forgets everything and leaves nothing on disk. */
  async [Symbol.asyncDispose](): Promise<void> {
    const merging = this.#merging
    this.clear()
    await merging?.done
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #nextPath(): string {
    return join(this.#folder, `${this.#count++}.run`)
  }

  /** Begins to merge the newest runs that are enough of one level, one merge at a time. */
  #mergeSome(): void {
    if (this.#merging !== undefined) return
    const from = this.#runs.findIndex(
      ({ level }, i) =>
        this.#runs.slice(i, i + MERGED_AT_ONCE).filter(one => one.level === level).length === MERGED_AT_ONCE,
    )
    if (from < 0) return
    const merged = this.#runs.slice(from, from + MERGED_AT_ONCE)
    const { level } = merged[0]!
    if (merged.reduce((sum, { run }) => sum + run.wordCount, 0) >= MOST_WORDS) return
    const abort = new AbortController()
    const done = mergeRuns(merged.map(({ run }) => run).reverse(), this.#nextPath(), abort.signal)
      .then(run => {
        if (abort.signal.aborted) return run.close()
        for (const one of merged) one.run.close()
        this.#runs.splice(this.#runs.indexOf(merged[0]!), merged.length, { run, level: level + 1 })
        this.#merging = undefined
        this.#mergeSome()
      })
      .catch((thrown: unknown) => {
        // Searches take longer over many small runs; nothing is lost.
        if (!abort.signal.aborted) {
          this.#merging = undefined
          this.#log.warn(`Older outputs could not be merged: ${sentenceOf(thrown)}`)
        }
      })
    this.#merging = { done, abort }
  }
}
