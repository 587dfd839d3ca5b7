/** One failing contract call would cost all figures of its source. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { type ClarityValue, encodeValue } from '#chains/stacks/index.ts'
import { stacksReads } from '#sources/live/stacksReads.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { type AskDeps, askOnce, keepRows } from './askOnce.ts'
import { json, openPublisher, type Publisher } from './testing.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const uint = (value: bigint): ClarityValue => ({ type: 'uint', value })
const ok = (value: ClarityValue): ClarityValue => ({ type: 'response', isOk: true, value })
const SUPPLIES: Readonly<Record<string, ClarityValue>> = {
  'get-total-stx': ok(uint(100_000_000_000_000n)),
  'get-stx-stacking': ok(uint(96_000_000_000_000n)),
  'get-stx-for-withdrawals': ok(uint(1_500_000_000_000n)),
  'ststx-token': ok(uint(70_000_000_000_000n)),
  'ststxbtc-token': ok(uint(1_000_000_000_000n)),
  'ststxbtc-token-v2': ok(uint(15_000_000_000_000n)),
}
/** `/v2/info` as a node answers it; the id of this tip follows from both hashes. */
const INFO = {
  network_id: 1,
  stacks_tip: 'aa'.repeat(32),
  stacks_tip_consensus_hash: 'bb'.repeat(20),
  stacks_tip_height: 5_000_000,
  burn_block_height: 930_000,
}

describe('contracts that are asked read-only', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  let node: Publisher
  let deps: AskDeps
  let asked: { path: string; body: unknown }[] = []
  let answers: Record<string, unknown> = {}
  const none = { etag: null, lastModified: null, suspects: null }
  const ask = async () => {
    const request = stacksReads.requests(deps.catalog).find(({ about }) => about === 'stacking-dao')
    assert.ok(request)
    return await askOnce(deps, stacksReads, request, none)
  }
  const rows = async (query: string) =>
    (await warehouse.guest.query({ query, format: 'JSONEachRow' })).json<Record<string, unknown>>()

  before(async () => {
    warehouse = await openTestWarehouse()
    node = await openPublisher()
    deps = { warehouse, catalog: await testCatalog(), keys: {}, stacks: { url: node.origin }, now: () => NOW }
    node.answer = async (request, response) => {
      const { url = '' } = request
      let text = ''
      for await (const part of request) text += part
      asked.push({ path: url, body: text === '' ? undefined : JSON.parse(text) })
      if (url === '/v2/info') return json(INFO)(request, response)
      const [, contract = '', name = ''] = /call-read\/[0-9A-Z]+\/([\w-]+)\/([\w-]+)\?/.exec(url) ?? []
      const found = answers[name] ?? answers[contract]
      return found === undefined ? void response.writeHead(404).end() : json(found)(request, response)
    }
  })
  beforeEach(() => {
    asked = []
    answers = Object.fromEntries(
      Object.entries(SUPPLIES).map(([name, value]) => [
        name,
        { okay: true, result: `0x${encodeValue(value).toString('hex')}` },
      ]),
    )
  })
  after(async () => {
    await node[Symbol.asyncDispose]()
    await warehouse[Symbol.asyncDispose]()
  })

  test('all calls are of the tip that the node names, and what they say is kept with it', async () => {
    const { outcome, rows: kept } = await ask()
    assert.equal(outcome, 'figures')
    const [, first] = asked
    assert.match(
      first?.path ?? '',
      /^\/v2\/contracts\/call-read\/SP4SZE494VC2YC5JYG7AYFQ44F5Q4PYV7DVMDPBG\/reserve-v1\/get-total-stx\?tip=[0-9a-f]{64}$/,
    )
    assert.deepEqual(first?.body, { sender: 'SP4SZE494VC2YC5JYG7AYFQ44F5Q4PYV7DVMDPBG', arguments: [] })
    assert.equal(new Set(asked.slice(1).map(({ path }) => path.split('?')[1])).size, 1)
    await keepRows(warehouse, kept)
    assert.deepEqual(
      await rows(
        "SELECT metric, breakdown, toString(amount) AS amount, value FROM observations WHERE source = 'stacks.reads' AND metric IN ('lst.staked', 'lst.exchange_rate') ORDER BY metric",
      ),
      [
        { metric: 'lst.exchange_rate', breakdown: 'stSTX', amount: null, value: 1.2 },
        { metric: 'lst.staked', breakdown: '', amount: '100000000000000', value: null },
      ],
    )
    assert.deepEqual(
      await rows(
        "SELECT height, answer, lower(hex(block_hash)) = extract({path:String}, 'tip=(.*)') AS is_tip FROM stx_reads WHERE function_name = 'get-total-stx'".replace(
          '{path:String}',
          `'${first?.path}'`,
        ),
      ),
      [{ height: 5_000_000, answer: '"100000000000000"', is_tip: 1 }],
    )
    assert.equal((await ask()).outcome, 'same')
  })

  test('an answer of another shape, a refusal or a broken value costs what rests on it and nothing else', async () => {
    const broken = (value: ClarityValue) => ({
      okay: true,
      result: `0x${encodeValue(value).toString('hex')}`,
    })
    const faults: [unknown, RegExp][] = [
      [broken({ type: 'bool', value: true }), /answers\.queue/],
      [{ okay: false, cause: 'Unchecked(UndefinedFunction)' }, /get-stx-for-withdrawals refuses: Unchecked/],
      [{ okay: true, result: '0x01ff' }, /get-stx-for-withdrawals/],
      [{ result: '0x03' }, /neither a result nor a refusal/],
      [broken({ type: 'response', isOk: false, value: uint(1n) }), /answers\.queue/],
      [undefined, /get-stx-for-withdrawals is gone/],
    ]
    const all = (await ask()).rows.contractAnswers.length
    for (const [answer, reason] of faults) {
      answers['get-stx-for-withdrawals'] = answer
      const { outcome, rows: kept, refused } = await ask()
      assert.equal(outcome, 'same')
      assert.deepEqual(
        refused?.map(({ field }) => field),
        ['answers.queue'],
      )
      assert.match(refused?.[0]?.reason ?? '', reason)
      assert.ok(kept.contractAnswers.length >= all - 1)
    }
    // A node that answers none of them has no figures.
    for (const name of Object.keys(answers)) answers[name] = { okay: false, cause: 'NoSuchContract' }
    const { outcome, reason } = await ask()
    assert.equal(outcome, 'refused')
    assert.match(reason ?? '', /refuses: NoSuchContract/)
  })

  test('an older generation that is gone is no fault: nothing of it is said', async () => {
    const request = stacksReads.requests(deps.catalog).find(({ about }) => about === 'zest before')
    assert.ok(request)
    const { outcome, rows: kept } = await askOnce(deps, stacksReads, request, none)
    assert.equal(outcome, 'same')
    assert.deepEqual(kept.observations, [])
  })
})
