import { figuresSql } from '../figuresSql.ts'
import { metric } from '../metric.ts'
import { fromStacks, perStacksDay, recordedOfStacks, sip } from './common.ts'

export const supplyEmitted = metric({
  ...fromStacks,
  id: 'supply.emitted',
  name: 'New STX',
  unit: 'uSTX',
  definition: 'STX that came into being on the UTC day by matured coinbases.',
  why: 'The pace at which miners’ rewards add to the supply.',
  how: 'Sum of the coinbases paid out, 100 Bitcoin blocks after their tenure; fees move and do not mint.',
  misleads:
    'Coinbases above 1,000 STX in the first 10,000 blocks are correct: they distribute those of Bitcoin blocks before the launch. Excludes contract mints (SIP-031).',
  ...figuresSql({
    metric: 'supply.emitted',
    type: 'Int64',
    chain: perStacksDay({ value: 'h.coinbase_ustx', needs: ['miner_rewards'] }),
  }),
  aggregate: 'sum',
  references: [
    sip(1, 'Burn election'),
    sip(29, 'Bootstrapping sBTC liquidity and Nakamoto signer incentives'),
  ],
})

export const supplyPlanned = metric({
  ...recordedOfStacks,
  id: 'supply.planned',
  name: 'Unlocked STX, as planned in 2020',
  unit: 'uSTX',
  definition: 'STX that the schedule of 2020 expected to be unlocked by then.',
  why: 'The announced schedule, to compare with actual supply.',
  how: 'The schedule’s own rows, on the days that it expected of their Bitcoin heights.',
  misleads: 'A plan and no observation: heights came on other days, and emission was changed since.',
  ...figuresSql({ metric: 'supply.planned', type: 'Int64', outside: ['zone117x.stx-supply'] }),
  needs: 'Comes with the bundled snapshot.',
  sources: ['zone117x.stx-supply'],
  since: { day: '2020-10-21' },
  references: [
    { title: 'zone117x/stx-supply-schedule', url: 'https://github.com/zone117x/stx-supply-schedule' },
  ],
})
