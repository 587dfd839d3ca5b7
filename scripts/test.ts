import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { layerFaults } from './layers.ts'
import { chanceFaults, headFaults, waitFaults } from './testRules.ts'
import { phaseTable } from './testRun/phaseTable.ts'
import { makeScratch } from './testRun/scratch.ts'
import { readSeconds, recordSeconds } from './testRun/seconds.ts'
import { siteGroups, usesSharedSite, writeGroup } from './testRun/siteGroups.ts'
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
const shareSite = asked.filter(file => usesSharedSite(root, file))
const groups = new Map(
  siteGroups(shareSite, file => readSeconds().of(relative(root, file))).map((group, index) => [
    group.length === 1 ? group[0]! : writeGroup(scratch, `together-${index + 1}`, group),
    group,
  ]),
)
// They take longest. One that starts last would leave the other core idle.
const files = [...groups.keys(), ...asked.filter(file => !shareSite.includes(file))]
// Data folders that several files need are made once.
process.env.ASSAY_TEST_HOMES = join(scratch, 'homes')
mkdirSync(process.env.ASSAY_TEST_HOMES)
const phases = join(scratch, 'phases.jsonl')
process.env.ASSAY_TEST_PHASES = phases

const preloaded = ['../src/kernel/phases.testing.ts']
if (process.env.SEED !== undefined) preloaded.push('testRun/seedProperties.ts')
const execArgv = preloaded.flatMap(path => ['--import', new URL(path, import.meta.url).href])
const stream = run({ files, concurrency: 2, cwd: root, execArgv })
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
  for (const file of groups.get(event.file ?? '') ?? [event.file])
    if (file !== undefined) failed.add(relative(root, file))
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
