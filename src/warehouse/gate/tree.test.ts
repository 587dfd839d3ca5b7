/** A syntax tree that hides something would pass, and with it a query that reads what is closed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ESTIMATE_CLOSED,
  EXPLAIN_SETTINGS_CLOSED,
  PLAIN_AGGREGATE,
  PLAIN_COLUMNS,
  PLAIN_TYPES,
  READ_ONLY,
  SETTINGS_CLOSED,
  UNCHECKED,
} from './refusals.ts'
import { isReadingTree, refusalOfTree } from './tree.ts'

type Tree = readonly [node: string, ...children: Tree[]]

/** The text of `EXPLAIN AST`, with the number of children behind each node. */
function textOf([node, ...children]: Tree, depth = 0): string {
  const count = children.length === 0 ? '' : ` (children ${children.length})`
  return `${' '.repeat(depth)}${node}${count}\n${children.map(child => textOf(child, depth + 1)).join('')}`
}
const refusalOf = (tree: Tree | string, { hasOpenSettings = true, isShowTables = true } = {}) =>
  refusalOfTree(typeof tree === 'string' ? tree : textOf(tree), hasOpenSettings, isShowTables)
const select = (...expressions: Tree[]): Tree => [
  'SelectWithUnionQuery',
  ['ExpressionList', ['SelectQuery', ['ExpressionList', ...expressions]]],
]
const call = (name: string, ...list: Tree[]): Tree => [`Function ${name}`, ['ExpressionList', ...list]]
const text = (value: string): Tree => [`Literal '${value}'`]
const column: Tree = ['Identifier a']
const from = (table: Tree): Tree => [
  'SelectWithUnionQuery',
  [
    'ExpressionList',
    [
      'SelectQuery',
      ['ExpressionList', ['Asterisk']],
      ['TablesInSelectQuery', ['TablesInSelectQueryElement', ['TableExpression', table]]],
    ],
  ],
]

test('a query of open names passes; statements of other kinds, or of none, do not', () => {
  assert.equal(refusalOf(select(column, call('sum', column), ['Literal UInt64_1'])), undefined)
  assert.equal(refusalOf(['SelectIntersectExceptQuery', select(column)]), undefined)
  assert.equal(refusalOf(['DescribeQuery', ['TableExpression', ['TableIdentifier btc_blocks']]]), undefined)
  assert.equal(refusalOf('ShowTables'), undefined)
  assert.equal(refusalOf('ShowTables', { isShowTables: false }), READ_ONLY)
  for (const kind of ['InsertQuery', 'CreateQuery', 'Set', 'selectwithunionquery'])
    assert.equal(refusalOf(kind), READ_ONLY, kind)
  for (const broken of [
    '',
    '\n',
    '!',
    'SelectWithUnionQuery\rx',
    'SelectWithUnionQuery\nSelectWithUnionQuery',
    'SelectWithUnionQuery\n  Asterisk',
  ])
    assert.equal(refusalOf(broken), UNCHECKED, JSON.stringify(broken))
  for (const [tree, isReading] of [
    ['ShowTables', true],
    ['SelectWithUnionQuery (children 1)', true],
    ['Explain EXPLAIN', true],
    ['InsertQuery', false],
    ['', false],
  ] as const)
    assert.equal(isReadingTree(tree), isReading, tree)
})

test('a tree shows as many children as it announces', () => {
  const whole = textOf(select(column))
  assert.equal(refusalOf(whole), undefined)
  assert.equal(refusalOf(whole.replace('SelectQuery (children 1)', 'SelectQuery (children 2)')), UNCHECKED)
  assert.equal(refusalOf(whole.replace(/ +Identifier a\n/, '')), UNCHECKED)
  assert.equal(refusalOf(whole.replace('SelectQuery (children 1)', 'SelectQuery')), UNCHECKED)
})

