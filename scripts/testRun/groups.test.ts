/** A test run would set up the same site for each file, or wait for one process at its end. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { type TestContext, test } from 'node:test'
import { groupFiles, writeGroup } from './groups.ts'

function folderOf(t: TestContext, texts: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-groups-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const SITE = "import { sharedSite } from './sharedSite.ts'"

test('files that share a set-up run in one process, in two where they would run long', t => {
  const folder = folderOf(t, {
    'web/a.test.ts': SITE,
    'web/b.test.ts': SITE,
    'web/c.test.ts': SITE,
    'other/d.test.ts': SITE,
    'other/e.test.ts': "import { sharedPath } from '../shared.ts'",
    'other/g.test.ts': "import { layer } from '#tests/evm/sharedLayer.ts'",
    'web/g.test.ts': "import { layer } from '#tests/evm/sharedLayer.ts'",
    'other/f.test.ts': "import { site } from './sharedSite.testing.ts'",
  })
  const grouped = (seconds: Readonly<Record<string, number>>) =>
    groupFiles(
      ['web/a', 'web/b', 'web/c', 'other/d', 'other/e', 'other/f', 'other/g', 'web/g'].map(name =>
        join(folder, `${name}.test.ts`),
      ),
      file => seconds[relative(folder, file).slice(0, -'.test.ts'.length)] ?? 1,
    ).map(({ files, seconds: all }) => [
      ...files.map(file => relative(folder, file).slice(0, -'.test.ts'.length)),
      all,
    ])
  assert.deepEqual(grouped({ 'web/c': 40, 'other/e': 50, 'other/d': 30, 'other/f': 20 }), [
    ['other/e', 50],
    ['web/a', 'web/b', 'web/c', 42],
    ['other/d', 30],
    ['other/f', 20],
    ['other/g', 'web/g', 2],
  ])
  assert.deepEqual(grouped({ 'web/a': 100, 'web/b': 320, 'web/c': 200, 'other/e': 310 }).slice(0, 3), [
    ['web/b', 320],
    ['other/e', 310],
    ['web/c', 'web/a', 300],
  ])
})

test('the files of a group run one after another', t => {
  const text = (name: string) =>
    `await null\nglobalThis.ran ??= []\nran.push('${name}')\nconsole.log(ran.join())\n`
  const folder = folderOf(t, { 'one.mts': text('one'), 'two.mts': text('two') })
  const group = writeGroup(folder, 'group', [join(folder, 'one.mts'), join(folder, 'two.mts')])
  assert.equal(spawnSync(process.execPath, [group], { encoding: 'utf8' }).stdout, 'one\none,two\n')
})
