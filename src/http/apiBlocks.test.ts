/** Programs would get wrong blocks and transactions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BlockDetail, BlockPage, TxDetail } from './contract.ts'
import { blockDetail, blockPage, txDetail, txPage } from './schemas/bitcoin.ts'
import { ask, problemAt } from './sharedApi.testing.ts'

const FIRST_PAYMENT = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16'

describe('blocks and transactions', () => {
  test('blocks come newest first with the gaps between them', async () => {
    const page = blockPage.parse((await ask('/api/v1/bitcoin/blocks?limit=4')).json()) satisfies BlockPage
    assert.deepEqual(
      page.items.map(({ height, origin }) => [height, origin]),
      [
        [100_000, 'rows'],
        [171, 'statistics'],
        [170, 'rows'],
        [1, 'rows'],
      ],
    )
    assert.deepEqual(page.gaps, [
      { from: 172, to: 99_999 },
      { from: 2, to: 169 },
    ])
    assert.equal(page.next, '1')
    const rest = blockPage.parse((await ask('/api/v1/bitcoin/blocks?before=1')).json())
    assert.deepEqual(
      rest.items.map(({ height }) => height),
      [0],
    )
    assert.equal(rest.next, null)
  })

  test('a block is found by height and by hash in any letter case', async () => {
    const byHeight = blockDetail.parse((await ask('/api/v1/bitcoin/blocks/170')).json()) satisfies BlockDetail
    assert.equal(byHeight.hash, '00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee')
    assert.equal(byHeight.bits, '1d00ffff')
    assert.equal(byHeight.difficulty, 1)
    assert.equal(byHeight.isIsland, true)
    assert.equal(byHeight.coinbaseSat, '5000000000')
    const byHash = await ask(`/api/v1/bitcoin/blocks/${byHeight.hash.toUpperCase()}`)
    assert.deepEqual(byHash.json(), byHeight)
  })

  test('a block known by statistics alone says so', async () => {
    const block = blockDetail.parse((await ask('/api/v1/bitcoin/blocks/171')).json())
    assert.equal(block.origin, 'statistics')
    assert.equal(block.merkleRoot, null)
    assert.equal(block.prevHash, '00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee')
    assert.equal(block.feerates?.p50, 2)
    assert.equal((await problemAt('/api/v1/bitcoin/blocks/171/txs', 404)).code, 'explorer.txs_not_held')
  })

  test('a height that is not held names the nearest ones', async () => {
    const told = await problemAt('/api/v1/bitcoin/blocks/5000', 404)
    assert.match(told.hint ?? '', /171 and 100000/)
    assert.deepEqual(told.nearest, ['171', '100000'])
    assert.equal(
      (await problemAt(`/api/v1/bitcoin/blocks/${'ab'.repeat(32)}`, 404)).code,
      'explorer.block_not_found',
    )
    assert.equal((await problemAt('/api/v1/bitcoin/blocks/tip', 400)).errors?.[0]?.parameter, 'block')
  })

  test('transactions of a block come in pages', async () => {
    const first = txPage.parse((await ask('/api/v1/bitcoin/blocks/100000/txs?limit=3')).json())
    const second = txPage.parse((await ask(`/api/v1/bitcoin/blocks/100000/txs?after=${first.next}`)).json())
    assert.deepEqual(
      [...first.items, ...second.items].map(({ txIndex }) => txIndex),
      [0, 1, 2, 3],
    )
    assert.equal(second.next, null)
    assert.equal(
      (await problemAt('/api/v1/bitcoin/blocks/170/txs?limit=2000', 400)).errors?.[0]?.parameter,
      'limit',
    )
  })

  test('the first payment between two people shows who paid whom', async () => {
    const tx = txDetail.parse((await ask(`/api/v1/bitcoin/txs/${FIRST_PAYMENT}`)).json()) satisfies TxDetail
    assert.equal(tx.height, 170)
    assert.deepEqual(
      tx.outputs.map(({ address, valueSat, scriptType }) => [address, valueSat, scriptType]),
      [
        ['1Q2TWHE3GMdB6BZKafqwxXtWAWgFt5Jvm3', '1000000000', 'p2pk'],
        ['12cbQLTFMXRnSzktFkuoG3eHoMeFtpTu3S', '4000000000', 'p2pk'],
      ],
    )
    assert.equal(tx.inputs[0]?.prevTxid, '0437cd7f8525ceed2324359c2d0ba26006d92d856a9c20fa0241106ee5a597c9')
    assert.equal(
      (await problemAt(`/api/v1/bitcoin/txs/${'00'.repeat(32)}`, 404)).code,
      'explorer.tx_not_found',
    )
    assert.equal((await problemAt('/api/v1/bitcoin/txs/abc', 400)).errors?.[0]?.parameter, 'txid')
  })
})
