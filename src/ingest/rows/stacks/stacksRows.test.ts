/** Rows of Stacks blocks would differ from the messages they come from. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type BlockMessage,
  openStacksCodec,
  parseMessage,
  parsePrintCatalogue,
  valueJson,
} from '#chains/stacks/index.ts'
import { bytesOfHex, recordedMessages, STACKS_ARCHIVES, stacksVectors } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { STX_BATCH_TABLES, stxBlocks } from '#warehouse/tables/stacks.ts'
import { STX_BURN_BATCH_TABLES } from '#warehouse/tables/stacksBurn.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import catalogue from '../../../../catalog/stacks/prints.json' with { type: 'json' }
import { openBurnRows } from './burnRows.ts'
import { openStacksRows } from './stacksRows.ts'
import type { TableColumns } from './writers.ts'

const codec = openStacksCodec()
const prints = parsePrintCatalogue(catalogue)
type Archive = (typeof STACKS_ARCHIVES)[number]

/** Number of an archive's batch: what tells recordings of different networks apart. */
const batchOf = (archive: Archive): number => 1 + STACKS_ARCHIVES.indexOf(archive)

function blocksOf(archive: Archive): BlockMessage[] {
  const blocks = new Map<string, BlockMessage>()
  for (const [path, json] of recordedMessages(archive)) {
    if (path !== '/new_block') continue
    const message = parseMessage(path, JSON.stringify(json))
    assert.ok(message.kind === 'block')
    if (!blocks.has(message.block.id)) blocks.set(message.block.id, message.block)
  }
  return [...blocks.values()]
}

