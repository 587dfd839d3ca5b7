/** Stacks miners’ bids and commits on Bitcoin would be missing or wrong. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { blockWith, dataScript, madeBlock, P2PKH } from '#tests/madeBlock.ts'
import { csvRows, recordedBlock } from '#tests/recordedBlocks.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import type { DecodedBlock, LayerOperation } from '../block.ts'
import { openBitcoinCodec } from '../index.ts'
import { outputScriptOf } from '../txsOf.ts'
import { bitOf, payloadsOf } from './payloads.ts'

const codec = openBitcoinCodec({ network: 'mainnet' })
const stacksOf = (block: DecodedBlock): LayerOperation[] =>
  payloadsOf(block).operations.filter(({ op }) => op.startsWith('stacks.'))
const recorded = (path: string) => JSON.parse(readFileSync(shared(`data/stacks/${path}`), 'utf8'))
const ascii = (text: string): string => Buffer.from(text).toString('hex')

/** The operations of a made main-network transaction whose first output carries `X2` and the payload. */
function opsOf(opcode: string, payload: string, height = 900_000): LayerOperation[] {
  const outputs = [dataScript(ascii(`X2${opcode}`) + payload), P2PKH].map(script => ({
    script,
    valueSat: 1_000n,
  }))
  return stacksOf(madeBlock({ height, txs: [{ inputs: [{ txid: 'ab'.repeat(32), vout: 1 }], outputs }] }))
}

const COMMIT_SAMPLES = { 696394: '7c6b7bc3', 702861: '726dafae', 739990: 'd50c626e' } as const
const commitsAt = (height: keyof typeof COMMIT_SAMPLES) => {
  const block = codec.decodeBlock(recordedBlock(`${height}-${COMMIT_SAMPLES[height]}`))
  return { block, operations: stacksOf(block) }
}

test('bids of recorded blocks are the known answers', skipWithoutShared, () => {
  const bidAt = (height: keyof typeof COMMIT_SAMPLES): bigint =>
    commitsAt(height)
      .operations.filter(({ op }) => op === 'stacks.block_commit')
      .reduce((sum, { valueSat }) => sum + valueSat, 0n)
  assert.deepEqual([bidAt(739990), bidAt(696394), bidAt(702861)], [1_825_490n, 2_842_776n, 2_599_330n])
})

test('the transactions of Stacks in block 739990 have the known footprint', skipWithoutShared, () => {
  const { block } = commitsAt(739990)
  const { protocolMask } = payloadsOf(block)
  const txs = [...protocolMask.keys()].filter(tx => (protocolMask[tx]! & bitOf('stacks')) !== 0)
  const vbytes = txs.reduce((sum, tx) => sum + Math.ceil(block.txs.weightWu[tx]! / 4), 0)
  assert.deepEqual([txs.length, vbytes], [6, 2085])
  const prevouts: [number, string][] = recorded('../bitcoin/prevouts/739990-d50c626e.json')
  const fees = txs.map(tx => {
    const [from, to] = [block.txs.firstInput[tx]!, block.txs.firstInput[tx + 1]!]
    const spent = prevouts.slice(from - 1, to - 1).reduce((sum, [sat]) => sum + sat, 0)
    const outputs = block.outputs.valueSat.subarray(
      block.txs.firstOutput[tx]!,
      block.txs.firstOutput[tx + 1]!,
    )
    return spent - outputs.reduce((sum, sat) => sum + Number(sat), 0)
  })
  assert.equal(
    fees.reduce((sum, fee) => sum + fee, 0),
    70_690,
  )
})

test('each recorded commit has all its fields', skipWithoutShared, () => {
  const vectors: {
    input: { bitcoinHeight: keyof typeof COMMIT_SAMPLES; txIndex: number }
    expected: Expected
  }[] = recorded('vectors/mainnet-block-commits.json')
  type Expected = Record<string, unknown> & { commitOutputs: { sats: number; script: string }[] }
  assert.equal(vectors.length, 22)
  for (const { input, expected } of vectors) {
    const { block, operations } = commitsAt(input.bitcoinHeight)
    const [commit, ...payouts] = operations.filter(({ txIndex }) => txIndex === input.txIndex)
    assert.equal(commit?.op, 'stacks.block_commit')
    for (const [name, value] of Object.entries(commit.details)) {
      if (name in expected) assert.deepEqual(value, expected[name], name)
    }
    assert.deepEqual(
      payouts.map(({ op, valueSat, vout }) => {
        const script = outputScriptOf(block, block.txs.firstOutput[input.txIndex]! + vout)
        return [op, Number(valueSat), Buffer.from(script).toString('hex')]
      }),
      expected.commitOutputs.map(({ sats, script }) => ['stacks.pox_payout', sats, script]),
    )
  }
})

