/** A hostile statement would pass the gate once it is formatted or has comments, or formatting would have a good one refused. */
import assert from 'node:assert/strict'
import process from 'node:process'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { readContent } from '#content/index.ts'
import { CONTENT_DIR } from '#http/testing.ts'
import { seedOf } from '#kernel/seed.testing.ts'
import { tokensOf } from '#queries/index.ts'
import { readStatement } from '#queries/statement.ts'
import {
  type EngineParser,
  HOSTILE,
  OPEN,
  openEngineParser,
  type Query,
} from '#warehouse/gate/cases.testing.ts'
import { gate } from '#warehouse/gate/index.ts'
import { formatSql } from '#web/pages/query/formatSql.ts'

const isFull = process.env.ASSAY_DRILL === '1'

/** Texts that mean something outside a comment. */
const CONTENTS = [
  '',
  ' c ',
  ';',
  "'",
  '"',
  '`',
  '$$',
  '$a$',
  '\\',
  '(',
  '{a:Identifier}',
  ' SETTINGS readonly = 0 ',
  "; DROP TABLE btc_blocks; SELECT file('/etc/passwd')",
  ' FORMAT CSV',
  '-- ',
  '# ',
  'ü 😀 \u202e',
]
const KINDS: Readonly<Record<string, (content: string) => string>> = {
  block: content => `/*${content}*/`,
  nested: content => `/*/*${content}*/${content}*/`,
  starred: content => `/***${content}***/`,
  dashes: content => `-- ${content}\n`,
  'dashes without a space': content => `--${content}\n`,
  hash: content => `# ${content}\n`,
  'hash with a mark': content => `#!${content}\n`,
  slashes: content => `// ${content}\n`,
  'dashes and a return': content => `--${content}\r\n`,
  space: () => ' \t\n\f\v\r\u00a0\u2003\u200b\u2060\ufeff ',
}
const anyComment = fc
  .tuple(fc.constantFrom(...Object.keys(KINDS)), fc.constantFrom(...CONTENTS))
  .map(([kind, content]) => KINDS[kind]?.(content) ?? '')

let parser: EngineParser
let statements: readonly Query[]
before(async () => {
  parser = openEngineParser()
  const { queryExamples } = await readContent(CONTENT_DIR)
  const examples = queryExamples.map(({ sql, parameters }) => ({ sql, params: parameters }))
  assert.ok(examples.length >= 50)
  statements = [...HOSTILE, ...OPEN, ...examples]
})
after(() => parser[Symbol.dispose]())

/** Why a statement is refused, by any of the checks before it runs; undefined if it would run. */
async function verdictOf({ sql, params }: Query): Promise<string | undefined> {
  let text: string
  try {
    text = readStatement(sql).text
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown)
  }
  const { count, kind } = await parser.root.classify(text)
  if (count !== 1 || kind !== 'read') return 'not one read'
  const parsed = await parser.withParameters(params, on => parser.parsedBy(on, text)).catch(() => undefined)
  return parsed === undefined ? 'not parsed' : gate(text, parsed)
}

const known = new Map<number, Promise<string | undefined>>()
function knownVerdict(at: number): Promise<string | undefined> {
  const found = known.get(at) ?? verdictOf(statements[at] as Query)
  known.set(at, found)
  return found
}

/** Signs beside which a comment may stand without a space before it: `t.1` and `a::Int8` are read differently with one. */
const APART = /^[(),[\]=<>*%;+]$/

/** The text with comments where a token ends, and at both ends; undefined where it has no tokens. */
function commented(sql: string, comments: readonly string[], every: number): string | undefined {
  let tokens: ReturnType<typeof tokensOf>
  try {
    tokens = tokensOf(sql)
  } catch {
    return undefined
  }
  let text = ''
  let end = 0
  let count = 0
  let depth = 0
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]
    const isApart =
      before === undefined || before.end < token.start || APART.test(before.value) || APART.test(token.value)
    // Types of parameters hold no comments.
    if (isApart && depth === 0 && at % every === 0) {
      text += `${sql.slice(end, token.start)} ${comments[count++ % comments.length]} `
      end = token.start
    }
    if (token.kind === 'symbol' && token.value === '{') depth++
    if (token.kind === 'symbol' && token.value === '}') depth--
  }
  const rest = tokens.at(-1)?.end ?? 0
  return `${text}${sql.slice(end, rest)} ${comments[count % comments.length]} ${sql.slice(rest)}`
}

const treeOf = async (sql: string): Promise<string> =>
  (await parser.root.run(`EXPLAIN AST ${sql}`, 'TSVRaw')).bytes.toString()
const isEquivalent = async (first: string, second: string): Promise<boolean> =>
  (await treeOf(first)) === (await treeOf(second))

test('the verdict on a statement is that on its formatted form and on each with comments', {
  timeout: isFull ? 3_600_000 : 120_000,
}, async t => {
  const counts = { formatted: 0, commented: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: statements.length - 1 }),
      fc.array(anyComment, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 4 }),
      async (at, comments, every) => {
        const { sql, params } = statements[at] as Query
        const formatted = (await formatSql(sql, isEquivalent)).sql
        const forms = [formatted, commented(sql, comments, every)]
        if (formatted !== undefined) forms.push(commented(formatted, comments, every))
        if (formatted !== undefined) counts.formatted++
        const verdict = await knownVerdict(at)
        for (const form of forms) {
          if (form === undefined) continue
          counts.commented++
          assert.equal(await verdictOf({ sql: form, ...(params && { params }) }), verdict, form)
        }
      },
    ),
    { seed: seedOf(t), numRuns: isFull ? 20_000 : 300 },
  )
  t.diagnostic(`${counts.formatted} formatted statements, ${counts.commented} forms`)
  assert.ok(counts.formatted > 50 && counts.commented > 500)
})
