import { z } from 'zod'
import { scaled } from '../csv.ts'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'

/** Whole STX with six digits behind the point. */
const Stx = z.string().regex(/^\d+(\.\d{1,6})?$/, 'must be a decimal number')
const Supply = z.object({ unlocked_stx: Stx })
/** The form of the time before; its documentation still has it. */
const Legacy = z.object({ unlockedSupply: Stx })

const LEGACY = '/legacy_format'

/** What the public API says of the supply now. */
export const stacksSupply: LiveSource = {
  id: 'stacks.supply',
  name: 'Stacks API: supply',
  url: 'https://docs.hiro.so',
  licence: 'public chain data',
  rank: 19,
  cadenceSeconds: 3600,
  requestsPerMinute: 30,
  about:
    'STX that are unlocked at the newest block of the public API: the genesis allocation as far as it is free, rewards that have matured, mints less burns.',
  requests: ({ layers }) =>
    layers.some(({ slug }) => slug === 'stacks')
      ? [
          {
            about: 'stacks',
            url: 'https://api.hiro.so/extended/v1/stx_supply',
            otherwise: [`https://api.hiro.so/extended/v1/stx_supply${LEGACY}`],
          },
        ]
      : [],
  read: ({ about, url }, json, { seenAt }) => {
    const what = 'Supply of STX'
    const stx = url.endsWith(LEGACY)
      ? shaped(Legacy, json, what).unlockedSupply
      : shaped(Supply, json, what).unlocked_stx
    const amount = scaled(stx, 6, what)
    return {
      observations:
        amount === null ? [] : [{ metric: 'supply.liquid', entity: about, day: dayOf(seenAt), amount }],
      prices: [],
    }
  },
}
