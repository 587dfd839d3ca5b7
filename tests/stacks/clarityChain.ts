import { createHash } from 'node:crypto'
import type { Payload } from '#chains/stacks/index.ts'
import { CHAIN_IDS, type TenureChangeCause } from '#kernel/stacks.ts'
import { encodeTransaction } from '../encodeStacks.ts'

/**
 * Ten days of a made-up main network around 11 November 2025, as an archive of what a node posts: contracts in four versions
 * of Clarity, calls of known cost, tenures that are extended. The bytes of its transactions are as on the wire.
 */

const ACTIVATION_S = Date.UTC(2025, 10, 11, 16) / 1000
const FIRST_S = Date.UTC(2025, 10, 8) / 1000
const FIRST_HEIGHT = 4_900_000
const BLOCK_S = 7200
const BLOCKS = 120

const A = 'SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9'
const B = 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR'
const C = 'SP102V8P0F7JX67ARQ77WEA3D3CFB5XW39REDT0AM'

type Made = {
  day: number
  deployer: string
  name: string
  source: string
  version?: number
  /** Its functions as a node writes its interface; without them the message has none. */
  functions?: readonly object[]
}

const RESPONSE = { type: { response: { ok: 'bool', error: 'uint128' } } }

/** In the order in which they are made; `day` 3 is that of the activation, whose last blocks are under the new epoch. */
export const MADE_CONTRACTS: readonly Made[] = [
  { day: 0, deployer: A, name: 'swap', version: 3, source: '(define-public (run) (ok true))' },
  {
    day: 1,
    deployer: B,
    name: 'named-like-it',
    version: 2,
    source: '(define-private (to-ascii? (n int)) n)',
  },
  {
    day: 3,
    deployer: A,
    name: 'vault',
    source:
      '(define-public (run) (as-contract? ((with-stx u5)) (try! (stx-transfer? u5 current-contract tx-sender)) true))',
  },
  {
    day: 4,
    deployer: B,
    name: 'bridge',
    functions: [
      { name: 'run', access: 'read_only', args: [{ name: 'c', type: 'principal' }], outputs: RESPONSE },
      {
        name: 'send-many',
        access: 'public',
        args: [
          { name: 'amount', type: 'uint128' },
          { name: 'to', type: 'principal' },
          { name: 'memo', type: { optional: { buffer: { length: 34 } } } },
          {
            name: 'parts',
            type: {
              list: {
                type: {
                  tuple: [
                    { name: 'share', type: 'uint128' },
                    { name: 'isFinal', type: 'bool' },
                  ],
                },
                length: 2,
              },
            },
          },
        ],
        outputs: RESPONSE,
      },
    ],
    version: 4,
    source:
      ';; (with-nft) is a remark\n(define-read-only (run (c principal)) (to-ascii? (contract-hash? c)))',
  },
  { day: 5, deployer: C, name: 'older', version: 3, source: '(define-public (run) (ok u1))' },
  {
    day: 6,
    deployer: B,
    name: 'clock',
    version: 4,
    source: '(define-read-only (run) { stacks-block-time: stacks-block-time, text: "(to-ascii? 1)" })',
  },
]
/** Contracts by word, by the sources above. */
export const WORD_CONTRACTS: Readonly<Record<string, number>> = {
  'as-contract?': 1,
  'with-stx': 1,
  'current-contract': 1,
  'to-ascii?': 1,
  'contract-hash?': 1,
  'stacks-block-time': 1,
}
/** Contracts by version: who names none on the day of the activation gets the new one. */
export const VERSION_CONTRACTS: Readonly<Record<string, number>> = { '2': 1, '3': 2, '4': 3 }
export const FIRST_ACTIVE_HEIGHT = FIRST_HEIGHT + (ACTIVATION_S - FIRST_S) / BLOCK_S
/** A contract whose block is not in the archive. */
const UNHELD = `${C}.never-made-here`
const EXTENSIONS: readonly TenureChangeCause[] = ['Extended', 'ExtendedReadCount', 'ExtendedRuntime']

type Tx = { sender: string; payload: Payload; runtime: number; reads: number; functions?: readonly object[] }

/** The archive as text: a line a message. */
export function clarityArchive(): string {
  return Array.from({ length: BLOCKS }, (_, index) => JSON.stringify(blockMessage(index)))
    .map((json, index) => `${index + 1}\t2025-11-20 00:00:00+00\t/new_block\t${json}`)
    .join('\n')
    .concat('\n')
}

const hash = (name: string): string => createHash('sha256').update(`clarity chain ${name}`).digest('hex')