test('forms of EXPLAIN that need nothing but a query are open, their settings where they are asked for', () => {
  const explain = (form: string, ...more: Tree[]): Tree => [`Explain ${form}`, ...more, select(column)]
  for (const form of ['EXPLAIN', 'EXPLAIN AST', 'EXPLAIN PIPELINE', 'EXPLAIN QUERY TREE', 'EXPLAIN SYNTAX'])
    assert.equal(refusalOf(explain(form)), undefined, form)
  assert.equal(refusalOf(explain('EXPLAIN ESTIMATE')), ESTIMATE_CLOSED)
  for (const form of ['EXPLAIN TABLE OVERRIDE', 'EXPLAIN CURRENT TRANSACTION', 'EXPLAIN PLAN'])
    assert.equal(refusalOf(explain(form)), READ_ONLY, form)
  assert.equal(refusalOf(explain('EXPLAIN', ['Set'])), undefined)
  assert.equal(refusalOf(explain('EXPLAIN', ['Set']), { hasOpenSettings: false }), EXPLAIN_SETTINGS_CLOSED)
  assert.equal(refusalOf(explain('EXPLAIN'), { hasOpenSettings: false }), undefined)
  // Settings anywhere else are those of a query.
  assert.equal(refusalOf(explain('EXPLAIN', ['Asterisk'], ['Set'])), SETTINGS_CLOSED)
  assert.equal(refusalOf(['SelectWithUnionQuery', ['Set']]), SETTINGS_CLOSED)
})

test('nodes of every listed kind pass, and no other', () => {
  const kinds =
    'ArrayJoin Asterisk DescribeQuery SelectWithUnionQuery ColumnsExceptTransformer ColumnsListMatcher ColumnsRegexpMatcher ColumnsReplaceTransformer ColumnsReplaceTransformer::Replacement ColumnsTransformerList ExpressionList InterpolateElement OrderByElement QualifiedAsterisk QualifiedColumnsListMatcher QualifiedColumnsRegexpMatcher SampleRatio SelectIntersectExceptQuery SelectQuery Subquery TableExpression TableJoin TablesInSelectQuery TablesInSelectQueryElement WindowDefinition WindowListElement WithElement'
  for (const kind of kinds.split(' ')) assert.equal(refusalOf(select([kind])), undefined, kind)
  assert.equal(refusalOf(select(['ColumnsApplyTransformer'])), 'APPLY is not open to queries.')
  assert.equal(refusalOf(select(['Projection'])), 'The clause Projection is not open to queries.')
})

test('a literal that is no expression names a file, and is refused', () => {
  assert.equal(refusalOf(['SelectWithUnionQuery', ['ExpressionList'], text('out.csv')]), READ_ONLY)
  assert.equal(refusalOf(['DescribeQuery', text('out.csv')]), READ_ONLY)
  assert.equal(refusalOf(select(text('out.csv'))), undefined)
})

test('names are read up to their alias', () => {
  assert.equal(refusalOf(select(['Function sum (alias file)', ['ExpressionList']])), undefined)
  assert.match(
    String(refusalOf(select(['Function file (alias sum)', ['ExpressionList']]))),
    /^Function file is/,
  )
  assert.match(String(refusalOf(select(['Identifier system.users']))), /^Table system\.users is not open/)
  assert.match(String(refusalOf(from(['TableIdentifier base.t']))), /^Table base\.t is not open/)
  assert.equal(refusalOf(from(['TableIdentifier btc_blocks (alias b)'])), undefined)
})

test('a type in a text is made of what types are made of, at the place where the function takes it', () => {
  const casts =
    'cast _cast accurateCast accurateCastOrNull accurateCastOrDefault reinterpret dynamicElement variantElement'
  for (const name of casts.split(' ')) {
    assert.equal(refusalOf(select(call(name, column, text('UInt8')))), undefined, name)
    assert.equal(refusalOf(select(call(name, column, text('file(a)')))), PLAIN_TYPES, name)
    assert.equal(refusalOf(select(call(name, column))), PLAIN_TYPES, name)
    assert.equal(refusalOf(select(call(name, column, column))), PLAIN_TYPES, name)
  }
  for (const name of [
    'JSONExtract',
    'JSONExtractCaseInsensitive',
    'JSONExtractKeysAndValues',
    'JSONExtractKeysAndValuesCaseInsensitive',
  ]) {
    assert.equal(refusalOf(select(call(name, column, text('a'), text('Array(UInt8)')))), undefined, name)
    assert.equal(refusalOf(select(call(name, column, text('UInt8'), text('x(1)')))), PLAIN_TYPES, name)
  }
  const isPlain = (type: string) => refusalOf(select(call('cast', column, text(type)))) === undefined
  for (const type of [
    'Array(Nullable(String))',
    'Decimal(18, 4)',
    "DateTime64(3, \\'UTC\\')",
    "Enum8(\\'a\\' = -1)",
    'Tuple(a UInt8, b String)',
    'decimal(9)',
  ])
    assert.ok(isPlain(type), type)
  for (const type of [
    'AggregateFunction(sum, UInt8)',
    'SimpleAggregateFunction(sum, UInt8)',
    'UInt8 -- x',
    '(SELECT 1)',
    'select',
    'Array(sleep(3))',
    'a;b',
    'a - b',
    'UInt8 /* x */',
  ])
    assert.ok(!isPlain(type), type)
})

