import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync, readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import process from 'node:process'
import { before } from 'node:test'
import { isMainThread } from 'node:worker_threads'

/** Folder of one run of all tests to which each process adds how it has spent its time; unset when a file runs alone. */
const REPORTS = 'ASSAY_TEST_PHASES'

/** What tests spend time on besides their own work. */
export type Phase =
  | 'start of Node'
  | 'engine'
  | 'store'
  | 'load of the snapshot'
  | 'copies of data folders'
  | 'start of a site'
  | 'commands'
  | 'browser'
  | 'waiting for quiet'

/** How one process of tests spent its time, ms. CPU is that of the process and of those that it has started and seen end. */
export type PhaseReport = {
  readonly file: string
  readonly wallMs: number
  readonly cpuMs: number
  readonly phases: Readonly<Partial<Record<Phase, number>>>
}

const spent = new Map<Phase, number>()
const outer = new AsyncLocalStorage<{ innerMs: number }>()
const add = (phase: Phase, ms: number) => spent.set(phase, (spent.get(phase) ?? 0) + ms)

/** Runs the task and counts its time for the phase, without the time of phases inside it. */
export async function inPhase<T>(phase: Phase, task: () => PromiseLike<T>): Promise<T> {
  const own = { innerMs: 0 }
  const from = performance.now()
  try {
    return await outer.run(own, task)
  } finally {
    const ms = performance.now() - from
    add(phase, ms - own.innerMs)
    const around = outer.getStore()
    if (around) around.innerMs += ms
  }
}

const reports = process.env[REPORTS]
/** Processes and threads that a test starts are loaded with what it was loaded with. */
const isOfTests = isMainThread && /\.test\.ts$|\/shared[\w.]+-\d\.mts$/.test(process.argv[1] ?? '')
if (reports !== undefined && isOfTests) {
  // The first hook runs once Node and all modules of the file are loaded.
  before(() => add('start of Node', performance.now()))
  process.once('exit', () => {
    const report: PhaseReport = {
      file: nameOf(process.argv[1] ?? ''),
      wallMs: performance.now(),
      cpuMs: cpuMs(),
      phases: Object.fromEntries(spent),
    }
    appendFileSync(reports, `${JSON.stringify(report)}\n`)
  })
}

/** Path below the root; the name alone of a file that the runner has written elsewhere. */
function nameOf(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') ? basename(file) : path
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + endedChildrenMs()
}

/** CPU of processes that have ended, from proc(5); 0 where there is no such file. */
function endedChildrenMs(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Fields 16 and 17 of the line; its first two stand before the cut. Ticks of a hundredth of a second.
    return (Number(fields[13]) + Number(fields[14])) * 10
  } catch {
    return 0
  }
}
