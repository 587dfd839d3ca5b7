/** The guide for contributors would not work. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transformWithOxc } from 'vite'
import { readCatalog } from '#catalog/index.ts'
import { copyCatalog, testCatalog } from '#catalog/testing.ts'
import { faultsOf } from '#metrics/checkRegistry.ts'
import type { Metric } from '#metrics/metric.ts'
import { metricsOf } from '#metrics/registry.ts'
import { sourcesOf } from '#sources/all.ts'
import { schemaOf } from '#warehouse/index.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const GUIDE = await readFile(join(ROOT, 'docs/first-changes.md'), 'utf8')

/** Files that the guide has a new maintainer write, as they stand there, by their paths. */
const FILES = new Map(
  [...GUIDE.matchAll(/^( *)```\w+ (\S+\/\S+)\n([\s\S]*?)^ *```$/gm)].map(([, indent, path, text]) => [
    path ?? '',
    (text ?? '').replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  ]),
)

/** Each module of ours that a text imports from, as the folder of its file sees it. */
const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(/from '(\.[^']+)'/g)].map(([, from]) => join(ROOT, dirname(path), from ?? ''))

function fileAt(path: string): string {
  const text = FILES.get(path)
  assert.ok(text !== undefined, `the guide writes no ${path}, but ${[...FILES.keys()].join(', ')}`)
  return text
}

test('the token of the guide is taken up by the catalogue, and metrics with it', async () => {
  await using copy = await copyCatalog()
  await writeFile(join(copy.dir, 'tokens/atlas.json'), fileAt('catalog/tokens/atlas.json'))
  const catalog = await readCatalog(copy.dir)
  assert.equal(catalog.tokens.find(({ id }) => id === 'atlas')?.symbol, 'ATLAS')
  assert.ok(metricsOf(catalog).length >= metricsOf(await testCatalog()).length)
})

test('the metric of the guide is one that the registry takes', async () => {
  const path = 'src/metrics/bitcoin/blocksRich.ts'
  const text = fileAt(path).replaceAll(
    /from '(\.[^']+)'/g,
    (_, from: string) => `from '${pathToFileURL(join(ROOT, dirname(path), from)).href}'`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'assay-guide-'))
  try {
    const file = join(folder, 'blocksRich.ts')
    await writeFile(file, text)
    const { blocksRich } = (await import(pathToFileURL(file).href)) as { blocksRich: Metric }
    const catalog = await testCatalog()
    const tables = new Set(schemaOf(catalog).views.map(({ name }) => name))
    const sources = new Set(sourcesOf(catalog).map(({ id }) => id))
    assert.deepEqual(faultsOf([...metricsOf(catalog), blocksRich], tables, sources), [])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the page of the guide can be read, imports from files that are there, and stands where the guide has it named', async () => {
  const path = 'src/web/pages/ExamplePage.tsx'
  const text = fileAt(path)
  // Tells where it cannot be read.
  await transformWithOxc(text, path)
  const imports = importsOf(path, text)
  assert.ok(imports.length > 2)
  for (const file of imports) assert.ok(existsSync(file), file)
  assert.ok(GUIDE.includes("'/example': 'pages/ExamplePage.tsx'"))
})
