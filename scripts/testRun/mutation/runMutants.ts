import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chooseTests } from '../changedTests.ts'
import { readImportGraph } from '../importGraph.ts'
import { type Coverage, readCoverage } from './coverage.ts'
import { applied } from './mutantInProcess.ts'
import { isModule, type Mutant, mutantsOf } from './mutants.ts'
import { runTestFile } from './runTestFile.ts'
import { openTypeCheck } from './typeCheck.ts'

/** A test file has this long with a mutant: so many times its own time, and some seconds for a busy machine. */
const DEADLINE_FACTOR = 4
const DEADLINE_EXTRA_MS = 8_000
const CLEAN_DEADLINE_MS = 300_000

/** `type error`: no test fails, but `npm test` checks types first, and they refuse the mutant. */
export type Outcome = 'killed' | 'timed out' | 'type error' | 'survived' | 'no coverage'
export type MutantResult = {
  /** Path of the module below the root. */
  readonly file: string
  readonly mutant: Mutant
  readonly outcome: Outcome
  /** How many test files ran with the mutant. */
  readonly tests: number
}

export type MutationOptions = {
  readonly root: string
  /** Modules to mutate, as paths below the root. */
  readonly files: readonly string[]
  /** How many mutants to draw; all if undefined. */
  readonly sample: number | undefined
  readonly seed: number
  /** CPU seconds of tests for one mutant. */
  readonly budget: number
  /** How many test files run at once. */
  readonly jobs: number
  readonly secondsOf: (test: string) => number
  readonly onProgress?: (line: string) => void
}

export type MutationReport = {
  readonly results: readonly MutantResult[]
  /** How many mutants the files have. */
  readonly mutants: number
  /** Test files that fail without any mutant, and were left out. */
  readonly failing: readonly string[]
}

type Drawn = { readonly file: string; readonly mutant: Mutant }
type CleanRun = { readonly ms: number; readonly covers: Coverage }

/** Makes mutants of the files and runs for each the nearest tests that reach it, the shortest first, until one fails. */
export async function runMutants(options: MutationOptions): Promise<MutationReport> {
  const { root, files, budget, secondsOf, jobs, onProgress = () => {} } = options
  const all = files.flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8')
    return mutantsOf(text).map(mutant => ({ file, mutant, text }))
  })
  const drawn = draw(all, options)
  const graph = new Map([...readImportGraph(root)].filter(([file]) => isBesideCode(file)))
  const testsOf = new Map(
    [...new Set(drawn.map(({ file }) => file))].map(file => [
      file,
      chooseTests(graph, [file], { secondsOf, budget }).tests,
    ]),
  )
  const urls = new Set([...testsOf.keys()].map(file => urlOf(root, file)))
  const tests = [...new Set([...testsOf.values()].flat())]
  onProgress(
    `${all.length} mutants in ${files.length} files, ${drawn.length} drawn; ${tests.length} test files`,
  )

  const clean = new Map<string, CleanRun>()
  const failing: string[] = []
  await inParallel(tests, jobs, async test => {
    const run = await runClean(root, test, urls)
    if (run) clean.set(test, run)
    else failing.push(test)
  })

  using types = openTypeCheck(root)
  const isRefused = ({ file, mutant }: Drawn) =>
    types?.accepts(file, applied(readFileSync(join(root, file), 'utf8'), mutant)) === false
  const results: MutantResult[] = []
  await inParallel(drawn, jobs, async (each, index) => {
    const result = await resultOf(root, each, testsOf.get(each.file) ?? [], clean)
    const isAlive = result.outcome === 'survived' || result.outcome === 'no coverage'
    results[index] = isAlive && isRefused(each) ? { ...result, outcome: 'type error' } : result
    const done = results.filter(Boolean).length
    if (done % 25 === 0) onProgress(`${done} of ${drawn.length}`)
  })
  return { results, mutants: all.length, failing: failing.sort() }
}

/** Journeys and drills are too far from the code to name what is wrong with it. */
const isBesideCode = (file: string): boolean => !(file.startsWith('tests/') && file.endsWith('.test.ts'))

const urlOf = (root: string, file: string): string => pathToFileURL(join(root, file)).href

function draw(
  all: readonly (Drawn & { readonly text: string })[],
  { sample = all.length, seed }: MutationOptions,
): Drawn[] {
  const random = randomOf(seed)
  const shuffled = all.map((each, index) => ({ ...each, index, at: random() })).sort((a, b) => a.at - b.at)
  const drawn: (Drawn & { readonly index: number })[] = []
  for (const { file, mutant, text, index } of shuffled) {
    if (drawn.length === sample) break
    if (isModule(applied(text, mutant))) drawn.push({ file, mutant, index })
  }
  return drawn.sort((a, b) => a.index - b.index)
}

/** Undefined where the test fails on its own. */
async function runClean(
  root: string,
  test: string,
  urls: ReadonlySet<string>,
): Promise<CleanRun | undefined> {
  const coverage = mkdtempSync(join(tmpdir(), 'assay-coverage-'))
  try {
    const { outcome, ms } = await runTestFile({ root, test, coverage, deadlineMs: CLEAN_DEADLINE_MS })
    return outcome === 'passed' ? { ms, covers: readCoverage(coverage, urls) } : undefined
  } finally {
    rmSync(coverage, { recursive: true, force: true })
  }
}

async function resultOf(
  root: string,
  { file, mutant }: Drawn,
  tests: readonly string[],
  clean: ReadonlyMap<string, CleanRun>,
): Promise<MutantResult> {
  const module = urlOf(root, file)
  const covering = tests
    .flatMap(test => {
      const run = clean.get(test)
      return run?.covers(module, mutant.start) ? [{ test, ms: run.ms }] : []
    })
    .sort((a, b) => a.ms - b.ms)
  let ran = 0
  for (const { test, ms } of covering) {
    ran++
    const { start, end, text } = mutant
    const { outcome } = await runTestFile({
      root,
      test,
      mutant: { module, start, end, text },
      deadlineMs: ms * DEADLINE_FACTOR + DEADLINE_EXTRA_MS,
    })
    if (outcome !== 'passed')
      return { file, mutant, outcome: outcome === 'failed' ? 'killed' : outcome, tests: ran }
  }
  return { file, mutant, outcome: ran === 0 ? 'no coverage' : 'survived', tests: ran }
}

async function inParallel<T>(
  all: readonly T[],
  jobs: number,
  run: (each: T, index: number) => Promise<void>,
): Promise<void> {
  const entries = all.entries()
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      for (const [index, each] of entries) await run(each, index)
    }),
  )
}

/** The generator mulberry32: the same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
