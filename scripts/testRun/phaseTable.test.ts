/** Nobody would see where the time of a test run goes. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { phaseTable } from './phaseTable.ts'

// If this fails, the report at the end of a test run gives wrong times.
test('the table sums phases over processes, gives the rest to the tests, and puts most CPU first', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-phases-'))
  try {
    const path = join(folder, 'phases.jsonl')
    assert.equal(phaseTable(path), '')
    const reports = [
      { file: 'a.test.ts', wallMs: 10_000, cpuMs: 3_000, phases: { engine: 4_000 } },
      { file: 'b.test.ts', wallMs: 2_000, cpuMs: 5_000, phases: { engine: 500, store: 1_000 } },
    ]
    writeFileSync(path, reports.map(report => `${JSON.stringify(report)}\n`).join(''))
    assert.deepEqual(
      phaseTable(path)
        .split('\n')
        .map(line => line.trim()),
      [
        'seconds by phase, summed over 2 processes (CPU of all:     8.0):',
        '6.5  tests themselves',
        '4.5  engine',
        '1.0  store',
        '',
        'files with most CPU (CPU, wall, longest phases):',
        '5.0      2.0  b.test.ts (store 1.0, engine 0.5)',
        '3.0     10.0  a.test.ts (engine 4.0)',
      ],
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})
