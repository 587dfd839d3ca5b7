import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** Memory of some processes together, bytes. */
export type MemorySample = {
  /** Belongs to them alone and could only go to swap: what counts. */
  readonly anonymousBytes: number
  /** Resident pages of files, which the system drops at will. */
  readonly mappedBytes: number
}

/** A process, all that it started, and the engine of `home`, which stands apart from whoever started it. */
export function memoryOf(pid: number, home: string): MemorySample {
  const sum = { anonymousBytes: 0, mappedBytes: 0 }
  for (const one of familyOf([pid, enginePid(home)].filter(found => found !== undefined))) {
    // The kernel keeps these counts; those of smaps_rollup it makes by going through all pages, a tenth of a second each time.
    const text = readOrNothing(`/proc/${one}/status`)
    sum.anonymousBytes += kilobytes(text, 'RssAnon') * 1024
    sum.mappedBytes += (kilobytes(text, 'RssFile') + kilobytes(text, 'RssShmem')) * 1024
  }
  return sum
}

/**
 * Processor time of a process, of all that it started, and of the engine of `home` where one is given, seconds since their
 * start.
 */
export function processorSecondsOf(pid: number, home?: string): number {
  const engine = home === undefined ? undefined : enginePid(home)
  let ticks = 0
  for (const one of familyOf([pid, engine].filter(found => found !== undefined))) ticks += sum(ticksOf(one))
  return ticks / TICKS_A_SECOND
}

/** Processor time of those children of this process that have ended, and of theirs, seconds. */
export const endedChildrenSeconds = (): number => sum(ticksOf(process.pid).slice(2)) / TICKS_A_SECOND

/** utime and stime, and those of children that have ended: fields 14 to 17 of proc(5). */
function ticksOf(pid: number): readonly number[] {
  const stat = readOrNothing(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).map(Number)
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** What Linux counts processor time in, for every program (`USER_HZ`). */
const TICKS_A_SECOND = 100

function familyOf(roots: readonly number[]): Set<number> {
  const childrenOf = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // The command stands in parentheses and may hold anything: the parent is the second field behind the last of them.
    const stat = readOrNothing(`/proc/${name}/stat`)
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), Number(name)])
  }
  const family = new Set<number>()
  const waiting = [...roots]
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    if (family.has(pid)) continue
    family.add(pid)
    waiting.push(...(childrenOf.get(pid) ?? []))
  }
  return family
}

function enginePid(home: string): number | undefined {
  const text = readOrNothing(join(home, 'warehouse', 'endpoint.json'))
  return text === '' ? undefined : (JSON.parse(text) as { pid: number }).pid
}

const kilobytes = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)

/** A process may end between two looks. */
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
