import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { MUTANT, type MutantInProcess } from './mutantInProcess.ts'

const HOOK = new URL('mutantHook.ts', import.meta.url).href
const FIRST_FAILURE = new URL('firstFailure.ts', import.meta.url).href

export type TestRun = { readonly outcome: 'passed' | 'failed' | 'timed out'; readonly ms: number }

export type TestRunOptions = {
  readonly root: string
  /** Path of the test file below the root. */
  readonly test: string
  readonly mutant?: MutantInProcess
  /** Folder for V8 coverage. */
  readonly coverage?: string
  readonly deadlineMs: number
}

/** Groups of processes that must not outlive this one. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) killGroup(child)
})

/** Runs a test file in a process of its own, up to its first failure. */
export async function runTestFile(options: TestRunOptions): Promise<TestRun> {
  const { root, test, deadlineMs } = options
  const scratch = mkdtempSync(join(tmpdir(), 'assay-mutant-'))
  // Servers that refuse to run as root work below it as another user.
  chmodSync(scratch, 0o711)
  const from = performance.now()
  const child = spawn(
    process.execPath,
    [`--test-reporter=${FIRST_FAILURE}`, '--test-reporter-destination=stdout', test],
    // A group of its own, so that what a test has started ends with it.
    { cwd: root, detached: true, stdio: 'ignore', env: environment(options, scratch) },
  )
  running.add(child)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    killGroup(child)
  }, deadlineMs)
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', resolve)
    })
    const ms = performance.now() - from
    return { outcome: isLate ? 'timed out' : code === 0 ? 'passed' : 'failed', ms }
  } finally {
    clearTimeout(timer)
    killGroup(child)
    running.delete(child)
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
}

function environment({ mutant, coverage }: TestRunOptions, scratch: string): NodeJS.ProcessEnv {
  // Data folders that runs share must not be made by a mutant; the other one is set where this itself runs under a test.
  const { ASSAY_TEST_HOMES: _, NODE_TEST_CONTEXT: __, NODE_OPTIONS = '', ...rest } = process.env
  return {
    ...rest,
    TMPDIR: scratch,
    NODE_OPTIONS: `${NODE_OPTIONS} --import=${HOOK}`.trim(),
    ...(mutant && { [MUTANT]: JSON.stringify(mutant) }),
    // Functions from the compile cache would be missing in the coverage.
    ...(coverage && { NODE_V8_COVERAGE: coverage, NODE_DISABLE_COMPILE_CACHE: '1' }),
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of them have ended.
  }
}