describe('recorded Stacks blocks as rows', skipWithoutShared, () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  before(async () => {
    warehouse = await openTestWarehouse({
      schema: {
        tables: [...STX_BATCH_TABLES, ...STX_BURN_BATCH_TABLES],
        baseViews: [],
        fills: [],
        views: [],
      },
    })
    const rows = openStacksRows(codec, prints)
    const burn = openBurnRows()
    for (const archive of STACKS_ARCHIVES) {
      for (const block of blocksOf(archive)) rows.add(batchOf(archive), block)
      for (const [path, json] of recordedMessages(archive)) {
        if (path !== '/new_burn_block') continue
        const message = parseMessage(path, JSON.stringify(json))
        if (message.kind === 'burn_block') burn.add(batchOf(archive), message.block)
      }
    }
    await insert(rows.take())
    await insert(burn.take())
  })
  after(() => warehouse[Symbol.asyncDispose]())

  const insert = async (taken: readonly TableColumns[]): Promise<void> => {
    for (const { table, columns } of taken) await warehouse.insertColumns(table, columns)
  }
  const rowsOf = async <T = unknown[]>(query: string): Promise<T[]> =>
    (await warehouse.reader.query({ query, format: 'JSONCompactEachRow' })).json<T>()

  test('counts and sums are those of the messages', async () => {
    const counted = await rowsOf<[number, string, string, string, string]>(`
SELECT batch, toString(count()), toString(sum(tx_count)), toString(sum(event_count)), toString(sum(fee_ustx))
FROM base.stx_blocks GROUP BY batch ORDER BY batch`)
    const expected = STACKS_ARCHIVES.map(archive => {
      const blocks = blocksOf(archive)
      const fees = blocks.flatMap(({ transactions }) =>
        transactions.map(({ raw }) => {
          if (raw === null) return 0n
          const { origin, sponsor } = codec.decodeTransaction(raw).auth
          return (sponsor ?? origin).feeUstx
        }),
      )
      const sum = (of: (block: BlockMessage) => number) =>
        String(blocks.reduce((all, one) => all + of(one), 0))
      return [
        batchOf(archive),
        String(blocks.length),
        sum(({ transactions }) => transactions.length),
        sum(({ events }) => events.filter(({ isCommitted }) => isCommitted).length),
        String(fees.reduce((all, fee) => all + fee, 0n)),
      ]
    })
    assert.deepEqual(counted, expected)
    const [[unknown, txs, failed]] = (await rowsOf(
      `SELECT (SELECT count() FROM base.stx_unknowns), (SELECT count() FROM base.stx_txs), (SELECT sum(failed_tx_count) FROM base.stx_blocks)`,
    )) as [[string, string, string]]
    assert.deepEqual([Number(unknown), Number(txs), Number(failed)], [0, 1135, 18])
  })

  test('a full block of 2022 moves what its node said', async () => {
    const batch = batchOf('mainnet-poison-microblock-760063.tsv.gz')
    assert.deepEqual(
      await rowsOf(`SELECT standard, action, toString(count()), toString(sum(amount)) FROM base.stx_transfers
WHERE batch = ${batch} AND standard != 'nft' GROUP BY standard, action ORDER BY standard, action`),
      [
        ['stx', 'transfer', '63', amountOf('stx_transfer_event')],
        ['stx', 'burn', '5', amountOf('stx_burn_event')],
        ['ft', 'transfer', '163', amountOf('ft_transfer_event')],
        ['ft', 'mint', '157', amountOf('ft_mint_event')],
        ['ft', 'burn', '157', amountOf('ft_burn_event')],
      ],
    )
    const named = await rowsOf<[string, number, string]>(`
SELECT event, toUInt32(is_listed), toString(count()) FROM base.stx_prints WHERE batch = ${batch} AND event != ''
GROUP BY event, is_listed ORDER BY count() DESC, event LIMIT 3`)
    assert.deepEqual(named, [['swap-y-for-x', 1, '4']])
  })

  test('arguments of calls are columns, with the names of the interface', async () => {
    const calls = await rowsOf<[string, string, string]>(`
SELECT a.path, a.repr, ifNull(f.name, '') FROM base.stx_call_args AS a
LEFT JOIN base.stx_function_args AS f
  ON f.batch = a.batch AND f.contract = a.contract AND f.function_name = a.function_name AND f.arg_index = a.arg_index
WHERE a.batch = ${batchOf('mainnet-reorg-scenario1.tsv.gz')} AND a.function_name = 'stack-stx'
ORDER BY a.height, a.tx_index, a.arg_index, a.leaf_index LIMIT 5`)
    assert.deepEqual(
      calls.map(([path]) => path),
      ['', 'hashbytes', 'version', '', ''],
    )
    const [[args, different]] = (await rowsOf(`
SELECT count(), countIf(type = 'uint' AND repr != concat('u', toString(uint_value))) FROM base.stx_call_args`)) as [
      [string, string],
    ]
    assert.ok(Number(args) > 500)
    assert.equal(Number(different), 0)
    const named = await rowsOf(`
SELECT f.name, a.repr FROM base.stx_call_args AS a
INNER JOIN base.stx_function_args AS f
  ON f.batch = a.batch AND f.contract = a.contract AND f.function_name = a.function_name AND f.arg_index = a.arg_index
WHERE a.batch = ${batchOf('regtest-epoch-3-transition.tsv.gz')} AND a.function_name = 'stack-stx' AND f.name = 'lock-period'
LIMIT 1`)
    assert.deepEqual(named, [['lock-period', 'u1']])
  })

  test('cycles and signers are what the public API answered after the same messages', async () => {
    type Cycle = {
      cycle_number: number
      index_block_hash: string
      total_signers: number
      total_stacked_amount: string
    }
    const answers = stacksVectors<{ input: { request: string }; expected: { results?: Cycle[] } }>(
      'api-answers-pox-cycles',
    )
    const listed = answers.find(({ input }) => input.request === '/extended/v2/pox/cycles')!.expected.results!
    const batch = batchOf('regtest-epoch-3-transition.tsv.gz')
    assert.deepEqual(
      await rowsOf(`
SELECT c.cycle, concat('0x', lower(hex(b.hash))), ifNull(c.signer_count, 0), toString(ifNull(c.stacked_ustx, 0))
FROM base.stx_cycles AS c INNER JOIN base.stx_blocks AS b ON b.batch = c.batch AND b.height = c.height
WHERE c.batch = ${batch} ORDER BY c.cycle DESC`),
      listed.map(one => [
        one.cycle_number,
        one.index_block_hash,
        one.total_signers,
        one.total_stacked_amount,
      ]),
    )
    type Signer = { signing_key: string; stacked_amount: string; weight: number }
    const signers = answers.find(
      ({ input }) => input.request === '/extended/v2/pox/cycles/14/signers',
    )!.expected
    assert.deepEqual(
      await rowsOf(`SELECT concat('0x', lower(hex(signing_key))), toString(stacked_ustx), weight
FROM base.stx_signers WHERE batch = ${batch} AND cycle = 14 ORDER BY stacked_ustx DESC`),
      (signers.results as unknown as Signer[]).map(one => [one.signing_key, one.stacked_amount, one.weight]),
    )
    assert.deepEqual(
      await rowsOf(`SELECT slot_count FROM base.stx_cycles WHERE batch = ${batch} AND cycle = 14`),
      [[9]],
    )
  })

  test('PoX operations agree with the locks that the chain made', async () => {
    const pairs = await rowsOf<[string, string, string, string]>(`
SELECT o.operation, toString(o.locked_ustx), toString(l.amount_ustx), toString(o.amount_ustx)
FROM base.stx_pox_ops AS o INNER JOIN base.stx_locks AS l ON l.batch = o.batch AND l.txid = o.txid AND l.stacker = o.stacker
WHERE o.operation = 'stack-stx' ORDER BY o.batch, o.height, o.event_index`)
    assert.equal(pairs.length, 10)
    for (const [, , lockedByChain, amount] of pairs) assert.equal(amount, lockedByChain)
    const operations = await rowsOf(
      `SELECT operation, toString(count()) FROM base.stx_pox_ops GROUP BY operation ORDER BY operation`,
    )
    assert.deepEqual(operations, [
      ['delegate-stack-extend', '1'],
      ['delegate-stx', '5'],
      ['revoke-delegate-stx', '5'],
      ['stack-extend', '21'],
      ['stack-stx', '10'],
    ])
  })

  test('operations on Bitcoin name whom they act for and what they moved', async () => {
    assert.deepEqual(
      await rowsOf(`SELECT height, status, sender, recipient, toString(amount_ustx) FROM base.stx_txs
WHERE batch = ${batchOf('mainnet-bitcoin-ops-new_block.jsonl')} AND kind = 'bitcoin_op' ORDER BY height, tx_index LIMIT 2`),
      [
        [
          120,
          'success',
          'SMQ5V9ZVGN62G1X3VJNM2MF64SG6JXS8SKVNTGZQ',
          'SP2ZP4GJDZJ1FDHTQ963F0292PE9J9752TZJ68F21',
          '2000',
        ],
        [1352, 'abort_by_response', '', null, null],
      ],
    )
    assert.deepEqual(
      await rowsOf(`SELECT stacker, toString(amount_ustx), unlock_height FROM base.stx_locks
WHERE batch = ${batchOf('mainnet-bitcoin-ops-new_block.jsonl')} AND height = 51451 ORDER BY event_index LIMIT 1`),
      [['SM313VGCT3TK1M82K2AS2KHNX813BY5FKCXJSKZ4E', '3892859330416', 752150]],
    )
  })

  test('every print is readable, and its fields are found by their names', async () => {
    const held = await rowsOf<[string, string]>('SELECT lower(hex(value)), repr FROM base.stx_prints')
    for (const [hex, repr] of held) assert.equal(repr, valueJson(codec.decodeValue(bytesOfHex(hex))).repr)
    assert.deepEqual(
      await rowsOf(`SELECT event, path, toString(uint_value) FROM base.stx_print_fields
WHERE contract LIKE '%.sbtc-registry' AND path IN ('amount', 'request-id') ORDER BY height, event_index, path`),
      [
        ['completed-deposit', 'amount', '123654789'],
        ['withdrawal-create', 'amount', '22500'],
        ['withdrawal-create', 'request-id', '1'],
        ['withdrawal-accept', 'request-id', '1'],
        ['withdrawal-reject', 'request-id', '1'],
      ],
    )
  })

  test('what miners paid in a Bitcoin block is its burns and payouts', async () => {
    const batch = batchOf('devnet-nakamoto-with-signer-messages.tsv.gz')
    const burned = [...recordedMessages('devnet-nakamoto-with-signer-messages.tsv.gz')]
      .filter(([path]) => path === '/new_burn_block')
      .map(([, json]) => json as unknown as { burn_amount: number; reward_recipients: { amt: number }[] })
    const [[burnSat, payoutSat, paid]] = (await rowsOf(`
SELECT toString(sum(burn_sat)), toString(sum(payout_sat)), (SELECT toString(sum(value_sat)) FROM base.stx_payouts WHERE batch = ${batch})
FROM base.stx_burn_blocks WHERE batch = ${batch}`)) as [[string, string, string]]
    const sum = (values: number[]) => String(values.reduce((all, one) => all + one, 0))
    assert.equal(burnSat, sum(burned.map(({ burn_amount }) => burn_amount)))
    assert.equal(
      payoutSat,
      sum(burned.flatMap(({ reward_recipients }) => reward_recipients.map(({ amt }) => amt))),
    )
    assert.equal(paid, payoutSat)
  })

  function amountOf(type: string): string {
    const [first] = recordedMessages('mainnet-poison-microblock-760063.tsv.gz')
    const events = (first![1].events ?? []) as unknown as Record<string, { amount: string }>[]
    const amounts = events.flatMap(event => (event[type] ? [BigInt(event[type].amount)] : []))
    return String(amounts.reduce((all, amount) => all + amount, 0n))
  }
})

