import { setTimeout as delay } from 'node:timers/promises'
import type { ResultHeaders } from './execute.ts'

/** Rows and bytes that a query has read. */
export type Reads = { readonly readRows: number; readonly readBytes: number }

export const NO_READS: Reads = { readRows: 0, readBytes: 0 }

/** Before each look at a running query; the last one repeats. */
const DELAYS_MS = [20, 40, 80, 160, 250]

/**
 * Reports what a running query has read until it is disposed. The embedded engine has no counts at the end of most formats,
 * so what a query reads after the last look is not counted.
 */
export function watchReads(
  progressOf: () => Promise<Reads | undefined>,
  onReads: (reads: Reads) => void,
): Disposable {
  const over = new AbortController()
  const watch = async () => {
    for (let nth = 0; ; nth++) {
      await delay(DELAYS_MS[nth] ?? DELAYS_MS.at(-1), undefined, { signal: over.signal, ref: false })
      // The query itself reports an engine that is away.
      const reads = await progressOf().catch(() => undefined)
      if (reads !== undefined) onReads(reads)
    }
  }
  void watch().catch(() => {})
  return { [Symbol.dispose]: () => over.abort() }
}

/** What a ClickHouse server reports as read; nothing for the embedded engine. */
export function readsOfSummary(headers: ResultHeaders): Reads {
  const { read_rows = 0, read_bytes = 0 } = parsed(headers['x-clickhouse-summary'])
  return { readRows: Number(read_rows) || 0, readBytes: Number(read_bytes) || 0 }
}

function parsed(text: unknown): { read_rows?: unknown; read_bytes?: unknown } {
  try {
    return (typeof text === 'string' && JSON.parse(text)) || {}
  } catch {
    return {}
  }
}

/** Counts only grow, so of two looks at one query the larger is the later. */
export const laterReads = (a: Reads, b: Reads): Reads => ({
  readRows: Math.max(a.readRows, b.readRows),
  readBytes: Math.max(a.readBytes, b.readBytes),
})
