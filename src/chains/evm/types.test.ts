/** Transactions of a type that real nodes accept would be unreadable. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAnvil, skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import { addressOfKey, authorize, sign, TEST_KEY, unsigned } from '#tests/evm/sign.ts'
import { type Hex, hexOf } from './hex.ts'
import { openEvmCodec, type TransactionBody } from './index.ts'
import { RlpWriter } from './rlp/writer.ts'
import { writeTransaction } from './serialize.ts'

const codec = openEvmCodec({ chainId: 31_337, headerForm: 'standard', checksumChainId: null })
const writer = new RlpWriter()
const hex = (digit: string, bytes: number): Hex => `0x${digit.repeat(bytes)}`
const chainId = 31_337n

test(
  'a real node takes what we sign of each type, and gives it back as we read it',
  skipWithoutAnvil,
  async () => {
    await using anvil = await openAnvil()
    const fees = { chainId, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 7n, value: 5n }
    const accessList = [{ address: hex('33', 20), storageKeys: [hex('44', 32), hex('00', 32)] }]
    const authorization = authorize({ chainId, address: hex('22', 20), nonce: 5n }, TEST_KEY)
    const sent = [
      sign(unsigned('legacy', 0, { nonce: 0n, chainId, gasPrice: 3_000_000_000n, input: '0x00' }), TEST_KEY),
      sign(unsigned('legacy', 0, { nonce: 1n, chainId: null, gasPrice: 3_000_000_000n }), TEST_KEY),
      sign(
        unsigned('access_list', 1, { nonce: 2n, chainId, gasPrice: 3_000_000_000n, accessList }),
        TEST_KEY,
      ),
      sign(
        unsigned('dynamic_fee', 2, { ...fees, nonce: 3n, to: null, accessList, input: '0x6000' }),
        TEST_KEY,
      ),
      sign(unsigned('set_code', 4, { ...fees, nonce: 4n, authorizations: [authorization] }), TEST_KEY),
    ]
    for (const { raw, body } of sent) assert.equal(await anvil.send('eth_sendRawTransaction', raw), body.hash)
    await anvil.mine()
    const block = codec.readBlock({
      block: await anvil.send('eth_getBlockByNumber', '0x1', true),
      receipts: await anvil.send('eth_getBlockReceipts', '0x1'),
    })
    const proofs = codec.checkBlock(block)
    assert.deepEqual([proofs.transactions, proofs.receipts, proofs.senderCount], [true, true, 5])
    for (const [i, { body }] of sent.entries()) {
      const { transactionIndex, blockHash, blockNumber, gasPrice, ...told } = block.transactions[i]!
      // In later types the node states here what was paid.
      assert.deepEqual(told, Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'gasPrice')))
      if (body.type < 2) assert.equal(gasPrice, body.gasPrice)
    }
    assert.equal(codec.recoverAuthority(block.transactions[4]!.authorizations[0]!), addressOfKey(TEST_KEY))
    assert.equal(codec.recoverAuthority({ ...authorization, yParity: 2n }), null)
    assert.notEqual(codec.recoverAuthority({ ...authorization, nonce: 6n }), addressOfKey(TEST_KEY))
  },
)

test(
  'a node of the OP Stack gives a deposit back as it was made, and its receipt proves',
  skipWithoutAnvil,
  async () => {
    await using anvil = await openAnvil({ args: ['--network', 'optimism'] })
    const deposit = { sourceHash: hex('55', 32), mint: 2n ** 100n, isSystem: false }
    const body: TransactionBody = {
      ...unsigned('deposit', 0x7e, { deposit, chainId: null, value: 9n }),
      from: hex('66', 20),
      hash: '0x',
      signature: null,
    }
    const hash = await anvil.send('eth_sendRawTransaction', hexOf(writeTransaction(body, writer)!))
    await anvil.mine()
    const block = codec.readBlock({
      block: await anvil.send('eth_getBlockByNumber', '0x1', true),
      receipts: await anvil.send('eth_getBlockReceipts', '0x1'),
    })
    const proofs = codec.checkBlock(block)
    assert.deepEqual([proofs.transactions, proofs.receipts, proofs.hashCount], [true, true, 1])
    const [tx] = block.transactions
    assert.deepEqual([tx?.hash, tx?.kind, tx?.deposit, tx?.from], [hash, 'deposit', deposit, body.from])
  },
)
