/** Stacks tokens would have no name, symbol or decimals. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { type ClarityValue, encodeValue } from '#chains/stacks/index.ts'
import { openReadOnlyCalls } from '#chains/stacks/node/index.ts'
import { silentLog } from '#kernel/log.ts'
import { stxBatches, stxBlocks, stxTransfers } from '#warehouse/tables/stacks.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { createStacksTokenKeeper } from './tokenKeeper.ts'

const DEPLOYER = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
const uint = (value: bigint): ClarityValue => ({ type: 'uint', value })
const ascii = (value: string): ClarityValue => ({ type: 'string-ascii', value })
const ok = (value: ClarityValue): ClarityValue => ({ type: 'response', isOk: true, value })
const some = (value: ClarityValue | null): ClarityValue => ({ type: 'optional', value })

/** What the contracts of a node answer, by function; those with an argument by `function(…)`. */
const CONTRACTS: Record<string, Record<string, ClarityValue>> = {
  coin: {
    'get-name': ok(ascii('Test Coin')),
    'get-symbol': ok(ascii('TST')),
    'get-decimals': ok(uint(8n)),
    'get-token-uri': ok(some({ type: 'string-utf8', value: 'ipfs://ü' })),
    'get-total-supply': ok(uint(2n ** 128n - 1n)),
  },
  art: { 'get-last-token-id': ok(uint(5000n)), 'get-token-uri(u1)': ok(some(ascii('ipfs://art/{id}'))) },
  lp: {
    'get-overall-supply': ok(uint(77n)),
    'get-decimals(u1)': ok(uint(6n)),
    'get-token-uri(u1)': ok(some(null)),
  },
  odd: { 'get-name': { type: 'response', isOk: false, value: uint(1n) }, 'get-decimals': ok(ascii('eight')) },
}

/** A node's read-only calls, as its RPC answers them: refusals with `okay: false`, blocks it does not hold with 404. */
async function openNode(held: ReadonlySet<string>) {
  const asked: string[] = []
  const state = { isBusy: false }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', part => {
      body += part
    })
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://node')
      const [, , , , , contract = '', fn = ''] = url.pathname.split('/')
      const args: string[] = JSON.parse(body).arguments
      const name = args.length === 0 ? fn : `${fn}(u1)`
      asked.push(`${contract}.${name}`)
      const send = (status: number, text: string) => {
        response.statusCode = status
        response.end(text)
      }
      if (state.isBusy) return send(429, 'slow down')
      if (request.method !== 'POST' || !held.has(url.searchParams.get('tip') ?? ''))
        return send(404, 'Supplied block tip is not known')
      if (args.length > 0) assert.equal(args[0], `0x${encodeValue(uint(1n)).toString('hex')}`)
      const value = CONTRACTS[contract]?.[name]
      send(
        200,
        JSON.stringify(
          value === undefined
            ? { okay: false, cause: `Unchecked(UndefinedFunction("${fn}"))` }
            : { okay: true, result: `0x${encodeValue(value).toString('hex')}` },
        ),
      )
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    state,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
before(async () => {
  warehouse = await openTestWarehouse()
})
after(() => warehouse[Symbol.asyncDispose]())

const idOf = (height: number): Buffer => Buffer.alloc(32, height)
const fixed = { batch: 1, blockTime: 1_700_000_000, txid: Buffer.alloc(32), memo: Buffer.alloc(0) }

async function hold(height: number, assets: readonly string[]): Promise<void> {
  const batch = height
  // Only what the keeper reads: columns left out take the engine's defaults.
  await warehouse.writer.insert({
    table: `base.${stxBlocks.name}`,
    values: [{ batch, height, hash: idOf(height).toString('latin1'), block_time: fixed.blockTime }],
    format: 'JSONEachRow',
  })
  if (assets.length > 0)
    await warehouse.insertRows(
      stxTransfers,
      assets.map((asset, eventIndex) => ({
        ...fixed,
        batch,
        height,
        eventIndex,
        standard: 'ft' as const,
        action: 'mint' as const,
        asset: `${DEPLOYER}.${asset}`,
        sender: null,
        recipient: DEPLOYER,
        amount: 1n,
        tokenId: Buffer.alloc(0),
        tokenRepr: '',
      })),
    )
  await decide(batch, true)
}

