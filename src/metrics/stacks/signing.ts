import { RANGE } from '../chainFigures.ts'
import { published } from '../market/published.ts'
import { metric } from '../metric.ts'
import { fromStacks, sip, stacksState } from './common.ts'

const ofSigning = {
  ...fromStacks,
  since: { day: '2024-10-29' },
  needs:
    'Needs the headers of Nakamoto blocks and the reward set of their cycle: a node that posts its events to STACKS_OBSERVER_PORT reports both, as does an archive of its events. The public API has no signatures. Days in a cycle without an indexed reward set have no figure.',
  references: [
    sip(21, 'Nakamoto: signers and their weights'),
    {
      title: 'Stacks nodes: recovery of signers from a header',
      url: 'https://github.com/stacks-network/stacks-core/blob/master/stackslib/src/chainstate/nakamoto/mod.rs',
    },
  ],
} as const

const WHO =
  'Keys are recovered from the signatures of each header and matched with the reward set of the cycle that the Bitcoin height of the tenure falls into.'
const STOPS =
  'A miner sends a block as soon as it has 70% of the weight. Later signatures are not in the header, so a missing one is not a refusal.'

/** Rows `bucket`, `signer`, `signed`, `blocks`, `weight` of every signer in a set that is held, signed or not. */
const OF_SETS = `SELECT
      t.bucket AS bucket, lower(hex(w.signing_key)) AS signer, ifNull(d.signed, 0) AS signed, t.blocks AS blocks, w.weight AS weight
    FROM (SELECT bucket, cycle, any(block_count) AS blocks FROM stx_signer_days WHERE bucket ${RANGE} GROUP BY bucket, cycle) AS t
    INNER JOIN (SELECT cycle, signing_key, any(weight) AS weight FROM stx_signer_weights GROUP BY cycle, signing_key) AS w ON w.cycle = t.cycle
    LEFT JOIN (
      SELECT bucket, cycle, signing_key, toNullable(signed_count) AS signed FROM stx_signer_days WHERE bucket ${RANGE}
    ) AS d ON d.bucket = t.bucket AND d.cycle = t.cycle AND d.signing_key = w.signing_key`

const perDay = (key: string, numerator: string, denominator: string): string => `SELECT
  s.bucket AS day, ${key} AS key, ${numerator} / ${denominator} AS value,
  toFloat64(${numerator}) AS numerator, toFloat64(${denominator}) AS denominator,
  ${stacksState('s.bucket', 'header')} AS state, 'stacks.chain' AS source,
  any(h.from_height) AS from_height, any(h.to_height) AS to_height, any(h.last_time) AS as_of
FROM (
    ${OF_SETS}
) AS s
INNER JOIN stx_block_days AS h ON h.bucket = s.bucket
GROUP BY day, key
ORDER BY day, key`

export const poxSignedWeight = metric({
  ...ofSigning,
  id: 'pox.signed_weight',
  name: 'Weight that signs a block',
  unit: 'ratio',
  definition:
    'Mean over the blocks of the UTC day of the weight of the signers that signed, to the weight of all in the reward set.',
  why: 'How far blocks are from the 70% below which the chain halts.',
  how: `${WHO} Weights of those that signed, over all blocks of the day ÷ weight of the whole set at each of them.`,
  misleads: STOPS,
  sql: perDay("''", 'sum(s.signed * s.weight)', 'sum(s.blocks * s.weight)'),
  aggregate: 'recompute',
  direction: 'up',
})

export const poxSignerParticipation = metric({
  ...ofSigning,
  id: 'pox.signer_participation',
  name: 'Participation of signers',
  unit: 'ratio',
  breakdown: { name: 'signer', values: [] },
  headline: 'all',
  definition:
    'Of the blocks of the UTC day, the share that a signer of the reward set signed; `all`: signatures given to those that could have been given.',
  why: 'Signer availability. The weight of an offline signer’s stackers does not count.',
  how: `${WHO} Blocks signed by a key ÷ blocks of the day in cycles with the key in the set.`,
  misleads: `${STOPS} By heads, whatever their weight.`,
  sql: perDay("arrayJoin(['all', s.signer])", 'sum(s.signed)', 'sum(s.blocks)'),
  aggregate: 'recompute',
  direction: 'up',
})

const HEARD =
  'From a service that listens to signer messages, over the latest 50 blocks per response. The latest response of the day counts. Excludes blocks without signer messages.'

const heard = {
  type: 'Float64',
  entityKind: 'layer',
  entities: ['stacks'],
  sources: ['stacks.signers'],
  since: { day: '2024-10-29' },
  references: [
    sip(21, 'Nakamoto: signers and their weights'),
    { title: 'Signer Metrics API', url: 'https://github.com/stx-labs/signer-metrics-api' },
  ],
} as const

/** How signers answered, as a service heard it: the chain keeps only what was in time and accepted. */
const HEARD_METRICS = [
  ...published({
    ...heard,
    id: 'pox.accepted_weight',
    name: 'Weight that accepted a block, as heard',
    unit: 'ratio',
    definition:
      'Share of the reward set weight whose signers accepted the latest blocks, whether or not in time for the header.',
    why: 'The difference from pox.signed_weight is acceptances after the header was sent.',
    how: `Accepted weight ÷ accepted, refused and missing weight. ${HEARD}`,
    misleads:
      'Fifty blocks are some minutes and no day. A message that the service did not hear counts as missing.',
    direction: 'up',
  }),
  ...published({
    ...heard,
    id: 'pox.refused_weight',
    name: 'Weight that refused a block, as heard',
    unit: 'ratio',
    definition: 'Share of the reward set weight whose signers rejected the latest blocks.',
    why: 'Rejections are not on-chain. In a header, a rejecting signer looks like an offline one.',
    how: `Refused weight ÷ accepted, refused and missing weight. ${HEARD}`,
    misleads: 'Only for blocks that were still added to the chain. Excludes failed proposals.',
    direction: 'down',
  }),
  ...published({
    ...heard,
    id: 'pox.response_time',
    name: 'Time that signers take to answer, as heard',
    unit: 's',
    definition: 'Mean time from block proposal to signer response, over the latest blocks.',
    why: 'How close signing is to the pace of blocks, which is not on-chain.',
    how: `Mean over blocks of the mean over the signers that answered. ${HEARD}`,
    misleads:
      'Measured at the service’s location, on a best-effort basis. Excludes signers that never respond.',
    direction: 'down',
  }),
]

export const SIGNING_METRICS = [poxSignedWeight, poxSignerParticipation, ...HEARD_METRICS]
