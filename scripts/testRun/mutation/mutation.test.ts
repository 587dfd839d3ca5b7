/** Tests that notice nothing would pass for good ones, and their faults would reach users. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { applied } from './mutantInProcess.ts'
import { mutantsOf } from './mutants.ts'
import { mutationTable, tallyOf } from './mutationTable.ts'
import { runMutants } from './runMutants.ts'

// A figure that says tests notice faults must itself be right: a mutant that never ran, or that every run "killed", would hide a
// hole in the tests.

const changesOf = (text: string): string[] => mutantsOf(text).map(mutant => applied(text, mutant))

test('comparisons are flipped and moved by one, arithmetic and logic swapped', () => {
  assert.deepEqual(changesOf('a = b < c'), [';', 'a = ((b) <= (c))', 'a = ((b) >= (c))'])
  assert.deepEqual(changesOf('export const f = () => b === c'), ['export const f = () => ((b) !== (c))'])
  assert.deepEqual(changesOf('export const f = (b + c) * d'), [
    'export const f = (((b + c)) / (d))',
    'export const f = (((b) - (c))) * d',
  ])
  assert.deepEqual(changesOf('export const f = a && b'), ['export const f = ((a) || (b))'])
  assert.deepEqual(changesOf('export const f = a ?? b ?? c'), [
    'export const f = ((a) && (b)) ?? c',
    'export const f = ((a ?? b) && (c))',
  ])
  assert.deepEqual(changesOf('a += b'), [';', 'a -= b'])
  assert.deepEqual(changesOf('export const f = !a'), ['export const f = (a)'])
})

test('conditions become true and false, loops end, and statements are left out', () => {
  assert.deepEqual(changesOf('if (a) await b()'), ['if (false) await b()', 'if (true) await b()', 'if (a) ;'])
  assert.deepEqual(changesOf('export const f = a ? b : c'), [
    'export const f = false ? b : c',
    'export const f = true ? b : c',
  ])
  assert.deepEqual(changesOf('while (a) b?.c()'), ['while (false) b?.c()', 'while (a) ;'])
  assert.deepEqual(changesOf('for (;;) i++'), ['for (;;) i--'])
  assert.deepEqual(changesOf('export const f = Math.min(a, b)'), ['export const f = Math.max(a, b)'])
})

test('numbers, texts and booleans change', () => {
  assert.deepEqual(changesOf('export const f = [0xff, 2n, true, "", \'a\']'), [
    'export const f = [256, 2n, true, "", \'a\']',
    'export const f = [0xff, 3n, true, "", \'a\']',
    'export const f = [0xff, 2n, false, "", \'a\']',
    "export const f = [0xff, 2n, true, 'mutant', 'a']",
    'export const f = [0xff, 2n, true, "", \'\']',
  ])
})

test('types, names of modules, logs and prose stay as they are', () => {
  assert.deepEqual(
    changesOf(`'use strict'
      import { a } from './a.ts'
      export { b } from './b.ts'
      // if (a < b) …
      export type C = 'c' | 1
      export interface D { d: 'd'; 2: true }
      const e: 'e' = a as 'e'
      const f = { 'g': a, 3: b } satisfies Record<string, 'h'>
      console.log('one' + a)
      log.info(a < b)
      await options.log?.warn(a || b)
      throw new DecodeError('no such thing')
      const told = 'A sentence for people.'
      const fault = field('gas limit')`),
    [],
  )
  assert.equal(changesOf("const words = 'one two'.split(',')").length, 2)
})

test('a changed statement does not continue the line before it', () => {
  assert.deepEqual(changesOf('a\nb && c'), ['a\n;((b) || (c))'])
  assert.deepEqual(changesOf('if (a)\nb && c').at(-1), 'if (a)\n((b) || (c))')
})

function projectOf(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'assay-mutation-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const FEE = `export type Fee = { rate: number /* é */; size: number }

export function feeOf({ rate, size }: Fee): number {
  if (rate < 0) throw new Error('no such rate')
  return rate * size
}

