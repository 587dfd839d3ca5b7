import { existsSync, readFileSync } from 'node:fs'
import type { PhaseReport } from '#kernel/phases.testing.ts'

/** How many files the report lists. */
const SLOWEST = 25
const REST = 'tests themselves'

/** What each process of a run has reported; none where the file is missing. */
export function readReports(path: string): PhaseReport[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as PhaseReport)
}

/** What a run spent its time on: the sum by phase, and the files that took most CPU. Times are in seconds. */
export function phaseTable(path: string): string {
  const reports = readReports(path)
  if (reports.length === 0) return ''
  const sums = new Map<string, number>()
  for (const { wallMs, phases } of reports) {
    const told = Object.entries(phases)
    for (const [phase, ms] of told) sums.set(phase, (sums.get(phase) ?? 0) + ms)
    const rest = told.reduce((left, [, ms]) => left - ms, wallMs)
    sums.set(REST, (sums.get(REST) ?? 0) + Math.max(0, rest))
  }
  const byTime = [...sums].sort(([, a], [, b]) => b - a)
  const cpuMs = reports.reduce((sum, report) => sum + report.cpuMs, 0)
  const slowest = reports.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, SLOWEST)
  return [
    `seconds by phase, summed over ${reports.length} processes (CPU of all: ${seconds(cpuMs)}):`,
    ...byTime.map(([phase, ms]) => `  ${seconds(ms)}  ${phase}`),
    '',
    'files with most CPU (CPU, wall, longest phases):',
    ...slowest.map(report => `  ${lineOf(report)}`),
  ].join('\n')
}

function lineOf({ file, cpuMs, wallMs, phases }: PhaseReport): string {
  const longest = Object.entries(phases)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([phase, ms]) => `${phase} ${seconds(ms).trim()}`)
  return `${seconds(cpuMs)}  ${seconds(wallMs)}  ${file} (${longest.join(', ')})`
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(7)
