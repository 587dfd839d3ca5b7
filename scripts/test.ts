import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import process from 'node:process'
import { type EventData, run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { layerFaults } from './layers.ts'
import { chanceFaults, headFaults, waitFaults } from './testRules.ts'
import { groupFiles, writeGroup } from './testRun/groups.ts'
import { lanes } from './testRun/lanes.ts'
import { phaseTable } from './testRun/phaseTable.ts'
import { makeScratch } from './testRun/scratch.ts'
import { readSeconds, recordSeconds } from './testRun/seconds.ts'
import { allFiles, drillFiles, filesNamed, filesOfChange } from './testRun/testFiles.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const isDrill = process.argv.includes('--drill')
const isChanged = process.argv.includes('--changed')
const words = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
const isWhole = words.length === 0 && !isDrill && !isChanged
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

/** As much of a reason as shows what differs and where. */
const firstLines = (text: string): string => text.split('\n').slice(0, 40).join('\n')

function end(): void {
  console.log(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`)
  process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0
}

/** Paths below the root; ends the run with a sentence where there are none to choose. */
function filesToRun(): string[] {
  try {
    if (isChanged) return filesOfChange(root, words[0] ?? 'HEAD')
    if (words.length > 0) return words.flatMap(name => filesNamed(root, name))
    return isDrill ? drillFiles(root) : allFiles(root)
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause)
    process.exit(1)
  }
}

/** Output of a tool that failed, or '' where it was content. */
function faultsOf(tool: string, args: string[]): string {
  const done = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return done.status === 0 ? '' : `${done.stdout}${done.stderr}`.trim() || `${tool} ended with ${done.status}`
}

if (isWhole || isChanged) {
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
  check('each test says what would break', headFaults(root).join('\n'))
  check('no test waits for a time', waitFaults(root).join('\n'))
  check('no test draws without a seed', chanceFaults(root).join('\n'))
}

const asked = filesToRun().map(file => join(root, file))
if (isDrill) process.env.ASSAY_DRILL = '1'
if (asked.length === 0) {
  end()
  process.exit()
}

const scratch = makeScratch()
process.env.TMPDIR = scratch
const { of } = readSeconds()
/** Paths of what runs, one process each, with the test files of each. */
const processes = new Map(
  groupFiles(asked, file => of(relative(root, file))).map(({ name, files }) => [
    files.length === 1 ? files[0]! : writeGroup(scratch, name, files),
    files,
  ]),
)
// Data folders that several files need are made once.
process.env.ASSAY_TEST_HOMES = join(scratch, 'homes')
mkdirSync(process.env.ASSAY_TEST_HOMES)
const phases = join(scratch, 'phases.jsonl')
process.env.ASSAY_TEST_PHASES = phases

const preloaded = ['../src/kernel/phases.testing.ts']
if (process.env.SEED !== undefined) preloaded.push('testRun/seedProperties.ts')
const execArgv = preloaded.flatMap(path => ['--import', new URL(path, import.meta.url).href])
const stream = run({ files: [...processes.keys()], concurrency: lanes(), cwd: root, execArgv })
const testMs = new Map<string, number>()
const addTime = ({ file, details }: EventData.TestPass | EventData.TestFail): void => {
  if (file === undefined || details.type === 'suite') return
  const path = relative(root, file)
  testMs.set(path, (testMs.get(path) ?? 0) + details.duration_ms)
}
const failed = new Set<string>()
stream.on('test:pass', event => {
  addTime(event)
  if (event.details.type === 'suite') return
  if (event.skip !== undefined) {
    tally.skipped++
    skips.push(
      `${event.name}: ${typeof event.skip === 'string' && event.skip !== '' ? event.skip : 'no reason given'}`,
    )
  } else tally.passed++
})
stream.on('test:fail', event => {
  addTime(event)
  if (event.details.type !== 'suite') {
    tally.failed++
    const { cause } = event.details.error
    // The spec reporter prints reasons only at the end of the run.
    const reason =
      cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? event.details.error)
    console.log(
      `\n✖ ${event.file ? `${relative(root, event.file)}: ` : ''}${event.name}\n${firstLines(reason)}\n`,
    )
  }
  for (const file of processes.get(event.file ?? '') ?? [event.file])
    if (file !== undefined) failed.add(relative(root, file))
})
stream.on('end', () => {
  if (skips.length > 0) console.log(`\nskipped:\n${skips.map(skip => `  ${skip}`).join('\n')}`)
  console.log(`\n${phaseTable(phases)}`)
  if (process.argv.includes('--record')) {
    const groups = new Map(
      [...processes].map(([path, files]) => [basename(path), files.map(file => relative(root, file))]),
    )
    recordSeconds(phases, { groups, testMs })
  }
  if (failed.size > 0)
    console.log(`\nto repeat what failed: npm ${isDrill ? 'run drill' : 'test'} -- ${[...failed].join(' ')}`)
  end()
})
stream.compose(new spec()).pipe(process.stdout, { end: false })
