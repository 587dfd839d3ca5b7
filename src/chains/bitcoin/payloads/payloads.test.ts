/** Runes, Counterparty and other protocols on Bitcoin would be counted wrongly. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATA_PROTOCOLS, type DataProtocol } from '#kernel/bitcoin.ts'
import { dataScript, madeBlock, P2PKH } from '#tests/madeBlock.ts'
import { recordedBlocks } from '#tests/recordedBlocks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { openBitcoinCodec } from '../index.ts'
import { isCounterpartyData, isCounterpartyMultisig } from './counterparty.ts'
import { bitOf, payloadsOf } from './payloads.ts'

const ascii = (text: string): string => Buffer.from(text).toString('hex')
const protocolsOf = (script: string, height = 900_000): DataProtocol[] => {
  const block = madeBlock({
    height,
    txs: [
      {
        outputs: [
          { script, valueSat: 0n },
          { script: P2PKH, valueSat: 1n },
        ],
      },
    ],
  })
  const mask = payloadsOf(block).protocolMask[1]!
  return DATA_PROTOCOLS.filter(protocol => (mask & bitOf(protocol)) !== 0)
}

test('OP_RETURN bytes and counts are those behind the 6a, the coinbase in', () => {
  const commitment = `6a24aa21a9ed${'11'.repeat(32)}`
  const { opReturnBytes, opReturnCount, protocolMask } = payloadsOf(
    madeBlock({
      coinbaseOutputs: [
        { script: P2PKH, valueSat: 1n },
        { script: commitment, valueSat: 0n },
      ],
      txs: [
        {
          outputs: [
            { script: '6a', valueSat: 0n },
            { script: dataScript('aabb'), valueSat: 0n },
          ],
        },
        {},
      ],
    }),
  )
  assert.deepEqual([[...opReturnBytes], opReturnCount], [[37, 3, 0], 3])
  assert.deepEqual([...protocolMask], [0, bitOf('other'), 0])
})

test('protocols are told by their marks, and the rest is other', () => {
  assert.deepEqual(protocolsOf(dataScript(`${ascii('omni')}0000`)), ['omni'])
  assert.deepEqual(protocolsOf(dataScript('aa'.repeat(32))), ['other'])
  assert.deepEqual(protocolsOf('6a'), [])
  assert.deepEqual(protocolsOf('6a00'), [])
  assert.deepEqual(protocolsOf('6a04aabb'), ['other'])
})

test('a transaction with a 6a5d output is a runestone, well-formed or not, on the main network from 840,000', () => {
  assert.deepEqual(protocolsOf('6a5d0100', 840_000), ['runes'])
  assert.deepEqual(protocolsOf('6a5d4c', 840_000), ['runes'])
  assert.deepEqual(protocolsOf('6a5d0100', 839_999), ['other'])
  assert.deepEqual(protocolsOf('6a015d', 840_000), ['other'])
  const twice = madeBlock({
    txs: [{ outputs: ['6a5d0100', '6a5d0101', '6a'].map(script => ({ script, valueSat: 0n })) }, {}],
  })
  assert.equal(payloadsOf(twice).runestoneCount, 1)
})

/** ARC4 by its definition, over the whole text. */
function arc4(key: Buffer, text: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, i) => i)
  const swap = (a: number, b: number): void => {
    ;[state[a], state[b]] = [state[b]!, state[a]!]
  }
  let j = 0
  for (let i = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) % 256
    swap(i, j)
  }
  let i = 0
  j = 0
  return Buffer.from(
    text.map(byte => {
      i = (i + 1) % 256
      j = (j + state[i]!) % 256
      swap(i, j)
      return byte ^ state[(state[i]! + state[j]!) % 256]!
    }),
  )
}

test('the cipher of this test is ARC4', () => {
  assert.equal(arc4(Buffer.from('Key'), Buffer.from('Plaintext')).toString('hex'), 'bbf316e8d940af0ad3')
})

test('a Counterparty message is found under the txid of the first input, and only there', () => {
  const txid = Buffer.from('11'.repeat(32), 'hex')
  const hidden = arc4(txid, Buffer.from('CNTRPRTY\x00message'))
  assert.deepEqual(protocolsOf(dataScript(hidden.toString('hex'))), ['counterparty'])
  assert.ok(isCounterpartyData(Buffer.from('CNTRPRTYx'), txid))
  assert.ok(!isCounterpartyData(hidden, Buffer.from('22'.repeat(32), 'hex')))
  assert.ok(!isCounterpartyData(Buffer.from('CNTRPRTY'), txid))
})

test('a Counterparty message in the keys of a bare multisig is found', () => {
  const txid = Buffer.from('11'.repeat(32), 'hex')
  const text = Buffer.alloc(62)
  text.write('\x1cCNTRPRTY\x00\x00\x00\x00data')
  const hidden = arc4(txid, text)
  const key = (part: Uint8Array): string => `2102${Buffer.from(part).toString('hex')}00`
  const script = `51${key(hidden.subarray(0, 31))}${key(hidden.subarray(31))}2103${'55'.repeat(32)}53ae`
  assert.deepEqual(protocolsOf(script), ['counterparty'])
  assert.ok(!isCounterpartyMultisig(Buffer.from(script, 'hex'), Buffer.alloc(32)))
  assert.deepEqual(protocolsOf(`5121${`02${'11'.repeat(32)}`}51ae`), [])
})

test('a Counterparty message is found whatever pushes the keys, and beside a sender’s key of 65 bytes', () => {
  const txid = Buffer.from('11'.repeat(32), 'hex')
  const text = Buffer.alloc(31)
  text.write('\x1cCNTRPRTY\x00\x00\x00\x00data')
  const key = `02${arc4(txid, text).toString('hex')}00`
  const long = `04${'22'.repeat(64)}`
  for (const script of [
    `5121${key}41${long}52ae`,
    `514c21${key}21${key}52ae`,
    `514d2100${key}4c41${long}52ae`,
    `514e21000000${key}4e41000000${long}52ae`,
  ])
    assert.deepEqual(protocolsOf(script), ['counterparty'], script)
  assert.deepEqual(protocolsOf(`5121${key}51ae`), [], 'the only key is the sender’s')
})

test('Omni messages are seen where the list of protocols counted them', skipWithoutShared, () => {
  const codec = openBitcoinCodec({ network: 'mainnet' })
  let transactions = 0
  for (const { bytes } of recordedBlocks('blocks.json')) {
    const { protocolMask } = payloadsOf(codec.decodeBlock(bytes))
    transactions += protocolMask.filter(mask => (mask & bitOf('omni')) !== 0).length
  }
  assert.equal(transactions, 546)
})
