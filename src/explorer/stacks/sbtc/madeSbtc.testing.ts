import { SBTC_DEPLOYERS } from '#kernel/stacks.ts'
import { COIN, type MadeTx } from '#metrics/madeChain.testing.ts'
import {
  hashOfName,
  type MadeStacksBlock,
  moved,
  type Printable,
  printOf,
} from '#metrics/madeStacks.testing.ts'

/** A small sBTC: who deposits, pays and withdraws, so that each satoshi can be followed by hand. */

export const ALICE = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
export const BOB = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'
export const CAROL = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE'
export const DAVE = 'SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9'
export const POOL = `${DAVE}.pool`
export const FROM_HEIGHT = 962_200
export const START = Date.UTC(2026, 7, 12) / 1000
export const BLOCK_S = 600

const REGISTRY = `${SBTC_DEPLOYERS.mainnet}.sbtc-registry`
const TOKEN = `${SBTC_DEPLOYERS.mainnet}.sbtc-token::sbtc-token`
const LOCKED = `${TOKEN}-locked`
const KEYS = 14n

export const pay = (from: string, to: string, amount: bigint) => moved({ asset: TOKEN, from, to, amount })
const bare = (name: string) => hashOfName(name)
const print = (value: Printable) => printOf(REGISTRY, value)

const deposit = (name: string, amount: bigint, to: string) => [
  moved({ asset: TOKEN, to, amount }),
  print({
    topic: 'completed-deposit',
    'bitcoin-txid': bare(name),
    'output-index': 0n,
    amount,
    'burn-hash': bare('burn of the sweep'),
    'burn-height': BigInt(FROM_HEIGHT + 2),
    'sweep-txid': bare('sweep 1'),
  }),
]
const asked = (id: bigint, who: string, amount: bigint, maxFee: bigint, burnHeight: number) => [
  moved({ asset: TOKEN, from: who, amount: amount + maxFee }),
  moved({ asset: LOCKED, to: who, amount: amount + maxFee }),
  print({
    topic: 'withdrawal-create',
    amount,
    'request-id': id,
    sender: `'${who}`,
    recipient: { version: '0x00', hashbytes: `0x${bare('leaver').slice(2, 42)}` },
    'block-height': BigInt(burnHeight),
    'max-fee': maxFee,
  }),
]

const at = (n: number) => ({ height: n, timeS: START + n * BLOCK_S + 60, burnHeight: FROM_HEIGHT + n })

/** Blocks to the point where both sides of a fork still agree. */
export const STACKS_BEFORE: MadeStacksBlock[] = [
  {
    ...at(1),
    contracts: [`${SBTC_DEPLOYERS.mainnet}.sbtc-token`],
    txs: [
      {
        name: 'keys',
        events: [
          print({
            topic: 'key-rotation',
            'new-address': `'${SBTC_DEPLOYERS.mainnet}`,
            'new-aggregate-pubkey': `0x02${'11'.repeat(32)}`,
            'new-signature-threshold': 10n,
            'new-keys': Array.from({ length: Number(KEYS) }, (_, n) => `0x02${String(n).padStart(64, '0')}`),
          }),
        ],
      },
    ],
  },
  { ...at(2) },
  {
    ...at(3),
    txs: [{ name: 'mint', events: [...deposit('of bob', 500n, BOB), ...deposit('of alice', 1000n, ALICE)] }],
  },
  { ...at(4), txs: [{ name: 'alice pays bob', events: [pay(ALICE, BOB, 400n)] }] },
  { ...at(5), txs: [{ name: 'bob pays carol', events: [pay(BOB, CAROL, 600n)] }] },
  { ...at(6), txs: [{ name: 'alice to the pool', events: [pay(ALICE, POOL, 250n)] }] },
]

