/** The search API would miss pages or lead to things that do not exist. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Problem, SearchAnswer } from './contract.ts'
import { searchAnswer } from './schemas/search.ts'
import { openTestSite, type TestSite } from './testing.ts'

let site: TestSite
before(async () => {
  site = await openTestSite({
    named: [
      { path: '/bitcoin', label: 'Bitcoin', kind: 'layer', entity: 'bitcoin' },
      { path: '/stacks', label: 'Stacks', kind: 'layer', entity: 'stacks' },
      { path: '/tvl', label: 'TVL', kind: 'page' },
    ],
  })
})
after(() => site[Symbol.asyncDispose]())

const ask = async <Answer = SearchAnswer>(query: string): Promise<{ status: number; body: Answer }> => {
  const answer = await site.app.inject({ url: `/api/v1/search?${query}` })
  return { status: answer.statusCode, body: answer.json<Answer>() }
}

test('names of pages, treasuries, metrics, tables and reports are found, the best first', async () => {
  for (const [asked, kind, path] of [
    ['stack', 'layer', '/stacks'],
    ['tvl', 'page', '/tvl'],
    ['mstr', 'treasury', '/analyze/bitcoin-treasuries/strategy'],
    ['hashrat', 'metric', '/bitcoin?assay=miners.hashrate@bitcoin'],
    ['btc_block_stats', 'table', '/documentation/tables/btc_block_stats'],
    ['what layers pay', 'report', '/reports/what-layers-pay-bitcoin'],
    ['self-hosting', 'documentation', '/documentation/self-hosting'],
  ] as const) {
    const { status, body } = await ask(`q=${encodeURIComponent(asked)}`)
    assert.equal(status, 200, asked)
    searchAnswer.parse(body)
    assert.deepEqual([body.items[0]?.kind, body.items[0]?.path], [kind, path], asked)
    assert.equal(body.opens, null)
  }
})

test('an id that is held opens, one that is not is told as no result', async () => {
  const { body: block } = await ask('q=170')
  assert.equal(block.opens, '/bitcoin/block/170')
  assert.equal(block.items[0]?.label, 'Block 170 of Bitcoin')
  // Statistics alone are a block too, and a height may be written with commas.
  assert.equal((await ask('q=1%2C71')).body.opens, '/bitcoin/block/171')
  const txid = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16'
  assert.equal((await ask(`q=${txid.toUpperCase()}`)).body.opens, `/bitcoin/tx/${txid}`)
  const { body: none } = await ask(`q=${'0'.repeat(63)}1`)
  assert.deepEqual([none.items, none.opens, none.total], [[], null, 0])
})

test('a limit holds, and the count is of all', async () => {
  const { body } = await ask('q=bitcoin&limit=3')
  assert.equal(body.items.length, 3)
  assert.ok(body.total > 3)
})

test('what cannot be asked is refused with its parameter; strange letters are not', async () => {
  for (const query of [
    '',
    'q=',
    'q=%20',
    `q=${'x'.repeat(201)}`,
    'q=a&limit=0',
    'q=a&limit=101',
    'q=a&kind=page',
  ]) {
    const { status, body } = await ask<Problem>(query)
    assert.equal(status, 400, query)
    assert.equal(body.code, 'http.parameter')
  }
  for (const asked of ['constructor', '__proto__', '(.*[', '\u0000\u0007', '%', "'; DROP TABLE x", '𝔅𝔦𝔱'])
    assert.equal((await ask(`q=${encodeURIComponent(asked)}`)).status, 200, asked)
})