test('a function that takes the name of an aggregate takes an open one, with numbers as its parameters', () => {
  for (const name of ['arrayReduce', 'initializeAggregation'])
    for (const [aggregate, refusal] of [
      ['sum', undefined],
      ['sumIf', undefined],
      ['quantiles(0.5, 0.9)', undefined],
      ['quantile( -1 )', undefined],
      ['length', PLAIN_AGGREGATE],
      ['sum(x)', PLAIN_AGGREGATE],
      ['sum)', PLAIN_AGGREGATE],
      ['quantile((SELECT 1))', PLAIN_AGGREGATE],
      ['', PLAIN_AGGREGATE],
    ] as const)
      assert.equal(refusalOf(select(call(name, text(aggregate), column))), refusal, `${name} ${aggregate}`)
  assert.equal(refusalOf(select(call('arrayReduce', column, column))), PLAIN_AGGREGATE)
  assert.equal(refusalOf(select(call('arrayReduce'))), PLAIN_AGGREGATE)
})

test('a bare name where a function is wanted names an open one', () => {
  const file: Tree = ['Identifier file']
  assert.match(String(refusalOf(select(call('arrayMap', file, column)))), /^Function file is not open/)
  assert.equal(refusalOf(select(call('arrayMap', ['Identifier length'], column))), undefined)
  assert.equal(
    refusalOf(select(call('arrayMap', column, file))),
    refusalOf(select(call('arrayMap', column, column))),
  )
  assert.equal(refusalOf(select(call('arraySum', file))), undefined, 'alone it is a column')
  assert.equal(refusalOf(select(call('sum', file, column))), undefined)
})

test('a name on the right of IN is a table, which must be open', () => {
  const closed: Tree = ['Identifier other.t']
  assert.match(
    String(refusalOf(select(call('in', column, closed)))),
    /^Table other\.t is not open to queries\. If it is a column, use has\(other\.t, …\)/,
  )
  assert.match(String(refusalOf(select(call('globalNotIn', column, closed)))), /^Table other\.t/)
  assert.equal(refusalOf(select(call('in', closed, column))), undefined)
  assert.equal(refusalOf(select(call('equals', column, closed))), undefined)
  assert.equal(refusalOf(select(call('in', column, ['Identifier btc_blocks']))), undefined)
})

test('a function that makes a table is open by its own list, and `values` by what it is made of', () => {
  assert.equal(refusalOf(from(call('numbers', ['Literal UInt64_10']))), undefined)
  assert.match(String(refusalOf(from(call('url', text('http://x'))))), /^Function url is not open/)
  assert.match(String(refusalOf(from(call('sum', column)))), /^Function sum is not open/)
  assert.match(String(refusalOf(select(call('numbers', column)))), /^Function numbers is not open/)
  const values = (first: Tree) => refusalOf(from(call('values', first)))
  assert.equal(values(call('tuple', ['Literal UInt64_1'])), undefined)
  assert.equal(values(['Literal UInt64_1']), undefined)
  for (const list of ['a UInt8', 'a UInt8, b Array(String)', 'a Nullable(FixedString(3))', 'x', '', '1.5-2'])
    assert.equal(values(text(list)), undefined, list)
  for (const list of [
    'a UInt8 ALIAS file(1)',
    'a UInt8,',
    'a UInt8 b String',
    'a Array(file)',
    'a Array(String',
    'a b',
    ', a UInt8',
    'a UInt8; b String',
  ])
    assert.equal(values(text(list)), PLAIN_COLUMNS, list)
  assert.equal(values(column), PLAIN_COLUMNS)
  assert.equal(values(call('sum', column)), PLAIN_COLUMNS)
  assert.equal(refusalOf(from(['Function values', ['ExpressionList']])), PLAIN_COLUMNS)
})
