import { SBTC_DEPLOYERS } from '#kernel/stacks.ts'
import { COIN, DAY_S, type MadeTx } from '../madeChain.testing.ts'
import { hashOfName, type MadeStacksBlock, moved, printOf } from '../madeStacks.testing.ts'

const REGISTRY = `${SBTC_DEPLOYERS.mainnet}.sbtc-registry`
const TOKEN = `${SBTC_DEPLOYERS.mainnet}.sbtc-token::sbtc-token`
const LOCKED = `${TOKEN}-locked`
export const POX5 = 'SP000000000000000000002Q6VF78.pox-5'
export const ALICE = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
export const FROM_HEIGHT = 962_200
const START = Date.UTC(2026, 7, 12) / 1000
export const FEE = 1000n

const coinbase = (n: number): MadeTx => ({
  name: `coinbase ${n}`,
  outputs: [{ to: `miner ${n}`, sat: 50n * COIN }],
})

const pay = (name: string, from: string, to: string, sat: bigint): MadeTx => ({
  name,
  spends: [[from, 0]],
  outputs: [{ to, sat }],
})

/** Four blocks a day: deposits of a user and of a miner, a sweep that takes them in, one that pays a withdrawal, a forged one. */
export const BITCOIN = [
  [coinbase(0)],
  [coinbase(1)],
  [coinbase(2)],
  [
    coinbase(3),
    pay('donation', 'coinbase 0', 'signers', 10_000n),
    pay('user', 'coinbase 1', 'deposit', 7n * COIN),
    pay('commit', 'coinbase 2', 'deposit of a miner', 2n * COIN),
  ],
  [
    coinbase(4),
    {
      name: 'sweep 1',
      spends: [
        ['donation', 0],
        ['user', 0],
        ['commit', 0],
      ],
      outputs: [
        { to: 'signers', sat: 10_000n + 9n * COIN - 2n * FEE },
        { to: '', sat: 0n, isOpReturn: true },
      ],
    } satisfies MadeTx,
  ],
  [coinbase(5)],
  [coinbase(6)],
  [coinbase(7)],
  [
    coinbase(8),
    {
      name: 'sweep 2',
      spends: [['sweep 1', 0]],
      outputs: [
        { to: 'signers', sat: 10_000n + 8n * COIN - 2n * FEE - FEE },
        { to: '', sat: 0n, isOpReturn: true },
        { to: 'leaver', sat: COIN },
      ],
    } satisfies MadeTx,
    {
      name: 'forged',
      spends: [['coinbase 3', 0]],
      outputs: [
        { to: 'thief', sat: 40n * COIN },
        { to: '', sat: 0n, isOpReturn: true },
      ],
    } satisfies MadeTx,
  ],
  [coinbase(9)],
  [coinbase(10)],
  [coinbase(11)],
].map((txs, n) => ({ timeS: START + (n * DAY_S) / 4, txs }))

const timeOf = (n: number, afterS = 600): number => START + (n * DAY_S) / 4 + afterS

export const deposit = (name: string, amount: bigint, to: string, sweep: string, burnHeight: number) => [
  moved({ asset: TOKEN, to, amount }),
  printOf(REGISTRY, {
    topic: 'completed-deposit',
    'bitcoin-txid': name,
    'output-index': 0n,
    amount,
    'burn-hash': hashOfName(`burn ${burnHeight}`),
    'burn-height': BigInt(burnHeight),
    'sweep-txid': sweep,
  }),
]

const asked = (id: bigint, amount: bigint, maxFee: bigint, burnHeight: number) => [
  moved({ asset: TOKEN, from: ALICE, amount: amount + maxFee }),
  moved({ asset: LOCKED, to: ALICE, amount: amount + maxFee }),
  printOf(REGISTRY, {
    topic: 'withdrawal-create',
    amount,
    'request-id': id,
    sender: `'${ALICE}`,
    recipient: { version: '0x00', hashbytes: `0x${hashOfName('leaver').slice(2, 42)}` },
    'block-height': BigInt(burnHeight),
    'max-fee': maxFee,
  }),
]

export const STACKS: MadeStacksBlock[] = [
  {
    height: 1,
    timeS: timeOf(0),
    burnHeight: FROM_HEIGHT,
    contracts: [`${SBTC_DEPLOYERS.mainnet}.sbtc-token`],
  },
  { height: 2, timeS: timeOf(3), burnHeight: FROM_HEIGHT + 3 },
  {
    height: 3,
    timeS: timeOf(5),
    burnHeight: FROM_HEIGHT + 5,
    txs: [
      {
        name: 'mint',
        events: [
          ...deposit(hashOfName('user'), 7n * COIN - FEE, ALICE, hashOfName('sweep 1'), FROM_HEIGHT + 4),
          ...deposit(hashOfName('commit'), 2n * COIN - FEE, POX5, hashOfName('sweep 1'), FROM_HEIGHT + 4),
          // A contract of the same name that is not the signers’.
          printOf(`${ALICE}.sbtc-registry`, {
            topic: 'completed-deposit',
            amount: 999n * COIN,
            'output-index': 0n,
          }),
        ],
      },
    ],
  },
  {
    height: 4,
    timeS: timeOf(6),
    burnHeight: FROM_HEIGHT + 6,
    txs: [
      {
        name: 'ask',
        events: [...asked(1n, COIN, 3n * FEE, FROM_HEIGHT + 6), ...asked(2n, 5n * FEE, FEE, FROM_HEIGHT + 6)],
      },
      { name: 'ask again', events: asked(3n, 11n, 1n, FROM_HEIGHT + 6) },
    ],
  },
  {
    height: 5,
    timeS: timeOf(9),
    burnHeight: FROM_HEIGHT + 9,
    txs: [
      {
        name: 'settle',
        events: [
          moved({ asset: LOCKED, from: ALICE, amount: COIN + 3n * FEE }),
          moved({ asset: TOKEN, to: ALICE, amount: 2n * FEE }),
          printOf(REGISTRY, {
            topic: 'withdrawal-accept',
            'request-id': 1n,
            'bitcoin-txid': hashOfName('sweep 2'),
            'signer-bitmap': 5n,
            'output-index': 2n,
            fee: FEE,
            'burn-hash': hashOfName('burn'),
            'burn-height': BigInt(FROM_HEIGHT + 8),
            'sweep-txid': hashOfName('sweep 2'),
          }),
          moved({ asset: LOCKED, from: ALICE, amount: 6n * FEE }),
          moved({ asset: TOKEN, to: ALICE, amount: 6n * FEE }),
          printOf(REGISTRY, {
            topic: 'withdrawal-reject',
            'request-id': 2n,
            'signer-bitmap': 2n ** 128n - 1n,
          }),
        ],
      },
    ],
  },
  { height: 6, timeS: timeOf(11, 21_000), burnHeight: FROM_HEIGHT + 11 },
]
