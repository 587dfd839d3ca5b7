import { decimal, parseCsv, scaled } from './csv.ts'
import { RECORDS_OF_STACKS } from './recorded/stacksRecords.ts'
import { lastOfDay, type Recording } from './recording.ts'
import type { SourceDeclaration } from './source.ts'

/** Our own rows of Stacks, from the messages of a node. */
export const stacksChain: SourceDeclaration = {
  id: 'stacks.chain',
  name: 'Stacks blocks',
  url: 'https://docs.stacks.co',
  licence: 'public chain data',
  rank: 0,
  cadenceSeconds: 3600,
  about:
    'Blocks, transactions and events as a Stacks node reports them, decoded here. The bundled ones are messages of main network nodes of 2021 and 2022 from the tests of hirosystems/stacks-blockchain-api (GPL-3.0): the first 47 heights with their competitors, and six single blocks with operations made on Bitcoin. Of genesis one mint of 118,518 was recorded.',
}

export const stxPrices: Recording = {
  id: 'stxusdt.bybit',
  name: 'STX/USDT daily (Bybit, as recorded by jumpotsa/Bybit_Cross_Momentum)',
  url: 'https://github.com/jumpotsa/Bybit_Cross_Momentum',
  licence: 'none stated',
  rank: 20,
  cadenceSeconds: null,
  about:
    'Open, high, low and close by UTC day of one exchange, 2021-12-03 to 2025-11-13, no day missing; the first day is a part of a day.',
  file: 'stx_usdt_bybit_daily.csv',
  entity: 'stacks',
  pair: { asset: 'STX', quote: 'USDT' },
  recordedOn: '2025-11-14',
  *price(text) {
    for (const row of parseCsv(text, ['date', 'open', 'high', 'low', 'close'], this.file)) {
      const close = decimal(row.close, this.file)
      if (close === null || close <= 0) continue
      yield {
        day: row.date,
        open: decimal(row.open, this.file),
        high: decimal(row.high, this.file),
        low: decimal(row.low, this.file),
        close,
      }
    }
  },
}

/** The pool that publishes each of its cycles. */
export const FAST_POOL = 'fast-pool'

export const fastPoolCycles: Recording = {
  id: 'friedger.stacking',
  name: 'Fast Pool by reward cycle (friedger/stacking)',
  url: 'https://github.com/friedger/stacking',
  licence: 'none stated',
  rank: 20,
  cadenceSeconds: null,
  about:
    'Members, stacked STX and payouts of one pool, cycles 3 to 127: Friedger Pool to cycle 55, Fast Pool from 56, one operator. Satoshis that were swapped from cycle 98 on, without 102 and 115. The day is that of the first Bitcoin block of the cycle: by its header where that is recorded, else between the starts of the difficulty epochs around it.',
  file: 'fastpool_cycles.csv',
  entity: FAST_POOL,
  recordedOn: '2026-01-10',
  *observe(text) {
    const columns = [
      'cycle',
      'start_day',
      'members',
      'stacked_ustx',
      'payout_ustx',
      'stacked_for_stx_payout_stx',
      'swapped_sats',
    ] as const
    for (const row of parseCsv(text, columns, this.file)) {
      const day = row.start_day
      const figures = [
        ['pox.cycle', scaled(row.cycle, 0, this.file)],
        ['pox.stackers', scaled(row.members, 0, this.file)],
        ['pox.stacked', scaled(row.stacked_ustx, 0, this.file)],
        ['pox.paid_out', scaled(row.payout_ustx, 0, this.file)],
        ['pox.reward', scaled(row.swapped_sats, 0, this.file)],
        // Some members take their bitcoin as it is: the swapped satoshis were earned by the others.
        ['pox.stacked_for_stx', scaled(row.stacked_for_stx_payout_stx, 6, this.file)],
      ] as const
      for (const [metric, amount] of figures) if (amount !== null) yield { metric, day, amount }
    }
  },
}

/** Cycle 19 of the same list holds a twelfth of the STX of cycle 20, for a reason nobody states: it is left out. */
const COUNTED_CYCLE = '20'

export const stackersCensus: Recording = {
  id: 'stacksgov.sip-012',
  name: 'Stackers of cycle 20 (stacksgov/sips, SIP-012)',
  url: 'https://github.com/stacksgov/sips/tree/main/sips/sip-012',
  licence: 'BSD-2-Clause',
  rank: 20,
  cadenceSeconds: null,
  about:
    'Each stacker with locked STX in reward cycle 20, which began in November 2021: 4,119 of them. The list has cycle 19 too, with a twelfth of the STX; it is left out.',
  file: 'stackers_cycles_19_20.csv',
  entity: 'stacks',
  recordedOn: '2021-11-18',
  *observe(text) {
    const rows = parseCsv(text, ['cycle', 'start_day', 'locked_ustx'], this.file).filter(
      ({ cycle }) => cycle === COUNTED_CYCLE,
    )
    const day = rows[0]?.start_day
    if (day === undefined) return
    const locked = rows.reduce((sum, row) => sum + (scaled(row.locked_ustx, 0, this.file) ?? 0n), 0n)
    yield { metric: 'pox.stacked', day, amount: locked }
    yield { metric: 'pox.stackers', day, amount: BigInt(rows.length) }
  },
}

