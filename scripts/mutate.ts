/** Changes modules in memory, one change at a time, and reports which changes no test notices. */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { mutationTable, tallyOf } from './testRun/mutation/mutationTable.ts'
import { runMutants } from './testRun/mutation/runMutants.ts'
import { makeScratch } from './testRun/scratch.ts'
import { readSeconds } from './testRun/seconds.ts'

const USAGE = `npm run mutate -- PATH… [--sample N] [--seed N] [--at-least PERCENT] [--seconds N] [--jobs N]
PATH is a module, a folder or a pattern; tests and their helpers are left out.`

const root = fileURLToPath(new URL('..', import.meta.url))

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

function readCommand() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        sample: { type: 'string' },
        seed: { type: 'string', default: '1' },
        'at-least': { type: 'string', default: '0' },
        seconds: { type: 'string', default: '30' },
        jobs: { type: 'string', default: '2' },
      },
    })
  } catch (cause) {
    fail(`${cause instanceof Error ? cause.message : cause}\n${USAGE}`)
  }
}

function numberOf(name: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0)) fail(`--${name} must be a number, not "${text}".\n${USAGE}`)
  return value
}

/** Paths below the root of the modules that a path names. */
function modulesOf(path: string): string[] {
  const isFolder = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()
  const found = globSync(isFolder ? `${path.replace(/\/$/, '')}/**/*.ts` : path, { cwd: root }).filter(
    file => file.endsWith('.ts') && !/\.(test|testing|d)\.ts$|(^|\/)testing\.ts$/.test(file),
  )
  if (found.length === 0) fail(`There is no module at ${path}.\n${USAGE}`)
  return found
}

const { values, positionals } = readCommand()
if (positionals.length === 0) fail(USAGE)
const sample = values.sample === undefined ? undefined : numberOf('sample', values.sample)
const seed = numberOf('seed', values.seed)
const atLeast = numberOf('at-least', values['at-least'])

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.env.TMPDIR = makeScratch()
const report = await runMutants({
  root,
  files: [...new Set(positionals.flatMap(modulesOf))].sort(),
  sample,
  seed,
  budget: numberOf('seconds', values.seconds),
  jobs: Math.max(1, numberOf('jobs', values.jobs)),
  secondsOf: readSeconds().of,
  onProgress: line => console.error(line),
})
console.log(`\n${mutationTable(report)}${sample === undefined ? '' : `, seed ${seed}`}`)
if (report.failing.length > 0 || tallyOf(report.results).percent < atLeast) process.exitCode = 1
