import { parseCsv, scaled } from '../csv.ts'
import type { Recording } from '../recording.ts'

/** The account of the SIP-031 endowment, and the accounts that it has funded. */
export const ENDOWMENT = 'SM1Z6BP8PDKYKXTZXXSKXFEY6NQ7RAM7DAEAYR045'

export const endowment: Recording = {
  id: 'friedger.stack-flow',
  name: 'Transactions of the SIP-031 endowment (friedger/stack-flow-graph)',
  url: 'https://github.com/friedger/stack-flow-graph',
  licence: 'none stated',
  rank: 20,
  cadenceSeconds: null,
  about:
    'Movements at the endowment’s address and at eight accounts that it funded, 2025-05-13 to 2025-11-25: 404 rows of 311 transactions, in `sip031_flows`. Times are those of the Bitcoin block; symbols are as the list writes them, and tokens that nobody asked for are in it.',
  file: 'sip031_endowment_transactions.csv',
  entity: 'stacks',
  recordedOn: '2025-11-25',
  *observe(text) {
    const columns = [
      'time_utc',
      'account',
      'in_symbol',
      'in_base_units',
      'out_symbol',
      'out_base_units',
      'recipient',
    ] as const
    const rows = parseCsv(text, columns, this.file)
    const own = new Set(rows.map(({ account }) => account))
    const flows = new Map<string, { in: bigint; internal: bigint; external: bigint }>()
    for (const row of rows.filter(({ account }) => account === ENDOWMENT)) {
      const day = row.time_utc.slice(0, 10)
      const flow = flows.get(day) ?? { in: 0n, internal: 0n, external: 0n }
      if (row.in_symbol === 'STX') flow.in += scaled(row.in_base_units, 0, this.file) ?? 0n
      if (row.out_symbol === 'STX')
        flow[own.has(row.recipient) ? 'internal' : 'external'] +=
          scaled(row.out_base_units, 0, this.file) ?? 0n
      flows.set(day, flow)
    }
    for (const [day, flow] of flows) {
      yield { metric: 'sip031.inflow', day, amount: flow.in }
      yield { metric: 'sip031.outflow_internal', day, amount: flow.internal }
      yield { metric: 'sip031.outflow_external', day, amount: flow.external }
    }
  },
}

/** Recordings of single events and holders have no figures of days: their rows are tables of their own. */
const noFigures = { rank: 20, cadenceSeconds: null } as const

export const sipBallots: Recording = {
  ...noFigures,
  id: 'stacksgov.ballots',
  name: 'Ballots on SIP-021, SIP-025 and SIP-027 (stacksgov/sips)',
  url: 'https://github.com/stacksgov/sips',
  licence: 'BSD-2-Clause',
  about:
    '2,951 ballots of stackers and holders on SIP-021 and SIP-027 with what each weighs, and those of 20 signers on SIP-025, in `sip_votes`. 39 voters have several ballots in a lane. Of later votes no ballot is listed.',
  file: 'sip-ballots.csv',
  recordedOn: '2026-07-22',
}

export const sipTotals: Recording = {
  ...noFigures,
  id: 'stacksgov.totals',
  name: 'Stated totals of the votes on SIP-021, 027, 031 and 033 (stacksgov/sips)',
  url: 'https://github.com/stacksgov/sips',
  licence: 'BSD-2-Clause',
  about:
    'Whole STX in favor and against, by lane, as the texts of the proposals state them, in `sip_results`. The total that SIP-031 states is 503 STX less than its two sides, that of SIP-027 16 STX less than its lanes. The closing day is that of the Bitcoin block: by its header where that is recorded, else between the starts of the difficulty epochs around it.',
  file: 'sip-results.csv',
  recordedOn: '2026-07-22',
}

export const fastPoolMembers: Recording = {
  ...noFigures,
  id: 'friedger.members',
  name: 'Members of Fast Pool by reward cycle (friedger/stacking)',
  url: 'https://github.com/friedger/stacking',
  licence: 'none stated',
  about:
    'What each of 6,992 members had stacked with one pool, cycles 3 to 127, in `pool_members`: 135,898 entries written as runs of cycles with the same amount. They add up to what the pool states, but for cycles 99 to 101, in which it had two pools.',
  file: 'fastpool-members.csv',
  recordedOn: '2026-01-10',
}

export const signerManagerCensus: Recording = {
  ...noFigures,
  id: 'stx-labs.signer-managers',
  name: 'Signer managers of PoX-5 on 2026-08-13 (stx-labs/signer-sidekick)',
  url: 'https://github.com/stx-labs/signer-sidekick',
  licence: 'GPL-3.0',
  about:
    'The 47 contracts with the trait of a signer manager at Stacks block 8,755,381, their state and key, in `pox5_signer_managers`. No stakes are in it; managers without the trait are missing.',
  file: 'pox5_signer_managers_2026-08-13.csv',
  recordedOn: '2026-08-13',
}

export const cityCoins: Recording = {
  ...noFigures,
  id: 'citycoins.miners',
  name: 'Miners of CityCoins on 2022-08-23 (citycoins/governance)',
  url: 'https://github.com/citycoins/governance',
  licence: 'none stated',
  about:
    'What each address had committed, claimed and stacked of MiamiCoin and NewYorkCityCoin, version 2, in `citycoin_miners`: 571 and 706 addresses on one day.',
  file: 'citycoins_v2_miners_2022-08.csv',
  recordedOn: '2022-08-23',
}

export const RECORDS_OF_STACKS: readonly Recording[] = [
  endowment,
  sipBallots,
  sipTotals,
  fastPoolMembers,
  signerManagerCensus,
  cityCoins,
]
