/** A user could not run the SQL that a metric shows. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { openNativeEngine } from '#warehouse/engine/native.ts'
import { EXPLAIN, formattingOf, gate, readFormatting } from '#warehouse/gate/index.ts'
import { metricsOf } from './registry.ts'

test('the SQL of every metric is open to user queries', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-metrics-gate-'))
  const connection = openNativeEngine(join(folder, 'data')).connect(['--readonly=1'])
  const run = async (sql: string, format: string) => (await connection.run(sql, format)).bytes.toString()
  try {
    for (const { id, sql, fine, parameters } of metricsOf(await testCatalog())) {
      for (const text of [sql, ...(fine ? [fine.sql] : [])]) {
        const filled = text.replace(/\{(\w+):[^}]+\}/g, (_, name) => {
          const value = parameters.find(parameter => parameter.name === name)?.default ?? '2024-01-01'
          return `'${value.replaceAll("'", "\\'")}'`
        })
        const parsed = {
          tree: await run(EXPLAIN + filled, 'TSVRaw'),
          ...readFormatting(await run(formattingOf(filled), 'JSONCompactEachRow')),
        }
        assert.equal(gate(filled, parsed), undefined, id)
      }
    }
  } finally {
    connection.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
