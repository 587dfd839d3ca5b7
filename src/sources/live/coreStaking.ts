import { z } from 'zod'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { WholeText } from './shapes.ts'

const Summary = z.object({ data: z.object({ stakedBTCAmount: WholeText }) })

/** Bitcoin staked with validators of Core. */
export const coreStaking: LiveSource = {
  id: 'core.staking',
  name: 'Core: staking summary',
  url: 'https://stake.coredao.org',
  licence: 'none stated',
  rank: 10,
  cadenceSeconds: 3600,
  requestsPerMinute: 10,
  about:
    'Bitcoin in time locks that Core counts as delegated to its validators, at the moment of the answer.',
  requests: ({ layers }) =>
    layers.some(({ slug }) => slug === 'core')
      ? [{ about: 'core', url: 'https://staking-api.coredao.org/staking/summary/overall' }]
      : [],
  read: ({ about }, json, { seenAt }) => {
    const { stakedBTCAmount } = shaped(Summary, json, 'Staking on Core').data
    return {
      observations: [{ metric: 'stake.btc', entity: about, day: dayOf(seenAt), amount: stakedBTCAmount }],
      prices: [],
    }
  },
}
