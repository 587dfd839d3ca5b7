import { readFileSync, writeFileSync } from 'node:fs'
import { readReports } from './phaseTable.ts'

/** CPU seconds of test files on a machine with two cores, from 2 s on; written by `npm test -- --record`. */
const RECORD = new URL('seconds.json', import.meta.url)
const LEAST = 2

export type Seconds = {
  /** CPU seconds of a test file as last recorded; 1 for short and new ones. */
  of(file: string): number
}

export function readSeconds(): Seconds {
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, number>
  return { of: file => recorded[file] ?? 1 }
}

/** Takes over what a run has reported of its files; others keep what they had. */
export function recordSeconds(reports: string): void {
  const recorded = new Map(Object.entries(JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, number>))
  // Processes of several files say nothing about one of them.
  for (const { file, cpuMs } of readReports(reports))
    if (file.endsWith('.test.ts')) recorded.set(file, Math.round(cpuMs / 1000))
  const kept = [...recorded].filter(([, seconds]) => seconds >= LEAST).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}
