import type { Committed } from './run.ts'

/** Where a piece of work stands. */
export type IngestProgress = {
  /** Newest height written, and the one aimed at. */
  readonly height: number
  readonly aimHeight: number
  /** Since the work began. */
  readonly blockCount: number
  readonly rowCount: number
  readonly seconds: number
  readonly rowsPerS: number
  /** By the blocks a second so far; null before the first. */
  readonly etaS: number | null
}

export type OnProgress = (progress: IngestProgress) => void

/** Turns commits into progress. */
export function createMeter(
  now: () => number,
  onProgress: OnProgress | undefined,
): (committed: Committed, aimHeight: number) => void {
  const startMs = now()
  let blockCount = 0
  let rowCount = 0
  return (committed, aimHeight) => {
    blockCount += committed.blockCount
    rowCount += committed.rowCount
    const seconds = (now() - startMs) / 1000
    const left = Math.max(0, aimHeight - committed.toHeight)
    onProgress?.({
      height: committed.toHeight,
      aimHeight,
      blockCount,
      rowCount,
      seconds,
      rowsPerS: seconds > 0 ? rowCount / seconds : 0,
      etaS: blockCount > 0 ? (left / blockCount) * seconds : null,
    })
  }
}
