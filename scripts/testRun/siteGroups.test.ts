/** The browser tests would run in one process for half of a test run, or start a site for each file. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { test } from 'node:test'
import { siteGroups, writeGroup } from './siteGroups.ts'

test('many seconds of tests are split in two groups that take about as long, few stay together', () => {
  const seconds: Record<string, number> = { a: 320, b: 220, c: 90, d: 50, e: 45, f: 22 }
  const secondsOf = (file: string) => seconds[file] ?? 1
  assert.deepEqual(siteGroups(['f', 'e', 'd', 'c', 'b', 'a'], secondsOf), [
    ['a', 'e'],
    ['b', 'c', 'd', 'f'],
  ])
  assert.deepEqual(siteGroups(['c', 'd', 'new'], secondsOf), [['c', 'd', 'new']])
  assert.deepEqual(siteGroups(['a'], secondsOf), [['a']])
  assert.deepEqual(siteGroups([], secondsOf), [])
})

test('the files of a group run one after another in one process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-groups-'))
  try {
    const files = ['one', 'two'].map(name => {
      const file = join(folder, `${name}.mts`)
      writeFileSync(file, `await null\nglobalThis.ran ??= []\nran.push('${name}')\nconsole.log(ran.join())\n`)
      return file
    })
    const { stdout } = spawnSync(process.execPath, [writeGroup(folder, 'group', files)], { encoding: 'utf8' })
    assert.equal(stdout, 'one\none,two\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
