import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { balances } from '../bench/balances.ts'
import { codec } from '../bench/codec.ts'
import { developers } from '../bench/developers.ts'
import { evm } from '../bench/evm.ts'
import { hiroReplay } from '../bench/hiroReplay.ts'
import { history } from '../bench/history.ts'
import { hot } from '../bench/hot.ts'
import { http } from '../bench/http.ts'
import { indices } from '../bench/indices.ts'
import { ingest } from '../bench/ingest.ts'
import { lighthouse } from '../bench/lighthouse.ts'
import { memory } from '../bench/memory.ts'
import { page } from '../bench/page.ts'
import { pages } from '../bench/pages.ts'
import { people } from '../bench/people.ts'
import { push } from '../bench/push.ts'
import { queries } from '../bench/queries.ts'
import { readers } from '../bench/readers.ts'
import { scroll } from '../bench/scroll.ts'
import { signals } from '../bench/signals.ts'
import { stacksArchive } from '../bench/stacksArchive.ts'
import { stacksCodec } from '../bench/stacksCodec.ts'
import { stacksMemory } from '../bench/stacksMemory.ts'
import { stacksSentences } from '../bench/stacksSentences.ts'
import { start } from '../bench/start.ts'
import type { Suite } from '../bench/suite.ts'
import { drawTable, type Section } from '../bench/table.ts'

const SUITES: readonly Suite[] = [
  codec,
  stacksCodec,
  stacksSentences,
  stacksArchive,
  hiroReplay,
  evm,
  ingest,
  memory,
  stacksMemory,
  hot,
  balances,
  indices,
  developers,
  http,
  queries,
  page,
  pages,
  people,
  push,
  readers,
  scroll,
  lighthouse,
  signals,
  history,
  start,
]

// An exit runs the handlers that end what a suite has started and remove what it has written.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const isQuick = process.argv.includes('--quick')
const asked = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
const unknown = asked.filter(name => !SUITES.some(suite => suite.name === name))

if (process.argv.includes('--help')) {
  console.log(
    `npm run bench [-- suite … --quick]\n\n${listOfSuites()}\n\n--quick  the same figures from less input`,
  )
} else if (unknown.length > 0) {
  console.error(`bench: there is no suite "${unknown[0]}". Suites:\n${listOfSuites()}`)
  process.exitCode = 2
} else {
  process.exitCode = await runSuites(
    asked.length === 0 ? SUITES : SUITES.filter(suite => asked.includes(suite.name)),
  )
}

/** 0 unless a suite could not run; a missed target is a line in the table, not a failure. */
async function runSuites(suites: readonly Suite[]): Promise<number> {
  const say = (line: string) => console.error(`  ${line}`)
  const began = performance.now()
  const sections: Section[] = []
  let failed = 0
  for (const suite of suites) {
    const reason = suite.skipReason?.()
    if (reason !== undefined) {
      sections.push({ suite: suite.name, figures: { why: `skipped: ${reason}` } })
      continue
    }
    console.error(`${suite.name}: ${suite.about}`)
    const folder = mkdtempSync(join(tmpdir(), `assay-bench-${suite.name}-`))
    const clean = () => rmSync(folder, { recursive: true, force: true })
    process.once('exit', clean)
    const start = performance.now()
    try {
      sections.push({ suite: suite.name, figures: await suite.run({ isQuick, folder, say }) })
      say(`done in ${Math.round((performance.now() - start) / 1000)} s`)
    } catch (cause) {
      failed++
      console.error(cause)
      const why = cause instanceof Error ? cause.message : String(cause)
      sections.push({ suite: suite.name, figures: { why: `COULD NOT RUN: ${why}` } })
    } finally {
      process.off('exit', clean)
      clean()
    }
  }
  const minutes = (performance.now() - began) / 60_000
  console.log(`\n${drawTable(sections)}\n`)
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${minutes.toFixed(1)} minutes${isQuick ? ', quick form' : ''}`,
  )
  return failed > 0 ? 1 : 0
}

function listOfSuites(): string {
  return SUITES.map(({ name, about }) => `  ${name.padEnd(8)} ${about}`).join('\n')
}