const decide = (batch: number, isLive: boolean) =>
  warehouse.insertRows(stxBatches, [
    {
      batch,
      seq: process.hrtime.bigint(),
      isLive,
      isIsland: false,
      fromHeight: batch,
      toHeight: batch,
      firstPrevHash: Buffer.alloc(32),
      lastHash: idOf(batch),
      blockCount: 1,
      origin: 'observer',
      reason: '',
      decidedAt: fixed.blockTime,
    },
  ])

const tokens = async () =>
  (
    await warehouse.guest.query({
      query: `SELECT splitByString('.', contract)[2] AS name_of, toString(standard) AS standard, name, symbol, decimals, token_uri,
  toString(total_supply) AS supply, toString(last_token_id) AS last, height FROM stx_tokens ORDER BY name_of`,
      format: 'JSONEachRow',
    })
  ).json()

test('contracts whose tokens moved are asked once, as of a held block, by the standard that they answer', async () => {
  await using node = await openNode(new Set([idOf(1), idOf(2), idOf(3)].map(id => id.toString('hex'))))
  using calls = openReadOnlyCalls({ url: node.url })
  const keeper = createStacksTokenKeeper({ warehouse, calls, log: silentLog, now: () => 1_700_000_000_000 })
  assert.equal(await keeper.askNew(), 0, 'nothing is held')

  await hold(1, ['coin::tst', 'art::piece', 'lp::pool', 'lp::pool-id', 'odd::thing'])
  node.state.isBusy = true
  assert.equal(await keeper.askNew(), 0)
  assert.deepEqual(await tokens(), [])
  node.state.isBusy = false
  assert.equal(await keeper.askNew(), 4)
  const nothing = {
    name: null,
    symbol: null,
    decimals: null,
    token_uri: null,
    supply: null,
    last: null,
    height: 1,
  }
  const expected = [
    { name_of: 'art', ...nothing, standard: 'sip-009', token_uri: 'ipfs://art/{id}', last: '5000' },
    {
      name_of: 'coin',
      ...nothing,
      standard: 'sip-010',
      name: 'Test Coin',
      symbol: 'TST',
      decimals: 8,
      token_uri: 'ipfs://ü',
      supply: String(2n ** 128n - 1n),
    },
    { name_of: 'lp', ...nothing, standard: 'sip-013', decimals: 6, supply: '77' },
    { name_of: 'odd', ...nothing, standard: 'none' },
  ]
  assert.deepEqual(await tokens(), expected)

  const before = node.asked.length
  await hold(2, ['coin::tst'])
  assert.equal(await keeper.askNew(), 0, 'each is asked once')
  assert.equal(node.asked.length, before)

  // The block that the answers are of is taken back: they are asked for again.
  await decide(1, false)
  await hold(3, ['coin::tst'])
  assert.equal(await keeper.askNew(), 1)
  assert.deepEqual(
    ((await tokens()) as { name_of: string; height: number }[]).map(({ name_of, height }) => [
      name_of,
      height,
    ]),
    [
      ['art', 1],
      ['coin', 3],
      ['lp', 1],
      ['odd', 1],
    ],
  )
})

test('a node without the block, one that answers no JSON and an address that is none are told in a sentence', async () => {
  await using node = await openNode(new Set())
  using calls = openReadOnlyCalls({ url: node.url })
  await assert.rejects(calls.call(`${DEPLOYER}.coin`, 'get-name', [], 'ff'.repeat(32)), {
    code: 'node.missing',
    message: /holds no block ffff/,
  })
  assert.throws(() => openReadOnlyCalls({ url: 'ftp://node' }), { code: 'node.config' })
  const server = createServer((_, response) => response.end('{"okay":true,"result":"0x0b"}'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  using wrong = openReadOnlyCalls({ url: `http://127.0.0.1:${address.port}` })
  await assert.rejects(wrong.call(`${DEPLOYER}.coin`, 'get-name', [], '00'), { code: 'node.shape' })
  server.closeAllConnections()
  server.close()
})
