import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts, sumOfAll } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Count, Seconds } from './shapes.ts'

/** What its signers answered to a block; null where the service did not see them. */
const SignerData = z.looseObject({})
const Milliseconds = z.number().nonnegative()
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
    const what = 'Signer metrics of Stacks'
    const { results } = shaped(Blocks, json, what)
    const parts = createParts(what)
    const newest = Math.max(...results.map(({ block_time: time }) => time))
    const reported = results.flatMap(({ signer_data: answers }, i) =>
      answers === null ? [] : [{ answers, at: `results.${i}.signer_data` }],
    )
    // Without one of the blocks a figure would be of others than it says.
    const sum = (field: string, schema: z.ZodType<number> = Count): number | undefined =>
      sumOfAll(reported.map(({ answers, at }) => parts.read(schema, answers[field], `${at}.${field}`)))
    const [accepted, rejected, missing] = ['accepted', 'rejected', 'missing'].map(kind =>
      sum(`${kind}_weight`),
    )
    const responseMs = sum('average_response_time_ms', Milliseconds)
    const weight = sumOfAll([accepted, rejected, missing])
    const figure = (metric: string, value: number | undefined, over: number): EntityFigure[] =>
      value === undefined || over === 0 ? [] : [{ entity, day: dayOf(newest), metric, value: value / over }]
    return parts.answer({
      observations:
        weight === 0
          ? []
          : [
              ...figure('pox.accepted_weight', weight === undefined ? weight : accepted, weight ?? 0),
              ...figure('pox.refused_weight', weight === undefined ? weight : rejected, weight ?? 0),
              ...figure('pox.response_time', responseMs, reported.length * 1000),
            ],
      prices: [],
    })
  },
}
