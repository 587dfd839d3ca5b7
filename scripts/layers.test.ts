/** A forbidden import would slip through the check, and the rooms of the code would grow into each other. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { layerFaults } from './layers.ts'

function faultsOf(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'assay-layers-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return layerFaults(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

test('an import of an earlier room is fine', () => {
  assert.deepEqual(faultsOf({ 'src/http/a.ts': "import { b } from '#metrics/index.ts'\n" }), [])
})

test('imports of a later room, of a room in the same row, and of an unknown room are faults', () => {
  for (const specifier of ['#http/index.ts', '#chains/bitcoin/index.ts', '#nowhere/x.ts'])
    assert.equal(
      faultsOf({ 'src/warehouse/a.ts': `import { b } from '${specifier}'\n` }).length,
      1,
      specifier,
    )
})

test('pages may import types and the contract, not the insides of a room', () => {
  const page = (line: string) => faultsOf({ 'src/web/a.tsx': `${line}\n` }).length
  assert.equal(page("import type { Row } from '#metrics/index.ts'"), 0)
  assert.equal(page("import { RANGES } from '#http/contract.ts'"), 0)
  assert.equal(page("import { read } from '#metrics/index.ts'"), 1)
})

test('a way around by relative path or a loaded module is a fault', () => {
  assert.equal(faultsOf({ 'src/kernel/a.ts': "import { b } from '../http/b.ts'\n" }).length, 1)
  assert.equal(faultsOf({ 'src/kernel/a.ts': "const b = await import('#http/b.ts')\n" }).length, 1)
})
