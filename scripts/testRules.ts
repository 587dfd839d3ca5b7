import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TESTS = '{src,scripts,tests}/**/*.test.{ts,tsx}'
const TEST_CODE = [TESTS, 'tests/**/*.{ts,tsx}', 'src/**/*testing.ts']
const SHORTEST_HEAD = 20

/** Files of tests that may wait for a time, each with the reason. All others wait for a condition with `until`. */
const WAITS: Readonly<Record<string, string>> = {
  'src/kernel/until.testing.ts': 'It is the wait for a condition: it pauses between two looks.',
  'src/processes/startProcess.test.ts':
    'A child process pauses within a line, so that it arrives in two parts.',
  'src/queries/overruns.test.ts': 'A query that runs shows only by not being refused.',
  'src/warehouse/outage.test.ts': 'A process that stands still for a while is the case under test.',
  'tests/book/main.tsx': 'React holds back late content for up to 300 ms and exposes no event for it.',
  'tests/browser/chromium.ts':
    'It pauses between two looks. A page is quiet after twice its longest pause before a request.',
  'tests/browser/content.test.ts': 'A press in a later task, while React draws, is the case under test.',
  'tests/browser/people.test.ts': 'A press in the next task, before hydration, is the case under test.',
  'tests/browser/slowly.test.ts': 'A slow line is the case under test.',
  'tests/browser/soon.ts': 'It pauses between two looks at a page.',
  'tests/drills/allChains.test.ts': 'Blocks come at the pace of their chain.',
  'tests/drills/killOne.ts': 'A kill at any moment, by seed, is the case under test.',
  'tests/drills/outage.test.ts': 'Faults and readers come at a pace. Freezes last for a time, by seed.',
  'tests/drills/outageChild.ts': 'It stands for a chain whose blocks come at a pace.',
  'tests/drills/queriesKill.test.ts': 'A kill at any moment, by seed, is the case under test.',
  'tests/failures.test.ts': 'It kills each new engine. How often it looks decides nothing.',
  'tests/wallets/inPage.ts': 'A wallet that is injected late is the case under test.',
}
const WAIT =
  /\bsetTimeout\(|\{ setTimeout(?: as \w+)? \} from|\bwaitForTimeout\(|'networkidle'|\bAtomics\.wait\(/

/** Where a number comes from that no seed repeats. */
const CHANCE = /\bMath\.random\(|\brandomInt\(|\bDate\.now\(\) %/

/** Sentences, one for each test file that does not open with what would break for a user. */
export function headFaults(root: string): string[] {
  return globSync(TESTS, { cwd: root }).flatMap(file => {
    const [first = ''] = readFileSync(join(root, file), 'utf8').split('\n', 1)
    const [, head = ''] = /^(?:\/\*\* (.*) \*\/|\/\/ (.*))$/.exec(first)?.filter(Boolean) ?? []
    return head.length >= SHORTEST_HEAD
      ? []
      : [`${file}: begin with a line /** … */ that says what would break for a user if the test failed`]
  })
}

/** Sentences, one for each file of tests that waits for a time without a reason, or has a reason and does not wait. */
export function waitFaults(root: string): string[] {
  return [...new Set(globSync(TEST_CODE, { cwd: root }))].flatMap(file => {
    if (file.startsWith('scripts/testRules')) return []
    const isWaiting = WAIT.test(readFileSync(join(root, file), 'utf8'))
    if (isWaiting === file in WAITS) return []
    return [
      isWaiting
        ? `${file}: waits for a time; wait for a condition with until() of src/kernel/until.testing.ts`
        : `${file}: no longer waits for a time; remove its reason from scripts/testRules.ts`,
    ]
  })
}

/** Sentences, one for each file of tests that draws numbers which no seed repeats. */
export function chanceFaults(root: string): string[] {
  return [...new Set(globSync(TEST_CODE, { cwd: root }))]
    .filter(file => !file.startsWith('scripts/testRules') && file !== 'src/kernel/seed.testing.ts')
    .filter(file => CHANCE.test(readFileSync(join(root, file), 'utf8')))
    .map(file => `${file}: draws without a seed; take one from src/kernel/seed.testing.ts`)
}