export const STACKS_AFTER: MadeStacksBlock[] = [
  { ...at(7), txs: [{ name: 'carol asks', events: asked(1n, CAROL, 500n, 80n, FROM_HEIGHT + 7) }] },
  { ...at(8), txs: [{ name: 'bob asks', events: asked(2n, BOB, 200n, 20n, FROM_HEIGHT + 8) }] },
  {
    ...at(10),
    height: 9,
    txs: [
      {
        name: 'settle',
        events: [
          moved({ asset: LOCKED, from: CAROL, amount: 580n }),
          moved({ asset: TOKEN, to: CAROL, amount: 30n }),
          print({
            topic: 'withdrawal-accept',
            'request-id': 1n,
            'bitcoin-txid': bare('sweep 2'),
            'signer-bitmap': 5n,
            'output-index': 2n,
            fee: 50n,
            'burn-hash': bare('burn'),
            'burn-height': BigInt(FROM_HEIGHT + 9),
            'sweep-txid': bare('sweep 2'),
          }),
          moved({ asset: LOCKED, from: BOB, amount: 220n }),
          moved({ asset: TOKEN, to: BOB, amount: 220n }),
          print({ topic: 'withdrawal-reject', 'request-id': 2n, 'signer-bitmap': 0n }),
        ],
      },
    ],
  },
  {
    ...at(11),
    height: 10,
    txs: [
      { name: 'alice asks', events: asked(3n, ALICE, 300n, 10n, FROM_HEIGHT + 11) },
      { name: 'pool pays', events: [pay(POOL, DAVE, 100n)] },
    ],
  },
]

/** The side that loses: Alice pays all away, and nobody withdraws. */
export const STACKS_LOST: MadeStacksBlock[] = [
  { ...at(7), txs: [{ name: 'alice pays dave', events: [pay(ALICE, DAVE, 350n)] }] },
  { ...at(8), txs: [{ name: 'carol pays dave', events: [pay(CAROL, DAVE, 600n)] }] },
]

const coinbase = (n: number): MadeTx => ({
  name: `coinbase ${n}`,
  outputs: [{ to: `miner ${n}`, sat: 50n * COIN }],
})
const paid = (name: string, from: string, sat: bigint): MadeTx => ({
  name,
  spends: [[from, 0]],
  outputs: [{ to: 'deposit', sat }],
})

/** Deposits in block 1, their sweep in block 2, one more swept in block 8 that nobody mints, a withdrawal paid in block 9. */
export const BITCOIN = [
  [coinbase(0)],
  [coinbase(1), paid('of bob', 'coinbase 0', 510n), paid('of alice', 'coinbase 1', 1030n)],
  [
    coinbase(2),
    {
      name: 'sweep 1',
      spends: [
        ['of bob', 0],
        ['of alice', 0],
      ],
      outputs: [
        { to: 'signers', sat: 1500n },
        { to: '', sat: 0n, isOpReturn: true },
      ],
    } satisfies MadeTx,
  ],
  [coinbase(3)],
  [coinbase(4)],
  [coinbase(5)],
  [coinbase(6), paid('of dave', 'coinbase 3', 700n)],
  [coinbase(7)],
  [coinbase(8)],
  [
    coinbase(9),
    {
      name: 'sweep 2',
      spends: [
        ['sweep 1', 0],
        ['of dave', 0],
      ],
      outputs: [
        { to: 'signers', sat: 1600n },
        { to: '', sat: 0n, isOpReturn: true },
        { to: 'leaver', sat: 500n },
      ],
    } satisfies MadeTx,
  ],
  [coinbase(10)],
  [coinbase(11)],
].map((txs, n) => ({ timeS: START + n * BLOCK_S, txs }))

/** Sweeps as the codec of Bitcoin marks them. */
export const PEG_OPS = [
  { name: 'sweep 1', block: 2 },
  { name: 'sweep 2', block: 9 },
].map(({ name, block }) => ({
  batch: 1,
  height: FROM_HEIGHT + block,
  blockTime: START + block * BLOCK_S,
  txIndex: 1,
  txid: Buffer.from(bare(name).slice(2), 'hex'),
  vout: 1,
  op: 'stacks.peg' as const,
  valueSat: 0n,
  detailsJson: '{}',
  rule: 'made',
}))

export const idOf = (name: string): string => bare(name).slice(2)