test('the sampled commits are found, and no others', skipWithoutShared, () => {
  const rows = csvRows(readFileSync(shared('data/stacks/series/miner_commits_sample.csv'), 'utf8'))
  const found = ([696394, 702861, 739990] as const).flatMap(height =>
    commitsAt(height)
      .operations.filter(({ op }) => op === 'stacks.block_commit')
      .map(({ txIndex, valueSat, details }) =>
        [height, txIndex, valueSat, details.outputCount, details.parentBlock, details.keyBlock].map(String),
      ),
  )
  assert.deepEqual(
    found,
    rows.map(row => [
      row.bitcoin_height,
      row.tx_index,
      row.committed_sats,
      row.outputs,
      row.parent_block,
      row.key_block,
    ]),
  )
})

test('the node’s own vectors are read as the node reads them', skipWithoutShared, () => {
  type Vector = { op: string; input: string; expected: Record<string, unknown>; note: string | null }
  const vectors: Vector[] = recorded('vectors/bitcoin-ops.json')
  for (const { op, input, expected, note } of vectors) {
    // Made for a test chain at a height of its own: pointers lie beyond any real height, so none is given.
    const block = {
      ...blockWith(Buffer.from(input, 'hex'), { network: 'regtest', height: 20 }),
      height: null,
    }
    const [first] = stacksOf(block)
    const name = op === 'leader_block_commit' ? 'stacks.block_commit' : 'stacks.leader_key'
    assert.equal(first?.op, expected.valid ? name : 'stacks.unknown', note ?? op)
    if (!expected.valid) continue
    const { details, valueSat } = first!
    const named = {
      parent_block_ptr: details.parentBlock,
      parent_vtxindex: details.parentTxIndex,
      key_block_ptr: details.keyBlock,
      key_vtxindex: details.keyTxIndex,
      block_header_hash: details.blockHeaderHash,
      new_seed: details.newSeed,
      burn_fee: Number(valueSat),
      sender: details.sender,
      consensus_hash: details.consensusHash,
    }
    for (const [key, value] of Object.entries(named)) {
      if (key in expected) assert.deepEqual(value, expected[key], `${note}: ${key}`)
    }
  }
})

test('the other operations have their fields', () => {
  const ustx = '00000000000000000000000000989680'
  const key = `02${'77'.repeat(32)}`
  const [stack] = opsOf('x', `${ustx}0c${key}${ustx}00000007`)
  assert.equal(stack?.op, 'stacks.stack_stx')
  assert.deepEqual(
    { ...stack.details },
    {
      amountUstx: '10000000',
      cycles: 12,
      signerKey: key,
      maxAmountUstx: '10000000',
      authId: 7,
      rewardAddress: '147Us9aEq2PvBC5wobBJw1yEpQEbPKzssA',
      preStxTxid: 'ab'.repeat(32),
    },
  )
  assert.deepEqual(
    [opsOf('x', `${ustx}01`)[0]?.details.signerKey, opsOf('p', '')[0]?.op],
    [null, 'stacks.pre_stx'],
  )
  const [transfer] = opsOf('$', `${ustx}6869`)
  assert.deepEqual(
    [transfer?.op, transfer?.details.amountUstx, transfer?.details.memo],
    ['stacks.transfer_stx', '10000000', '6869'],
  )
  const [delegate] = opsOf('#', `${ustx}0100000000010000000000000fa0`)
  assert.deepEqual(
    [delegate?.op, delegate?.details.untilBurnHeight, delegate?.details.rewardAddress],
    ['stacks.delegate_stx', '4000', '147Us9aEq2PvBC5wobBJw1yEpQEbPKzssA'],
  )
  // Without its option byte, the index of the reward output means nothing.
  const [bare] = opsOf('#', `${ustx}0000000000000000000000000fa0`)
  assert.deepEqual(
    [bare?.op, bare?.details.untilBurnHeight, bare?.details.rewardAddress],
    ['stacks.delegate_stx', null, null],
  )
  const [vote] = opsOf('v', `000c${key}00000018000000000000000a`)
  assert.deepEqual(
    { op: vote?.op, ...vote?.details },
    { op: 'stacks.vote_for_aggregate_key', signerIndex: 12, aggregateKey: key, round: 24, rewardCycle: '10' },
  )
})

test('what may follow a stacking is there from its last byte on', () => {
  const payload = `${'00'.repeat(15)}050c02${'ab'.repeat(32)}${'00'.repeat(15)}0900000007`
  const fieldsOf = (bytes: number) => {
    const [stack] = opsOf('x', payload.slice(0, 2 * bytes))
    assert.ok(stack)
    const { signerKey, maxAmountUstx, authId } = stack.details as Record<string, unknown>
    return [signerKey, maxAmountUstx, authId]
  }
  const key = `02${'ab'.repeat(32)}`
  assert.deepEqual(fieldsOf(17), [null, null, null])
  assert.deepEqual(fieldsOf(49), [null, null, null])
  assert.deepEqual(fieldsOf(50), [key, null, null])
  assert.deepEqual(fieldsOf(65), [key, null, null])
  assert.deepEqual(fieldsOf(66), [key, '9', null])
  assert.deepEqual(fieldsOf(69), [key, '9', null])
  assert.deepEqual(fieldsOf(70), [key, '9', 7])
})

