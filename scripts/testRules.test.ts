/** Races and tests without a stated purpose would creep back in, and CI would fail by chance. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { chanceFaults, headFaults, waitFaults } from './testRules.ts'

function faultsOf(rule: (root: string) => string[], files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'assay-test-rules-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return rule(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

test('a test file opens with a line that says what would break', () => {
  const heads = {
    'src/a.test.ts': '/** Dates would shift by a day. */\nimport',
    'src/b.test.ts': '// Dates would shift by a day.\nimport',
    'src/c.test.ts': "import assert from 'node:assert/strict'\n",
    'tests/d.test.ts': '/** Dates. */\nimport',
    'tests/e.ts': 'export {}\n',
  }
  const faults = faultsOf(headFaults, heads)
  assert.deepEqual(faults.map(fault => fault.split(':')[0]).sort(), ['src/c.test.ts', 'tests/d.test.ts'])
})

test('a fixed wait is a fault in each of its forms, a fake clock is none', () => {
  const forms = [
    'await new Promise(resolve => setTimeout(resolve, 100))',
    "import { setTimeout as delay } from 'node:timers/promises'",
    'await page.waitForTimeout(500)',
    "await page.waitForLoadState('networkidle')",
  ]
  for (const form of forms) assert.equal(faultsOf(waitFaults, { 'src/a.test.ts': form }).length, 1, form)
  const fine = ['const window = { setTimeout: run }', "await until('a block', look)"]
  for (const form of fine) assert.deepEqual(faultsOf(waitFaults, { 'src/a.test.ts': form }), [], form)
})

test('a reason to wait goes when the wait goes', () => {
  assert.equal(faultsOf(waitFaults, { 'tests/browser/soon.ts': 'export {}' }).length, 1)
})

test('a number that no seed repeats is a fault', () => {
  const forms = ['Math.random() * 3', 'randomInt(2 ** 31)', 'Date.now() % 2 ** 31']
  for (const form of forms) assert.equal(faultsOf(chanceFaults, { 'src/a.test.ts': form }).length, 1, form)
  assert.deepEqual(faultsOf(chanceFaults, { 'src/a.test.ts': 'const random = createRandom(seedOf(t))' }), [])
})

test('all tests keep these rules', () => {
  const root = join(import.meta.dirname, '..')
  assert.deepEqual([...headFaults(root), ...waitFaults(root), ...chanceFaults(root)], [])
})
