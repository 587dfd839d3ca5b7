/** Long test files would start last, because their recorded time is that of another file. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileCpuMs } from './seconds.ts'

test('files of one process share its CPU by how long their tests took', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-seconds-'))
  try {
    const path = join(folder, 'phases.jsonl')
    const reports = [
      { file: 'a.test.ts', wallMs: 9_000, cpuMs: 5_000, phases: {} },
      { file: 'sharedSite-1.mts', wallMs: 9_000, cpuMs: 8_000, phases: {} },
      { file: 'sharedSite-2.mts', wallMs: 9_000, cpuMs: 8_000, phases: {} },
    ]
    writeFileSync(path, reports.map(report => `${JSON.stringify(report)}\n`).join(''))
    const groups = new Map([
      ['sharedSite-1.mts', ['b.test.ts', 'c.test.ts']],
      ['sharedSite-2.mts', ['d.test.ts']],
    ])
    const testMs = new Map([
      ['a.test.ts', 100],
      ['b.test.ts', 3_000],
      ['c.test.ts', 1_000],
    ])
    assert.deepEqual(fileCpuMs(path, { groups, testMs }), [
      ['a.test.ts', 5_000],
      ['b.test.ts', 6_000],
      ['c.test.ts', 2_000],
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
