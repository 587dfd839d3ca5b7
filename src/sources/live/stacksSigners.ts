import { z } from 'zod'
import type { LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Count, Seconds } from './shapes.ts'

/** What its signers answered to a block; null where the service did not see them. */
const SignerData = z.object({
  accepted_weight: Count,
  rejected_weight: Count,
  missing_weight: Count,
  average_response_time_ms: z.number().nonnegative(),
})
const Blocks = z.object({
  results: z.array(z.object({ block_time: Seconds, signer_data: SignerData.nullable() })).min(1),
})

const BLOCKS = 50

/** How signers answer to blocks, as a service hears it that listens to their messages: beside what headers tell. */
export const stacksSigners: LiveSource = {
  id: 'stacks.signers',
  name: 'Stacks API: signer metrics',
  url: 'https://docs.hiro.so/signer-metrics-api',
  licence: 'public chain data',
  rank: 19,
  cadenceSeconds: 3600,
  requestsPerMinute: 30,
  about: `Over the newest ${BLOCKS} blocks of Stacks: the weight that accepted them, late answers among it, the weight that refused them, and how long signers took to answer. It listens to the messages of signers, of which the chain keeps the accepted ones of each header alone.`,
  mayBeEmpty: true,
  requests: ({ layers }) =>
    layers.some(({ slug }) => slug === 'stacks')
      ? [{ about: 'stacks', url: `https://api.hiro.so/signer-metrics/v1/blocks?limit=${BLOCKS}` }]
      : [],
  read: ({ about: entity }, json) => {
    const { results } = shaped(Blocks, json, 'Signer metrics of Stacks')
    const newest = Math.max(...results.map(({ block_time: time }) => time))
    const told = results.flatMap(({ signer_data: data }) => data ?? [])
    const sum = (read: (one: (typeof told)[number]) => number): number =>
      told.reduce((all, one) => all + read(one), 0)
    const weight = sum(one => one.accepted_weight + one.rejected_weight + one.missing_weight)
    if (weight === 0) return { observations: [], prices: [] }
    const said = { entity, day: dayOf(newest) }
    return {
      observations: [
        { ...said, metric: 'pox.accepted_weight', value: sum(one => one.accepted_weight) / weight },
        { ...said, metric: 'pox.refused_weight', value: sum(one => one.rejected_weight) / weight },
        {
          ...said,
          metric: 'pox.response_time',
          value: sum(one => one.average_response_time_ms) / told.length / 1000,
        },
      ],
      prices: [],
    }
  },
}