function blockMessage(index: number): object {
  const timeS = FIRST_S + index * BLOCK_S
  const burnHeight = 923_222 + Math.floor((timeS - ACTIVATION_S) / 600)
  const transactions = txsOf(index).map(({ sender, payload, runtime, reads, functions }, txIndex) => {
    const raw = encodeTransaction({
      version: 0,
      chainId: CHAIN_IDS.mainnet,
      auth: { type: 'Standard', origin: condition(sender, index * 100 + txIndex), sponsor: null },
      anchorMode: 'any',
      postConditionMode: 'Allow',
      postConditions: [],
      payload,
    })
    return {
      txid: `0x${createHash('sha512-256').update(raw).digest('hex')}`,
      raw_tx: `0x${raw.toString('hex')}`,
      status: 'success',
      tx_index: txIndex,
      raw_result: '0x0703',
      burnchain_op: null,
      contract_abi: functions
        ? { functions, variables: [], maps: [], fungible_tokens: [], non_fungible_tokens: [] }
        : null,
      execution_cost: { runtime, read_count: reads, read_length: 100, write_count: 1, write_length: 10 },
      microblock_hash: null,
      microblock_sequence: null,
      microblock_parent_hash: null,
    }
  })
  const noCost = { runtime: 0, read_count: 0, read_length: 0, write_count: 0, write_length: 0 }
  return {
    block_height: FIRST_HEIGHT + index,
    block_time: timeS,
    block_hash: `0x${hash(`block ${index}`)}`,
    index_block_hash: `0x${hash(`id ${index}`)}`,
    parent_block_hash: `0x${hash(`block ${index - 1}`)}`,
    parent_index_block_hash: `0x${hash(`id ${index - 1}`)}`,
    burn_block_hash: `0x${hash(`burn ${burnHeight}`)}`,
    burn_block_height: burnHeight,
    burn_block_time: timeS,
    parent_burn_block_hash: `0x${hash(`burn ${burnHeight - 12}`)}`,
    parent_burn_block_height: burnHeight - 12,
    parent_burn_block_timestamp: timeS - BLOCK_S,
    miner_txid: `0x${hash(`commit ${index}`)}`,
    parent_microblock: `0x${'00'.repeat(32)}`,
    parent_microblock_sequence: 0,
    tenure_height: 200_000 + index,
    signer_bitvec: '000800000001ff',
    signer_signature: [],
    signer_signature_hash: `0x${hash(`block ${index}`)}`,
    miner_signature: `0x${'01'.repeat(65)}`,
    matured_miner_rewards: [],
    reward_set: null,
    cycle_number: null,
    anchored_cost: noCost,
    confirmed_microblocks_cost: noCost,
    pox_v1_unlock_height: 781_552,
    pox_v2_unlock_height: 787_652,
    pox_v3_unlock_height: 840_361,
    events: [],
    transactions,
  }
}

/** Contracts are made in the last block of their day; each block then calls two of those that are there, and one unheld. */
function txsOf(index: number): Tx[] {
  const day = Math.floor(index / 12)
  const isLast = index % 12 === 11
  const there = MADE_CONTRACTS.filter(made => made.day < day)
  const cause = EXTENSIONS[index % 4]
  const called = there.length === 0 ? [] : [0, 1].map(step => there[(index + step) % there.length]!)
  return [
    { sender: A, payload: tenureChange(index, cause ?? 'BlockFound'), runtime: 0, reads: 0 },
    ...called.map(({ deployer, name }, step) => ({
      sender: [A, B, C][(index + step) % 3]!,
      payload: call(`${deployer}.${name}`),
      runtime: 1_000_000 * (1 + ((index * 7 + step) % 13)),
      reads: 3 + ((index + step) % 9),
    })),
    { sender: C, payload: call(UNHELD), runtime: 5_000_000, reads: 30 },
    ...(isLast ? MADE_CONTRACTS.filter(made => made.day === day) : []).map(made => ({
      sender: made.deployer,
      payload: deployment(made),
      runtime: 10_000,
      reads: 2,
      ...(made.functions && { functions: made.functions }),
    })),
  ]
}

const call = (contract: string): Payload => ({
  kind: 'contract_call',
  contract,
  functionName: 'run',
  args: [],
})

const deployment = ({ name, source, version }: Made): Payload =>
  version === undefined
    ? { kind: 'smart_contract', contractName: name, source }
    : { kind: 'versioned_smart_contract', clarityVersion: version, contractName: name, source }

const tenureChange = (index: number, cause: TenureChangeCause): Payload => ({
  kind: 'tenure_change',
  tenureConsensusHash: hash(`consensus ${index}`).slice(0, 40),
  previousTenureConsensusHash: hash(`consensus ${index - 1}`).slice(0, 40),
  burnViewConsensusHash: hash(`consensus ${index}`).slice(0, 40),
  previousTenureEnd: hash(`id ${index - 1}`),
  previousTenureBlocks: 1,
  cause,
  publicKeyHash: hash('key').slice(0, 40),
})

const condition = (address: string, nonce: number) => ({
  isMultisig: false as const,
  hashMode: 'P2PKH' as const,
  address,
  nonce: BigInt(nonce),
  feeUstx: 3000n,
  isKeyCompressed: true,
  signature: Buffer.alloc(65, 1),
})