export const contractsCollected: Recording = {
  id: 'boomcrypto.contracts',
  name: 'Contracts found (boomcrypto/clarity-deployed-contracts)',
  url: 'https://github.com/boomcrypto/clarity-deployed-contracts',
  licence: 'none stated',
  rank: 20,
  cadenceSeconds: null,
  about:
    'All contracts that a collector had found by the end of each of its runs, 2022-01-17 to 2025-11-06: daily in 2022 and 2023, 41 runs in 2024, 3 in 2025. Its own count of 2025-11-07 says 99,363 where the runs add up to 109,482; why is not known.',
  file: 'contracts_deployed_by_update.csv',
  entity: 'stacks',
  recordedOn: '2025-11-07',
  *observe(text) {
    const rows = parseCsv(text, ['collected_utc', 'contracts_total'], this.file)
    for (const row of lastOfDay(rows.map(row => ({ ...row, at: row.collected_utc })))) {
      const amount = scaled(row.contracts_total, 0, this.file)
      if (amount !== null) yield { metric: 'contracts.known', day: row.at.slice(0, 10), amount }
    }
  },
}

export const unlockSchedule: Recording = {
  id: 'zone117x.stx-supply',
  name: 'Unlock schedule of STX as of 2020 (zone117x/stx-supply-schedule)',
  url: 'https://github.com/zone117x/stx-supply-schedule',
  licence: 'none stated',
  rank: 20,
  cadenceSeconds: null,
  about:
    'Unlocked STX by Bitcoin height as planned before the launch, October 2020 to 2025, on the days that were expected of these heights then. A plan, no observation.',
  file: 'stx_unlock_schedule_2020_2025.csv',
  entity: 'stacks',
  recordedOn: '2020-10-26',
  *observe(text) {
    const rows = parseCsv(text, ['unlocked_ustx', 'estimated_time_utc'], this.file)
    for (const row of lastOfDay(rows.map(row => ({ ...row, at: row.estimated_time_utc })))) {
      const amount = scaled(row.unlocked_ustx, 0, this.file)
      if (amount !== null) yield { metric: 'supply.planned', day: row.at.slice(0, 10), amount }
    }
  },
}

export const arkadikoVaults: Recording = {
  id: 'arkadiko.vaults',
  name: 'Vaults of Arkadiko by reward cycle (arkadiko-dao/arkadiko)',
  url: 'https://github.com/arkadiko-dao/arkadiko',
  licence: 'GPL-3.0',
  rank: 20,
  cadenceSeconds: null,
  about:
    'Totals over the vaults of Arkadiko’s first contracts at its own snapshot of a reward cycle, summed from its lists: cycles 20 to 79, without 57 to 59. The day is that of the first Bitcoin block of the cycle.',
  file: 'arkadiko_vaults_by_cycle.csv',
  entity: 'arkadiko',
  // No day is stated: that on which its last cycle ended.
  recordedOn: '2024-03-11',
  *observe(text) {
    const columns = [
      'start_day',
      'vaults',
      'collateral_stx_ustx',
      'collateral_xstx_ustx',
      'debt_uusda',
      'stacked_ustx',
      'owners',
    ] as const
    for (const row of parseCsv(text, columns, this.file)) {
      const day = row.start_day
      const figures = [
        { metric: 'cdp.collateral', key: 'STX', amount: scaled(row.collateral_stx_ustx, 0, this.file) },
        { metric: 'cdp.collateral', key: 'xSTX', amount: scaled(row.collateral_xstx_ustx, 0, this.file) },
        { metric: 'cdp.debt', key: 'USDA', amount: scaled(row.debt_uusda, 0, this.file) },
        { metric: 'cdp.vaults', amount: scaled(row.vaults, 0, this.file) },
        { metric: 'cdp.owners', amount: scaled(row.owners, 0, this.file) },
        { metric: 'cdp.stacked', amount: scaled(row.stacked_ustx, 0, this.file) },
      ]
      for (const { amount, ...figure } of figures) if (amount !== null) yield { ...figure, day, amount }
    }
  },
}

export const STACKS_RECORDINGS: readonly Recording[] = [
  stxPrices,
  fastPoolCycles,
  stackersCensus,
  contractsCollected,
  unlockSchedule,
  arkadikoVaults,
  ...RECORDS_OF_STACKS,
]
