/** Merge mining and other traces of layers on Bitcoin would be missed. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { dataScript, madeBlock, P2PKH } from '#tests/madeBlock.ts'
import { recordedBlock, recordedBlocks } from '#tests/recordedBlocks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { witnessScript } from '../address/scripts.ts'
import type { LayerOperation } from '../block.ts'
import { openBitcoinCodec } from '../index.ts'
import { bitOf, payloadsOf } from './payloads.ts'

const codec = openBitcoinCodec({ network: 'mainnet' })
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const ascii = (text: string): string => Buffer.from(text).toString('hex')
const spending = (...outputs: [string, bigint][]) =>
  payloadsOf(madeBlock({ txs: [{ outputs: outputs.map(([script, valueSat]) => ({ script, valueSat })) }] }))
const coinbase = (scripts: string[], timeS = 1_700_000_000): readonly LayerOperation[] =>
  payloadsOf(madeBlock({ timeS, coinbaseOutputs: scripts.map(script => ({ script, valueSat: 0n })) }))
    .operations

const RSK_HASH = `${'5a'.repeat(20)}${'01020304050607'}250037201c`

test('the last Rootstock tag of a coinbase counts, with its fields', () => {
  const [op, ...more] = coinbase([
    dataScript(`${ascii('RSKBLOCK:')}${'00'.repeat(32)}`),
    dataScript(`${ascii('RSKBLOCK:')}${RSK_HASH}`),
  ])
  assert.deepEqual(more, [])
  assert.deepEqual(
    [op?.op, op?.vout, op?.details.hashForMergedMining, op?.details.uncleCount, op?.details.blockNumber],
    ['rootstock.merge_mining', 1, RSK_HASH, 0x25, 3_612_700],
  )
})

test('before the Wasabi upgrade the tag is a hash without fields', () => {
  const [op] = coinbase([dataScript(`${ascii('RSKBLOCK:')}${RSK_HASH}`)], Date.UTC(2018, 5, 1) / 1000)
  assert.deepEqual([op?.details.blockNumber, op?.details.hashForMergedMining], [null, RSK_HASH])
})

test('a short tag, or one outside the coinbase, is no merge mining', () => {
  assert.deepEqual(coinbase([dataScript(`${ascii('RSKBLOCK:')}${'00'.repeat(31)}`)]), [])
  assert.deepEqual(spending([dataScript(`${ascii('RSKBLOCK:')}${RSK_HASH}`), 0n]).operations, [])
})

test('recorded coinbases carry the tags that the list of protocols names', skipWithoutShared, () => {
  const tagged = (op: string): (number | null)[] =>
    [...recordedBlocks('blocks.json')]
      .filter(({ bytes }) => payloadsOf(codec.decodeBlock(bytes)).operations.some(found => found.op === op))
      .map(({ height }) => height)
  // 540107 carries the tag behind PUSHDATA1.
  assert.deepEqual(tagged('rootstock.merge_mining'), [514485, 540107, 696394, 739990, 757739, 831124])
  assert.deepEqual(tagged('core.merge_mining'), [831124])
})

test('a miner delegates its hash power to Core by a coinbase output', () => {
  const [validator, reward] = ['a1'.repeat(20), 'b2'.repeat(20)]
  const [op] = coinbase([dataScript(`${ascii('CORE')}01${validator}${reward}`)])
  assert.deepEqual({ ...op?.details }, { validator: `0x${validator}`, rewardAddress: `0x${reward}` })
  assert.deepEqual(coinbase([dataScript(`${ascii('CORE')}02${validator}${reward}`)]), [])
  assert.deepEqual(spending([dataScript(`${ascii('CORE')}01${validator}${reward}`), 0n]).operations, [])
})

const BABYLON = `62626e3100${'aa'.repeat(32)}${'bb'.repeat(32)}fa00`
const REDEEM = '041f5e0e66b17576a914c4b8ae927ff2b9ce218e20bf06d425d6b68424fd88ac'
const CORE_DATA = `de60b7d0e6b758ca5dd8c61d377a2c5f1af51ec1a9e209f5ea0036c8c2f41078a3cebee57d8a47d501${REDEEM}`
const locked = hex(witnessScript(0, hash('sha256', Buffer.from(REDEEM, 'hex'), 'buffer')))

test('the documented Core stake is found by its redeem script', () => {
  // The redeem script's hash is the one in CoreDAO's documentation.
  assert.equal(locked, '00203dd731ae1c3ce32cfbec4ea82c855e027adf5fddca6d0118029b0ba15e44e0e9')
  const other = `0020${'99'.repeat(32)}`
  const { operations, protocolMask } = spending(
    [other, 7n],
    [locked, 1_000_000n],
    [dataScript(`5341542b01045c${CORE_DATA}`), 0n],
  )
  assert.equal(operations.length, 1)
  assert.deepEqual(
    {
      op: operations[0]?.op,
      vout: operations[0]?.vout,
      valueSat: operations[0]?.valueSat,
      ...operations[0]?.details,
    },
    {
      op: 'core.stake',
      vout: 1,
      valueSat: 1_000_000n,
      version: 1,
      chainId: 1116,
      delegator: '0xde60b7d0e6b758ca5dd8c61d377a2c5f1af51ec1',
      validator: '0xa9e209f5ea0036c8c2f41078a3cebee57d8a47d5',
      feeCore: 1,
      lockTime: 1_712_217_631,
      isVerified: true,
    },
  )
  assert.equal(protocolMask[1], bitOf('core'))
})

test('a Core stake without its script takes the first script-hash output and says so', () => {
  const data = dataScript(`5341542b01045c${CORE_DATA.slice(0, 82)}1f5e0e66`)
  const [op] = spending([P2PKH, 5n], [locked, 9n], [data, 0n]).operations
  assert.deepEqual(
    [op?.vout, op?.valueSat, op?.details.isVerified, op?.details.lockTime],
    [1, 9n, false, 1_712_217_631],
  )
})

test('a stake on a Core test chain, without a locked output or too short is none on the main network', () => {
  const none = [
    spending([locked, 9n], [dataScript(`5341542b01045b${CORE_DATA}`), 0n]),
    spending([P2PKH, 9n], [dataScript(`5341542b01045c${CORE_DATA}`), 0n]),
    spending([locked, 9n], [dataScript(`5341542b01045c${'00'.repeat(40)}`), 0n]),
    spending([locked, 9n], [dataScript(`5341542c01045c${CORE_DATA}`), 0n]),
  ]
  for (const { operations } of none) assert.deepEqual(operations, [])
})

test('a transaction stakes once, however many of its outputs say so', () => {
  const stake: [string, bigint] = [dataScript(`5341542b01045c${CORE_DATA}`), 0n]
  assert.equal(spending([locked, 9n], stake, stake, [dataScript(BABYLON), 0n]).operations.length, 1)
})

test('an lstBTC stake is named without an amount', () => {
  const [op] = spending([locked, 9n], [dataScript(`5341542b02045c${'de'.repeat(20)}01`), 0n]).operations
  assert.deepEqual([op?.op, op?.valueSat, op?.details.version], ['core.stake', 0n, 2])
})

test('a Babylon stake is its taproot output', () => {
  const taproot = `5120${'44'.repeat(32)}`
  const { operations, protocolMask } = spending([taproot, 50_000n], [dataScript(BABYLON), 0n], [P2PKH, 1n])
  assert.deepEqual(
    operations.map(({ op, vout, valueSat, details }) => [
      op,
      vout,
      valueSat,
      details.lockBlocks,
      details.stakerKey,
    ]),
    [['babylon.stake', 0, 50_000n, 64_000, 'aa'.repeat(32)]],
  )
  assert.equal(protocolMask[1], bitOf('babylon'))
})

test('another tag, version or length, or no taproot output, is no Babylon stake', () => {
  const taproot = `5120${'44'.repeat(32)}`
  const none = [
    spending([taproot, 9n], [dataScript(`62626e30${BABYLON.slice(8)}`), 0n]),
    spending([taproot, 9n], [dataScript(`62626e3101${BABYLON.slice(10)}`), 0n]),
    spending([taproot, 9n], [dataScript(`${BABYLON}00`), 0n]),
    spending([P2PKH, 9n], [dataScript(BABYLON), 0n]),
  ]
  for (const { operations } of none) assert.deepEqual(operations, [])
})

test('a block without any of these has no operations', skipWithoutShared, () => {
  assert.deepEqual(payloadsOf(codec.decodeBlock(recordedBlock('413567-325d4069'))).operations, [])
})
