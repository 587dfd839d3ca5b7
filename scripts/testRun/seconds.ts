import { readFileSync, writeFileSync } from 'node:fs'
import { readReports } from './phaseTable.ts'

/**
 * CPU seconds of test files on a machine with two cores, from 2 s on; written by `npm test -- --record`. A file that runs with
 * others in one process has its part of them, by how long its tests took.
 */
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

/** What a run knows of its files besides the reports of processes. */
export type Took = {
  /** Files by the name of the process that ran several. */
  readonly groups: ReadonlyMap<string, readonly string[]>
  /** How long the tests of each file took, ms. */
  readonly testMs: ReadonlyMap<string, number>
}

/** CPU ms of each file of a run. */
export function fileCpuMs(reports: string, { groups, testMs }: Took): [file: string, cpuMs: number][] {
  return readReports(reports).flatMap(({ file, cpuMs }): [string, number][] => {
    const group = groups.get(file)
    if (group === undefined) return [[file, cpuMs]]
    const took = (each: string): number => testMs.get(each) ?? 0
    const all = group.reduce((sum, each) => sum + took(each), 0)
    return all === 0 ? [] : group.map(each => [each, (cpuMs * took(each)) / all])
  })
}

/** Takes over what a run has reported of its files; others keep what they had. */
export function recordSeconds(reports: string, took: Took): void {
  const recorded = new Map(Object.entries(JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, number>))
  for (const [file, cpuMs] of fileCpuMs(reports, took)) recorded.set(file, Math.round(cpuMs / 1000))
  const kept = [...recorded].filter(([, seconds]) => seconds >= LEAST).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}