export function neverCalled(rate: number): number {
  return rate + 1
}
`
const TEST = "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n"
const STRONG = `${TEST}import { feeOf } from './fee.ts'
test('a fee', () => {
  assert.equal(feeOf({ rate: 3, size: 4 }), 12)
  assert.equal(feeOf({ rate: 0, size: 4 }), 0)
  assert.throws(() => feeOf({ rate: -1, size: 4 }))
  assert.equal(feeOf({ rate: 0.5, size: 4 }), 2)
})`
const WEAK = `${TEST}import { feeOf } from './fee.ts'
test('a fee', () => assert.ok(feeOf({ rate: 3, size: 4 }) > 0))`

const run = (root: string, more: { sample?: number; seed?: number; files?: string[] } = {}) =>
  runMutants({
    root,
    files: more.files ?? ['src/fee.ts'],
    sample: more.sample,
    seed: more.seed ?? 1,
    budget: 30,
    jobs: 2,
    secondsOf: () => 1,
  })

const livesOf = ({ results }: Awaited<ReturnType<typeof run>>) =>
  results
    .filter(({ outcome }) => outcome === 'survived' || outcome === 'no coverage')
    .map(({ outcome, mutant }) => `${outcome} ${mutant.line} ${mutant.change}`)

const UNCOVERED = ['no coverage 9 rate + 1  →  ((rate) - (1))', 'no coverage 9 1  →  2']

test('a strong test kills every mutant of what it calls, a weak one leaves those that it cannot see', async t => {
  const strong = await run(projectOf(t, { 'src/fee.ts': FEE, 'src/fee.test.ts': STRONG }))
  assert.deepEqual(livesOf(strong), UNCOVERED)
  assert.equal(strong.mutants, 8)
  const weak = await run(projectOf(t, { 'src/fee.ts': FEE, 'src/fee.test.ts': WEAK }))
  assert.deepEqual(livesOf(weak), [
    'survived 4 rate < 0  →  ((rate) <= (0))',
    'survived 4 rate < 0  →  false',
    'survived 4 0  →  1',
    'survived 5 rate * size  →  ((rate) / (size))',
    ...UNCOVERED,
  ])
  assert.match(mutationTable(weak), / {5}2 {9}0 {10}0 {8}4 {9}2 {3}25\.0% {2}total: 8 of 8 mutants$/)
})

test('what the nearest test misses, one further away may kill; journeys are not asked', async t => {
  const root = projectOf(t, {
    'src/fee.ts': FEE,
    'src/fee.test.ts': WEAK,
    'src/cost.ts': "export { feeOf as costOf } from './fee.ts'",
    'src/cost.test.ts': STRONG.replace("{ feeOf } from './fee.ts'", "{ costOf as feeOf } from './cost.ts'"),
    'tests/browser/fee.test.ts': `${TEST}import '../../src/fee.ts'\ntest('never', () => assert.fail())`,
  })
  const report = await run(root)
  assert.deepEqual(livesOf(report), UNCOVERED)
  assert.deepEqual(report.failing, [])
})

test('a mutant that never ends is killed by its deadline', async t => {
  const root = projectOf(t, {
    'src/count.ts':
      'export function count(to: number): number {\n  let at = 0\n  while (at < to) at += 2\n  return at\n}',
    'src/count.test.ts': `${TEST}import { count } from './count.ts'\ntest('it ends', () => assert.equal(count(4), 4))`,
  })
  const { results } = await run(root, { files: ['src/count.ts'] })
  assert.deepEqual(
    results.filter(({ outcome }) => outcome === 'timed out').map(({ mutant }) => mutant.change),
    ['at += 2  left out', 'at += 2  →  at -= 2'],
  )
})

test('a mutant that no test sees but the types refuse is no hole', async t => {
  const root = projectOf(t, {
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"module":"NodeNext","types":[]},"include":["src/unit.ts"]}',
    'src/unit.ts': "export const unit: 'sat' | 'btc' = 'sat'\nexport const per: string = 'vB'",
    'src/unit.test.ts': `${TEST}import './unit.ts'\ntest('it loads', () => {})`,
  })
  const { results } = await run(root, { files: ['src/unit.ts'] })
  assert.deepEqual(
    results.map(({ outcome, mutant }) => `${outcome} ${mutant.line}`),
    ['type error 1', 'survived 2'],
  )
})

test('a test that fails on its own kills nothing and is named', async t => {
  const root = projectOf(t, { 'src/fee.ts': FEE, 'src/fee.test.ts': WEAK.replace('> 0', '< 0') })
  const report = await run(root)
  assert.deepEqual(report.failing, ['src/fee.test.ts'])
  assert.equal(tallyOf(report.results).percent, 0)
})

test('a seed draws the same mutants again, and no file is written', async t => {
  const root = projectOf(t, { 'src/fee.ts': FEE, 'src/fee.test.ts': STRONG })
  const drawnWith = async (seed: number) =>
    (await run(root, { sample: 3, seed })).results.map(({ mutant }) => mutant.change)
  const first = await drawnWith(7)
  assert.equal(first.length, 3)
  assert.deepEqual(await drawnWith(7), first)
  assert.notDeepEqual(await drawnWith(8), first)
  assert.equal(readFileSync(join(root, 'src/fee.ts'), 'utf8'), FEE)
})