test('an operation names the transaction that its first input spends, wherever it is in the block', () => {
  const transfer = dataScript(`${ascii('X2$')}${'00'.repeat(15)}05`)
  const outputs = [transfer, P2PKH].map(script => ({ script, valueSat: 1_000n }))
  const txids = ['ab', 'cd', 'ef'].map(byte => byte.repeat(32))
  const block = madeBlock({
    txs: txids.map(txid => ({
      inputs: [
        { txid, vout: 1 },
        { txid: '77'.repeat(32), vout: 1 },
      ],
      outputs,
    })),
  })
  assert.deepEqual(
    stacksOf(block).map(({ details }) => (details as { preStxTxid?: string }).preStxTxid),
    txids,
  )
})

test('what has the magic but no form of the node is unknown, with the reason', () => {
  const reasons = [
    ['x', '00'],
    ['$', '00'],
    ['#', '00'],
    ['#', `${'00'.repeat(16)}020000000000`],
    ['v', '00'],
    ['^', '00'],
    ['[', '00'],
    ['?', ''],
  ].map(([opcode, payload]) => opsOf(opcode!, payload!).map(({ op, details }) => [op, details.reason]))
  assert.deepEqual(reasons.flat(), [
    ['stacks.unknown', 'too short'],
    ['stacks.unknown', 'too short'],
    ['stacks.unknown', 'too short'],
    ['stacks.unknown', 'option byte'],
    ['stacks.unknown', 'length'],
    ['stacks.unknown', 'too short'],
    ['stacks.unknown', 'too short'],
    ['stacks.unknown', 'opcode'],
  ])
})

const COMMIT = `${'aa'.repeat(32)}${'bb'.repeat(32)}000aa0490001000aa00000021c`
const commitAt = (height: number, outputs: readonly [string, bigint][]): LayerOperation[] =>
  stacksOf(
    madeBlock({
      height,
      txs: [
        {
          outputs: [[dataScript(ascii('X2[') + COMMIT), 0n], ...outputs].map(([script, valueSat]) => ({
            script: script as string,
            valueSat: valueSat as bigint,
          })),
        },
      ],
    }),
  )
const BURN = `76a914${'00'.repeat(20)}88ac`

test('from height 962,150 a commit is its single output, an sBTC deposit', () => {
  const deposit = `5120${'44'.repeat(32)}`
  const [commit, payout] = commitAt(962_150, [
    [deposit, 9_000n],
    [P2PKH, 9_000n],
  ])
  assert.deepEqual([commit?.valueSat, commit?.details.outputCount], [9_000n, 1])
  assert.deepEqual(
    [payout?.op, payout?.valueSat, payout?.details.isSbtcDeposit],
    ['stacks.pox_payout', 9_000n, true],
  )
})

test('in the prepare phase a commit burns one output and pays nobody', () => {
  const height = 666_050 + 2_100 * 100 + 2_050
  const operations = commitAt(height, [
    [BURN, 9_000n],
    [P2PKH, 9_000n],
  ])
  assert.deepEqual(
    operations.map(({ op, valueSat }) => [op, valueSat]),
    [['stacks.block_commit', 9_000n]],
  )
  assert.equal(operations[0]?.details.isBurn, true)
  assert.equal(
    commitAt(height, [
      [P2PKH, 9_000n],
      [P2PKH, 9_000n],
    ])[0]?.op,
    'stacks.unknown',
  )
})

test('unequal outputs in the reward phase are no commit', () => {
  const height = 666_050 + 2_100 * 100 + 500
  assert.equal(
    commitAt(height, [
      [P2PKH, 9_000n],
      [P2PKH, 9_001n],
    ])[0]?.op,
    'stacks.unknown',
  )
  assert.equal(
    commitAt(height, [
      [P2PKH, 9_000n],
      [BURN, 9_000n],
    ])[0]?.valueSat,
    18_000n,
  )
})

test('the magic in another output, on another network or in another form is no operation', () => {
  const carrier = { script: dataScript(ascii('X2p')), valueSat: 0n }
  const payment = { script: P2PKH, valueSat: 1_000n }
  const none = [
    madeBlock({ txs: [{ outputs: [payment, carrier] }] }),
    madeBlock({ network: 'testnet4', txs: [{ outputs: [carrier, payment] }] }),
    madeBlock({ txs: [{ outputs: [{ ...carrier, script: `${carrier.script}00` }, payment] }] }),
  ]
  for (const block of none) assert.deepEqual(stacksOf(block), [])
})

test('a sweep of the sBTC signers carries its withdrawals', () => {
  const sweep = (version: string, first: string) =>
    stacksOf(
      madeBlock({
        txs: [
          {
            outputs: [
              { script: first, valueSat: 500_000n },
              { script: dataScript(ascii('ST') + version), valueSat: 0n },
              { script: P2PKH, valueSat: 70_000n },
              { script: P2PKH, valueSat: 30_000n },
            ],
          },
        ],
      }),
    )
  const [op] = sweep('01', `5120${'44'.repeat(32)}`)
  assert.deepEqual([op?.op, op?.valueSat, op?.details.withdrawalCount], ['stacks.peg', 100_000n, 2])
  assert.deepEqual([...sweep('02', `5120${'44'.repeat(32)}`), ...sweep('01', P2PKH)], [])
})