describe('what does not fit', skipWithoutShared, () => {
  const [block] = skipWithoutShared.skip ? [] : blocksOf('mainnet-poison-microblock-760063.tsv.gz')

  test('a transaction of an unknown kind is kept with its bytes, the rest of the block is read', () => {
    const strange = Buffer.from(block!.transactions[3]!.raw!)
    strange[0] = 0x00
    const raw = Buffer.concat([strange.subarray(0, 5), Buffer.of(9), strange.subarray(6)])
    const transactions = block!.transactions.with(3, {
      ...block!.transactions[3]!,
      raw,
      status: 'moonstruck',
    })
    const rows = openStacksRows(codec, prints)
    rows.add(1, { ...block!, transactions })
    const taken = new Map(
      rows.take().map(({ table, columns }) => [table.name, columns as Record<string, unknown>]),
    )
    const textsOf = (table: string, column: string): string[] => {
      const { bytes, offsets } = taken.get(table)![column] as { bytes: Uint8Array; offsets: Uint32Array }
      return [...offsets.subarray(1)].map((end, i) => Buffer.from(bytes.subarray(offsets[i], end)).toString())
    }
    assert.deepEqual(textsOf('stx_unknowns', 'raw'), [raw.toString('hex'), 'moonstruck'])
    assert.match(textsOf('stx_unknowns', 'name')[0]!, /authorization type 9 is unknown/)
    assert.equal(textsOf('stx_txs', 'raw')[3], raw.toString('hex'))
    assert.equal(taken.get('stx_txs')!.rowCount, 63)
    assert.deepEqual([...(taken.get('stx_blocks')!.unknownTxCount as Uint32Array)], [1])
  })

  test('bytes with another txid are refused, and no row of the block is left', () => {
    const rows = openStacksRows(codec, prints)
    rows.add(1, block!)
    const before = rows.rowCount
    const transactions = block!.transactions.with(7, {
      ...block!.transactions[7]!,
      raw: block!.transactions[8]!.raw,
    })
    assert.throws(() => rows.add(2, { ...block!, transactions }), { code: 'ingest.txid' })
    assert.equal(rows.rowCount, before)
    rows.add(2, block!)
    const twice = rows.take()
    assert.equal(twice.find(({ table }) => table === stxBlocks)!.columns.rowCount, 2)
    for (const { columns } of twice) assert.equal(columns.rowCount % 2, 0)
  })
})
