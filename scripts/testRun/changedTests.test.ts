/** A change would skip the tests that it can break, and the fault would reach users. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { changedFiles, chooseTests } from './changedTests.ts'
import { distancesFrom, readImportGraph } from './importGraph.ts'

// A test that a change can break must run before the change is handed in.

const FILES = {
  'src/metrics/tvl.ts': "import { day } from '#kernel/day.ts'",
  'src/metrics/tvl.test.ts': "import { tvl } from './tvl.ts'",
  'src/metrics/registry.ts':
    "import {\n  tvl,\n} from './tvl.ts'\nconst facts = new URL('../../catalog', import.meta.url)",
  'src/metrics/registry.test.ts': "import { all } from './registry.ts'",
  'src/kernel/day.ts': 'export const day = 1',
  'src/http/types.ts': "import type { Tvl } from '#metrics/tvl.ts'",
  'src/http/types.test.ts': "import { types } from './types.ts'",
  'src/http/lazy.test.ts': "await import('#metrics/registry.ts')",
  'src/http/child.test.ts': "fork(new URL('./child.ts', import.meta.url))",
  'src/http/child.ts': "import '#kernel/day.ts'",
  'src/web/routes.ts': "const FILES = { '/tvl': 'pages/TvlPage.tsx', '/fees': 'pages/FeesPage.tsx' }",
  'src/web/root.tsx': '',
  'src/web/pages/TvlPage.tsx': "import { Chart } from '../Chart.tsx'",
  'src/web/pages/FeesPage.tsx': '',
  'src/web/Chart.tsx': '',
  'tests/browser/tvl.test.ts': "import { site } from './site.ts'\nawait page.goto(site.url + '/tvl')",
  'tests/browser/fees.test.ts': "import { site } from './site.ts'\nawait page.goto('/fees?range=30d')",
  'tests/browser/site.ts': "const pages = new URL('../../build/server/index.js', import.meta.url)",
  'catalog/layers/core.json': '{}',
}

function projectOf(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'assay-changed-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const testsFrom = (root: string, ...changed: string[]) =>
  [...distancesFrom(readImportGraph(root), changed)]
    .filter(([file]) => file.endsWith('.test.ts'))
    .map(([file, distance]) => `${file} ${distance}`)

test('a change reaches the tests that import it, in whatever way and over whatever others', t => {
  const root = projectOf(t, FILES)
  assert.deepEqual(testsFrom(root, 'src/metrics/tvl.ts'), [
    'src/metrics/tvl.test.ts 1',
    'src/metrics/registry.test.ts 2',
    'src/http/lazy.test.ts 2',
  ])
  assert.deepEqual(testsFrom(root, 'src/kernel/day.ts').sort(), [
    'src/http/child.test.ts 2',
    'src/http/lazy.test.ts 3',
    'src/metrics/registry.test.ts 3',
    'src/metrics/tvl.test.ts 2',
  ])
})

test('a page reaches the tests that name its address first, and all that load the pages', t => {
  assert.deepEqual(testsFrom(projectOf(t, FILES), 'src/web/Chart.tsx'), [
    'tests/browser/tvl.test.ts 2',
    'tests/browser/fees.test.ts 4',
  ])
})

test('facts, deleted files and tests themselves are changes too', t => {
  const root = projectOf(t, FILES)
  assert.deepEqual(testsFrom(root, 'catalog/layers/core.json'), [
    'src/metrics/registry.test.ts 2',
    'src/http/lazy.test.ts 2',
  ])
  assert.deepEqual(testsFrom(root, 'catalog/layers/deleted.json').length, 2)
  assert.deepEqual(testsFrom(root, 'src/http/types.test.ts'), ['src/http/types.test.ts 0'])
  assert.deepEqual(testsFrom(root, 'README.md'), [])
})

test('the nearest tests run, as many as fit; the others are named', t => {
  const graph = readImportGraph(projectOf(t, FILES))
  const seconds: Record<string, number> = { 'src/metrics/registry.test.ts': 60, 'src/http/lazy.test.ts': 5 }
  const secondsOf = (file: string) => seconds[file] ?? 10
  assert.deepEqual(chooseTests(graph, ['src/metrics/tvl.ts'], { secondsOf, budget: 20 }), {
    tests: ['src/metrics/tvl.test.ts', 'src/http/lazy.test.ts'],
    leftOut: ['src/metrics/registry.test.ts'],
  })
  assert.deepEqual(chooseTests(graph, ['src/metrics/registry.ts'], { secondsOf, budget: 1 }).tests, [
    'src/metrics/registry.test.ts',
  ])
})

test('changed files are those that differ from a commit, new and deleted ones too', t => {
  const root = projectOf(t, { 'a b.ts': '1', 'gone.ts': '1', 'same.ts': '1', '.gitignore': 'build' })
  const git = (...args: string[]) =>
    assert.equal(
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: root })
        .status,
      0,
    )
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'one')
  writeFileSync(join(root, 'a b.ts'), '2')
  writeFileSync(join(root, 'new.ts'), '2')
  mkdirSync(join(root, 'build'))
  writeFileSync(join(root, 'build/pages.js'), '2')
  rmSync(join(root, 'gone.ts'))
  assert.deepEqual(changedFiles(root, 'HEAD').sort(), ['a b.ts', 'gone.ts', 'new.ts'])
  assert.throws(() => changedFiles(root, '--output=x'), /git diff failed/)
  assert.throws(() => changedFiles(root, 'no-such-branch'), /git diff failed: .*no-such-branch/)
})
