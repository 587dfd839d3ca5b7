import { COIN, DAY_S } from '../madeChain.testing.ts'
import { hashOfName, type MadeStacksBlock, type Printable, printOf } from '../madeStacks.testing.ts'

/**
 * No event of PoX-5 was recorded: these are made from the topics and fields of the published contract. Heights, cycles and
 * amounts are so that each figure can be worked out by hand.
 */
const POX5 = 'SP000000000000000000002Q6VF78.pox-5'

export const ALICE = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
export const BOB = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE'
const SIGNER = `${ALICE}.signer`
const CYCLE = 141
const START_HEIGHT = 666_050 + 2100 * CYCLE
const START = Date.UTC(2026, 7, 11) / 1000
export const at = (day: number): number => START + day * DAY_S + 3600

const prints = (
  height: number,
  day: number,
  burnHeight: number,
  ...values: Printable[]
): MadeStacksBlock => ({
  height,
  timeS: at(day),
  burnHeight,
  txs: values.map((value, i) => ({ name: `tx ${height} ${i}`, events: [printOf(POX5, value)] })),
})

const register = (staker: string, sats: bigint, isL1: boolean): Printable => ({
  topic: 'register-for-bond',
  signer: `'${SIGNER}`,
  staker: `'${staker}`,
  'amount-ustx': 5_000_000_000n,
  'sats-total': sats,
  'bond-index': 0n,
  'first-reward-cycle': 141n,
  'unlock-burn-height': BigInt(START_HEIGHT + 400),
  'unlock-cycle': 153n,
  'is-l1-lock': isL1,
  'btc-lockup': {
    type: isL1 ? 'l1' : 'l2',
    txs: isL1 ? [{ txid: hashOfName('lock'), 'output-index': 1n }] : null,
  },
})

const calculation = (stakers: bigint, reserve: bigint): Printable => ({
  topic: 'calculate-rewards',
  'bond-periods': [0n],
  'calculation-height': BigInt(START_HEIGHT + 200),
  'gross-accrued-rewards': 10_000n + stakers + reserve,
  'total-bond-rewards': 10_000n,
  'reserve-deposit': reserve,
  'reserve-balance': reserve,
  'stx-cycle': BigInt(CYCLE),
  'total-stx-staker-rewards': stakers,
  'cycle-staked-ustx': 2_000_000_000_000n,
  'accrued-rewards-per-ustx': 2n ** 100n,
  'cumulative-rewards-per-ustx': 2n ** 101n,
})

export const distribution = (rewards: bigint): Printable => ({
  topic: 'bond-distribution',
  'bond-index': 0n,
  'target-yield': 10_000n,
  'bond-rewards': rewards,
  'bond-staked-sats': 10n * COIN,
  'accrued-rewards-per-sat': 1n,
  'cumulative-rewards-per-sat': 1n,
})

export const BLOCKS: MadeStacksBlock[] = [
  { height: 1, timeS: at(0), burnHeight: 960_230 },
  prints(
    2,
    0,
    START_HEIGHT - 1,
    {
      topic: 'setup-bond',
      'bond-index': 0n,
      'target-rate': 300n,
      'stx-value-ratio': 150_000n,
      'min-ustx-ratio': 500n,
      'early-unlock-bytes': '0x51',
      'first-reward-cycle': 141n,
      'bond-start-height': BigInt(START_HEIGHT),
      'unlock-cycle': 153n,
      'unlock-burn-height': BigInt(START_HEIGHT + 400),
    },
    { topic: 'add-to-allowlist', staker: `'${ALICE}`, 'max-sats': 8n * COIN, 'bond-index': 0n },
    register(ALICE, 8n * COIN, true),
    register(BOB, 2n * COIN, false),
    { topic: 'register-signer', signer: `'${SIGNER}`, 'signer-key': `0x02${'11'.repeat(32)}` },
    {
      topic: 'grant-signer-key',
      'signer-key': `0x02${'11'.repeat(32)}`,
      'signer-manager': `'${SIGNER}`,
      'auth-id': 2n ** 127n,
    },
    {
      topic: 'stake',
      signer: `'${SIGNER}`,
      staker: `'${BOB}`,
      'amount-ustx': 2_000_000_000_000n,
      'num-cycles': 2n,
      'first-reward-cycle': 141n,
      'unlock-burn-height': BigInt(START_HEIGHT + 4200),
      'unlock-cycle': 143n,
    },
  ),
  prints(3, 1, START_HEIGHT + 100, calculation(5000n, 900n), distribution(6000n)),
  prints(
    4,
    2,
    START_HEIGHT + 250,
    {
      topic: 'unstake-sbtc',
      staker: `'${BOB}`,
      signer: `'${SIGNER}`,
      'bond-index': 0n,
      'amount-withdrawn-sats': COIN,
      'new-amount-sats': COIN,
    },
    calculation(7000n, 100n),
    distribution(6000n),
    {
      topic: 'claim-rewards',
      'reward-cycle': BigInt(CYCLE),
      'signer-manager': `'${SIGNER}`,
      'stx-rewards': { earned: 12_000n, 'rewards-per-token': 6n },
      'bond-rewards': [{ earned: 12_000n, 'bond-index': 0n, 'rewards-per-token': 1n }],
      'bond-totals': 12_000n,
      'total-rewards': 24_000n,
    },
    {
      topic: 'claim-staker-rewards-for-signer',
      'signer-manager': `'${SIGNER}`,
      staker: `'${BOB}`,
      'reward-cycle': BigInt(CYCLE),
      'bond-index': null,
      'rewards-claimed': 12_000n,
    },
    { topic: 'pause-rewards' },
  ),
  prints(
    5,
    3,
    START_HEIGHT + 300,
    {
      topic: 'announce-l1-early-exit',
      staker: `'${ALICE}`,
      signer: `'${SIGNER}`,
      'bond-index': 0n,
      'amount-sats-released': 3n * COIN,
    },
    { topic: 'set-bond-admin', 'old-admin': `'${ALICE}`, 'new-admin': `'${BOB}` },
  ),
  { height: 6, timeS: at(4), burnHeight: START_HEIGHT + 450 },
  { height: 7, timeS: at(14), burnHeight: START_HEIGHT + 2100 },
]
