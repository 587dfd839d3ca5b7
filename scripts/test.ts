import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import process from 'node:process'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { layerFaults } from './layers.ts'
import { changedFiles, chooseTests } from './testRun/changedTests.ts'
import { distancesFrom, PAGES, readImportGraph } from './testRun/importGraph.ts'
import { phaseTable } from './testRun/phaseTable.ts'
import { makeScratch } from './testRun/scratch.ts'
import { readSeconds, recordSeconds } from './testRun/seconds.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const ALL = ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/**/*.test.ts']
const isDrill = process.argv.includes('--drill')
const isChanged = process.argv.includes('--changed')
const words = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
/** Files that are asked for by name; with `--changed` the word is the commit to compare with. */
const only = isChanged ? [] : words.flatMap(filesNamed)
/** CPU seconds for tests near a change: with types, lint and a build of the pages, within two minutes. */
const CHANGED_BUDGET_S = 80
const seconds = readSeconds()
const tally = { passed: 0, failed: 0, skipped: 0 }
const skips: string[] = []

function check(name: string, faults: string): void {
  if (faults === '') {
    tally.passed++
    console.log(`✔ ${name}`)
  } else {
    tally.failed++
    console.log(`✖ ${name}\n${faults}`)
  }
}

function matches(pattern: string): string[] {
  return globSync(pattern, { cwd: root })
}

/** Test files of a name: a path, or a part of one. */
function filesNamed(name: string): string[] {
  if (existsSync(join(root, name))) return [name]
  const found = ALL.flatMap(matches).filter(file => file.includes(name))
  if (found.length > 0) return found
  console.error(`no test file has "${name}" in its path`)
  process.exit(1)
}

/** A long file that starts last keeps one of two lanes idle. */
function longestFirst(files: readonly string[]): string[] {
  return [...new Set(files)].sort((a, b) => seconds.of(b) - seconds.of(a) || (a < b ? -1 : 1))
}

/** Tests near what differs from a commit, with the pages built where one needs them. */
function testsOfChange(): string[] {
  const graph = readImportGraph(root)
  const changed = changedFiles(root, words[0] ?? 'HEAD')
  const { tests, leftOut } = chooseTests(graph, changed, { secondsOf: seconds.of, budget: CHANGED_BUDGET_S })
  console.log(`\n${changed.length} changed files: ${tests.length} test files run`)
  if (leftOut.length > 0)
    console.log(`${leftOut.length} further away are left out: npm test -- ${leftOut.join(' ')}`)
  const withPages = distancesFrom(graph, PAGES)
  if (tests.some(file => withPages.has(file)))
    spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
  return tests
}

function end(): void {
  console.log(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`)
  process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0
}

/** Output of a tool that failed, or '' where it was content. */
function faultsOf(tool: string, args: string[]): string {
  const done = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return done.status === 0 ? '' : `${done.stdout}${done.stderr}`.trim() || `${tool} ended with ${done.status}`
}

if (only.length === 0 && !isDrill) {
  check('format and lint', faultsOf('@biomejs/biome/bin/biome', ['ci', '--colors=off', '.']))
  check('route types', faultsOf('@react-router/dev/bin.cjs', ['typegen']))
  check(
    'types',
    faultsOf('typescript/bin/tsc', [
      '--noEmit',
      '--incremental',
      '--tsBuildInfoFile',
      'build/types.tsbuildinfo',
    ]),
  )
  check('each room imports only what it may', layerFaults(root).join('\n'))
}

const patterns = isDrill
  ? // All but the first hold each metric, or each page, to more than a run of all tests has time for (`aPart`).
    [
      'tests/drills/**/*.test.ts',
      'src/http/api.test.ts',
      'src/metrics/snapshot/figures.test.ts',
      'src/metrics/snapshot/snapshot.test.ts',
      'src/metrics/stacks/stacks.test.ts',
      'tests/browser/everyPage.test.ts',
    ]
  : ALL
const chosen = isChanged ? testsOfChange() : only.length > 0 ? only : longestFirst(patterns.flatMap(matches))
const asked = chosen.map(file => join(root, file))
if (isDrill) process.env.ASSAY_DRILL = '1'
if (asked.length === 0) {
  end()
  process.exit()
}

/** Browser tests that look at the one shared site go into one process; those with a site of their own run beside it. */
const inBrowser = asked.filter(
  file =>
    dirname(file) === join(root, 'tests/browser') && readFileSync(file, 'utf8').includes('sharedSite()'),
)
process.env.ASSAY_BROWSER_FILES = inBrowser.join(delimiter)
const files =
  inBrowser.length > 1
    ? [join(root, 'tests/browser/together.ts'), ...asked.filter(file => !inBrowser.includes(file))]
    : asked

const scratch = makeScratch()
process.env.TMPDIR = scratch
// Data folders that several files need are made once.
process.env.ASSAY_TEST_HOMES = join(scratch, 'homes')
mkdirSync(process.env.ASSAY_TEST_HOMES)
const phases = join(scratch, 'phases.jsonl')
process.env.ASSAY_TEST_PHASES = phases

const phasesModule = new URL('../src/kernel/phases.testing.ts', import.meta.url).href
const stream = run({ files, concurrency: 2, cwd: root, execArgv: ['--import', phasesModule] })
const failed = new Set<string>()
stream.on('test:pass', event => {
  if (event.details.type === 'suite') return
  if (event.skip !== undefined) {
    tally.skipped++
    skips.push(
      `${event.name}: ${typeof event.skip === 'string' && event.skip !== '' ? event.skip : 'no reason given'}`,
    )
  } else tally.passed++
})
stream.on('test:fail', event => {
  if (event.details.type !== 'suite') tally.failed++
  if (event.file !== undefined) failed.add(relative(root, event.file))
})
stream.on('end', () => {
  if (skips.length > 0) console.log(`\nskipped:\n${skips.map(skip => `  ${skip}`).join('\n')}`)
  console.log(`\n${phaseTable(phases)}`)
  if (process.argv.includes('--record')) recordSeconds(phases)
  if (failed.size > 0)
    console.log(`\nto repeat what failed: npm ${isDrill ? 'run drill' : 'test'} -- ${[...failed].join(' ')}`)
  end()
})
stream.compose(new spec()).pipe(process.stdout, { end: false })
