import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Count } from './shapes.ts'

/** Of the main network alone; fields for votes against PoX are null since PoX-4 and are not read. */
const Pox = z.object({
  contract_id: z
    .string()
    .regex(/^SP000000000000000000002Q6VF78\.pox(-\d+)?$/, 'must be PoX of the main network'),
  total_liquid_supply_ustx: z.unknown(),
  current_cycle: z.unknown(),
})
const Cycle = z.object({ stacked_ustx: Count })

/** What a node says of stacking now. */
export const stacksPox: LiveSource = {
  id: 'stacks.pox',
  name: 'Stacks node: PoX',
  url: 'https://docs.stacks.co',
  licence: 'public chain data',
  rank: 18,
  cadenceSeconds: 3600,
  requestsPerMinute: 30,
  about:
    'STX stacked in the reward cycle that runs, and STX in being, as the node of the public API counts them at the moment of the answer. The same figure stands on every day of a cycle.',
  requests: ({ layers }) =>
    layers.some(({ slug }) => slug === 'stacks')
      ? [
          {
            about: 'stacks',
            url: 'https://api.hiro.so/v2/pox',
            otherwise: ['https://api.mainnet.hiro.so/v2/pox'],
          },
        ]
      : [],
  read: ({ about }, json, { seenAt }) => {
    const pox = shaped(Pox, json, 'PoX')
    const parts = createParts('PoX')
    const stacked = parts.read(Cycle, pox.current_cycle, 'current_cycle')?.stacked_ustx
    const liquid = parts.read(Count, pox.total_liquid_supply_ustx, 'total_liquid_supply_ustx')
    const figure = (metric: string, ustx: number | undefined): EntityFigure[] =>
      ustx === undefined ? [] : [{ entity: about, day: dayOf(seenAt), metric, amount: BigInt(ustx) }]
    const observations = [...figure('pox.stacked', stacked), ...figure('supply.liquid', liquid)]
    return parts.answer({ observations, prices: [] })
  },
}
