/** Tables across chains would mix up amounts, calls or trades. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestWarehouse, testLayers } from '../testing.ts'
import { chainViews } from './chains.ts'
import { EVM_VIEWS } from './evm.ts'

const A = 'aa'.repeat(20)
const B = 'bb'.repeat(20)
const TOKEN = 'cc'.repeat(20)
const NOBODY = '00'.repeat(20)
const HUGE = 2n ** 256n - 1n
const word = (value: string | number): string =>
  typeof value === 'number' ? value.toString(16).padStart(64, '0') : value.padStart(64, '0')

describe('the same of all chains under the same names', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  const write = (query: string) => warehouse.writer.command({ query })
  const read = async (query: string) =>
    (await warehouse.guest.query({ query, format: 'JSONEachRow' })).json<Record<string, unknown>>()

  before(async () => {
    warehouse = await openTestWarehouse()
    for (const family of ['btc', 'stx'])
      await write(`INSERT INTO base.${family}_batches (batch, seq, is_live) VALUES (1, 1, 1)`)
    await write(
      `INSERT INTO base.evm_batches (chain, batch, seq, is_live) VALUES ${(await testLayers()).map(layer => `('${layer}', 1, 1, 1)`).join(', ')}`,
    )
  })
  after(() => warehouse[Symbol.asyncDispose]())

  test('amounts of every chain and standard stand under one form, whole', async () => {
    await write(`INSERT INTO base.btc_outputs (batch, height, txid, vout, value_sat, script)
VALUES (1, 7, unhex('${'01'.repeat(32)}'), 3, 5000000000, unhex('51'))`)
    await write(`INSERT INTO base.stx_transfers (batch, height, event_index, standard, action, asset, sender, recipient, amount, token_repr)
VALUES (1, 8, 4, 'stx', 'transfer', '', 'SP1', 'SP2', 9, ''), (1, 8, 5, 'nft', 'mint', 'SP1.c::n', NULL, 'SP2', 1, 'u7')`)
    await write(`INSERT INTO base.evm_txs (chain, batch, height, tx_index, kind, sender, recipient, contract, value_wei, mint_wei, is_success) VALUES
('bob', 1, 9, 0, 'deposit', unhex('${A}'), unhex('${B}'), NULL, 3, 11, false),
('bob', 1, 9, 1, 'legacy', unhex('${A}'), unhex('${B}'), NULL, ${HUGE}, NULL, true),
('bob', 1, 9, 2, 'legacy', unhex('${A}'), unhex('${B}'), NULL, 5, NULL, false),
('bob', 1, 9, 3, 'legacy', unhex('${A}'), NULL, unhex('${TOKEN}'), 6, NULL, true)`)
    await write(`INSERT INTO base.evm_transfers (chain, batch, height, log_index, item, standard, token, sender, recipient, token_id, amount) VALUES
('bob', 1, 9, 2, 1, 'erc1155', unhex('${TOKEN}'), unhex('${NOBODY}'), unhex('${B}'), 77, 2)`)
    const rows = await read(
      `SELECT chain, height, event_index, item, standard, asset, token_id, sender, recipient, toString(amount) AS amount
FROM chain_transfers ORDER BY chain, height, standard DESC, item, recipient`,
    )
    const native = { height: 9, event_index: null, standard: 'native', asset: 'native', token_id: null }
    assert.deepEqual(rows, [
      {
        ...native,
        chain: 'bitcoin',
        height: 7,
        event_index: 3,
        item: 0,
        sender: null,
        recipient: '51',
        amount: '5000000000',
      },
      {
        ...native,
        chain: 'bob',
        item: 0,
        sender: `0x${A}`,
        recipient: `0x${B}`,
        amount: String(HUGE),
      },
      { ...native, chain: 'bob', item: 0, sender: `0x${A}`, recipient: `0x${TOKEN}`, amount: '6' },
      { ...native, chain: 'bob', item: 1, sender: null, recipient: `0x${A}`, amount: '11' },
      {
        chain: 'bob',
        height: 9,
        event_index: 2,
        item: 1,
        standard: 'erc1155',
        asset: `0x${TOKEN}`,
        token_id: '77',
        sender: null,
        recipient: `0x${B}`,
        amount: '2',
      },
      {
        ...native,
        chain: 'stacks',
        height: 8,
        event_index: 5,
        item: 0,
        standard: 'nft',
        asset: 'SP1.c::n',
        token_id: 'u7',
        sender: null,
        recipient: 'SP2',
        amount: '1',
      },
      {
        ...native,
        chain: 'stacks',
        height: 8,
        event_index: 4,
        item: 0,
        sender: 'SP1',
        recipient: 'SP2',
        amount: '9',
      },
    ])
  })

  test('calls are named by selector where the catalogue knows it, and contracts carry the hash of their code', async () => {
    await write(`INSERT INTO base.evm_txs (chain, batch, height, tx_index, kind, sender, recipient, method, is_success) VALUES
('core', 1, 1, 0, 'legacy', unhex('${A}'), unhex('${TOKEN}'), unhex('a9059cbb'), true),
('core', 1, 1, 1, 'legacy', unhex('${A}'), unhex('${TOKEN}'), unhex('deadbeef'), false),
('core', 1, 1, 2, 'legacy', unhex('${A}'), unhex('${TOKEN}'), NULL, true)`)
    await write(`INSERT INTO base.stx_calls (batch, height, tx_index, sender, contract, function_name, is_success)
VALUES (1, 5, 0, 'SP1', 'SP2.c', 'swap-x', true)`)
    assert.deepEqual(
      await read(
        'SELECT chain, contract, selector, function_name, is_success FROM chain_calls ORDER BY chain, tx_index',
      ),
      [
        ['core', `0x${TOKEN}`, '0xa9059cbb', 'transfer', true],
        ['core', `0x${TOKEN}`, '0xdeadbeef', '', false],
        ['stacks', 'SP2.c', '', 'swap-x', true],
      ].map(([chain, contract, selector, function_name, is_success]) => ({
        chain,
        contract,
        selector,
        function_name,
        is_success,
      })),
    )
    await write(`INSERT INTO base.evm_contracts (chain, batch, height, contract, kind, creator, code_hash)
VALUES ('core', 1, 1, unhex('${TOKEN}'), 'create2', unhex('${A}'), unhex('${'0f'.repeat(32)}'))`)
    await write(`INSERT INTO base.stx_contracts (batch, height, contract, deployer, clarity_version, source_code)
VALUES (1, 5, 'SP2.c', 'SP2', 2, '(ok 1)')`)
    assert.deepEqual(
      await read(
        'SELECT chain, contract, deployer, kind, version, substring(code_hash, 1, 4) AS code FROM chain_contracts ORDER BY chain',
      ),
      [
        {
          chain: 'core',
          contract: `0x${TOKEN}`,
          deployer: `0x${A}`,
          kind: 'create2',
          version: null,
          code: '0f0f',
        },
        {
          chain: 'stacks',
          contract: 'SP2.c',
          deployer: 'SP2',
          kind: 'transaction',
          version: '2',
          code: 'c194',
        },
      ],
    )
  })

  test('a trade of a pool whose making is held names its tokens in the order of the pool', async () => {
    await write(`INSERT INTO base.evm_logs (chain, batch, height, log_index, emitter, topic1, topic2, data, event) VALUES
('merlin', 1, 1, 0, unhex('${B}'), unhex('${word('11'.repeat(20))}'), unhex('${word('22'.repeat(20))}'),
 unhex('${word(60)}${word('dd'.repeat(20))}'), 'uniswap-v3.pool_created'),
('merlin', 1, 1, 1, unhex('${B}'), unhex('${word('33'.repeat(20))}'), unhex('${word('44'.repeat(20))}'),
 unhex('${word('ee'.repeat(20))}${word(1)}'), 'uniswap-v2.pair_created')`)
    await write(`INSERT INTO base.evm_swaps (chain, batch, height, log_index, event, pool, token_in, token_out, in_is_token0, amount_in, amount_out) VALUES
('merlin', 1, 2, 0, 'uniswap-v3.swap', unhex('${'dd'.repeat(20)}'), NULL, NULL, true, 5, 6),
('merlin', 1, 2, 1, 'uniswap-v2.swap', unhex('${'ee'.repeat(20)}'), NULL, NULL, false, 7, 8),
('merlin', 1, 2, 2, 'uniswap-v2.swap', unhex('${'ff'.repeat(20)}'), NULL, NULL, false, 9, 1),
('merlin', 1, 2, 3, 'izumi.swap_x', unhex('${'ff'.repeat(20)}'), unhex('${A}'), unhex('${B}'), NULL, 2, 3)`)
    assert.deepEqual(
      await read(
        'SELECT log_index AS i, lower(hex(token_in)) AS token_in, lower(hex(token_out)) AS token_out FROM evm_trades ORDER BY i',
      ),
      [
        { i: 0, token_in: '11'.repeat(20), token_out: '22'.repeat(20) },
        { i: 1, token_in: '44'.repeat(20), token_out: '33'.repeat(20) },
        { i: 2, token_in: null, token_out: null },
        { i: 3, token_in: A, token_out: B },
      ],
    )
  })

  test('a question about one chain reads the rows of that chain alone', async () => {
    // More than a granule of another layer, so that reading it would show.
    const filled = {
      evm_blocks: 'number AS height',
      evm_txs:
        "number AS height, unhex('a9059cbb') AS method, unhex(repeat('ab', 20)) AS recipient, toUInt256(1) AS value_wei",
      evm_transfers: 'number AS height, number AS log_index',
      evm_contracts: 'number AS height',
    }
    for (const [table, columns] of Object.entries(filled))
      await write(
        `INSERT INTO base.${table} (chain, batch, ${[...columns.matchAll(/ AS (\w+)/g)].map(([, name]) => name).join(', ')}) SELECT 'b2-network', 1, ${columns} FROM numbers(60000)`,
      )
    for (const { name } of chainViews([])) {
      const answer = await warehouse.reader.query({
        query: `SELECT count() AS count FROM ${name} WHERE chain = 'core'`,
        format: 'JSON',
      })
      const { data, statistics } = await answer.json<{ count: string }>()
      assert.ok((statistics?.rows_read ?? 0) < 200, `${name}: ${statistics?.rows_read} rows were read`)
      const [whole] = await read(`SELECT count() > 50000 AS is_large FROM ${name}`)
      assert.deepEqual([data.length, whole?.is_large], [1, 1], name)
    }
  })

  test('every column says what it holds', async () => {
    const names = [...chainViews([]), ...EVM_VIEWS].map(({ name }) => `'${name}'`).join(', ')
    assert.deepEqual(
      await read(
        `SELECT table, name FROM system.columns WHERE database = 'default' AND table IN (${names}) AND comment = ''`,
      ),
      [],
    )
  })
})
