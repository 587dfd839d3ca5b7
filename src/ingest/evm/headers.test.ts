/** Headers recorded alone would pass for indexed blocks. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { recordedLines } from '#tests/recordedEvm.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { insertEvmHeaders } from './headers.ts'

const ROOTSTOCK = { layer: 'rootstock', chainId: 30, headerForm: 'rootstock' } as const

describe('headers that were recorded alone', skipWithoutShared, () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  let told: Record<string, unknown>[] = []
  before(async () => {
    warehouse = await openTestWarehouse()
    told = recordedLines('rootstock-mainnet-headers.jsonl.gz')
  })
  after(() => warehouse[Symbol.asyncDispose]())
  beforeEach(() => warehouse.writer.command({ query: 'TRUNCATE TABLE base.evm_headers' }))
  const rows = async (query: string) =>
    (await warehouse.guest.query({ query, format: 'JSONEachRow' })).json<Record<string, unknown>>()
  const keep = (lines: readonly unknown[]) =>
    insertEvmHeaders(warehouse, ROOTSTOCK, lines.join('\n'), 'test.headers')

  test('each stands as what its source tells of it, and none is a block', async () => {
    await keep(told.map(({ rlp }) => rlp))
    const found = await rows(`SELECT height AS number, concat('0x', lower(hex(hash))) AS hash,
  concat('0x', lower(hex(prev_hash))) AS parentHash, toUnixTimestamp(block_time) AS timestamp,
  concat('0x', lower(hex(miner))) AS miner, toString(difficulty) AS difficulty, toUInt32(gas_limit) AS gasLimit,
  toUInt32(gas_used) AS gasUsed, toString(paid_fee_wei) AS paidFees,
  toString(minimum_gas_price_wei) AS minimumGasPrice, uncle_count AS uncleCount,
  lower(hex(bitcoin_hash)) AS bitcoinHeaderHash
FROM evm_headers WHERE is_bitcoin_tagged ORDER BY height`)
    assert.deepEqual(
      found,
      told.map(({ rlp: _, hashForMergedMining: __, ...stated }) => stated),
    )
    assert.deepEqual(await rows("SELECT count() = 0 AS none FROM chain_blocks WHERE chain = 'rootstock'"), [
      { none: 1 },
    ])
  })

  test('one that does not follow, was not mined for, or is none keeps all of them out, with its line', async () => {
    const raw = told.slice(0, 4).map(({ rlp }) => String(rlp))
    // The last byte of the difficulty of the third header, so that its hash is another one.
    const changed = raw[2]!.replace(
      /(0*89[0-9a-f]{16})([0-9a-f]{2})/,
      (_, head, last) => `${head}${last === 'ff' ? '00' : 'ff'}`,
    )
    await assert.rejects(keep([raw[0], raw[1], changed, raw[3]]), {
      code: 'ingest.header',
      message: /Line [34] of the headers of rootstock/,
    })
    await assert.rejects(keep([raw[0], 'no header']), {
      code: 'ingest.header',
      message: /Line 2 .* there is no header in hexadecimal/,
    })
    await assert.rejects(keep([raw[0], raw[1]!.slice(0, 200)]), { code: 'decode.short' })
    assert.deepEqual(await rows('SELECT count() = 0 AS none FROM evm_headers'), [{ none: 1 }])
  })
})
