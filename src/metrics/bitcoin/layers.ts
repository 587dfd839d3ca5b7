import { BTC_LAYERS } from '#warehouse/tables/rollups.ts'
import { perDay } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { fromRows } from './common.ts'

const ofLayer = { ...fromRows, entityKind: 'layer', entities: BTC_LAYERS } as const
/**
 * First UTC day on which a layer can do anything on Bitcoin: Stacks from block 666,050 on, Rootstock and Core from their first
 * blocks, Babylon from its first staking block 857,910. Before there is no figure, and no zero either.
 */
const LAUNCHED: Readonly<Record<(typeof BTC_LAYERS)[number], string>> = {
  stacks: '2021-01-14',
  rootstock: '2018-01-02',
  babylon: '2024-08-22',
  core: '2021-11-16',
}
const quoted = (texts: readonly string[]): string => texts.map(text => `'${text}'`).join(', ')
const LAYER = `r.layer = {entity:String}
      AND r.bucket >= toDate(transform({entity:String}, [${quoted(Object.keys(LAUNCHED))}], [${quoted(Object.values(LAUNCHED))}], ''))`
const layerDays = { table: 'btc_layer_days', where: LAYER } as const
const rules = [
  { title: 'SIP-001, SIP-007: block commits and PoX payouts', url: 'https://github.com/stacksgov/sips' },
  { title: 'Rootstock: merge mining', url: 'https://github.com/rsksmart/RSKIPs' },
  { title: 'Babylon: Bitcoin staking script', url: 'https://github.com/babylonlabs-io/babylon' },
]

export const l1Tx = metric({
  ...ofLayer,
  id: 'l1.tx',
  name: 'Transactions on Bitcoin',
  unit: 'tx',
  definition: 'Bitcoin transactions of the day that carry out an operation of the layer.',
  why: 'How much a layer leans on the chain that it claims to rest on.',
  how: 'By the layer’s marks in outputs (Stacks: output 0 is OP_RETURN with magic X2); excludes coinbases.',
  misleads: 'Marks can be forged; a transaction with a mark that the layer refused counts.',
  ...figuresSql({ metric: 'l1.tx', type: 'Int64', chain: perDay({ ...layerDays, value: 'r.tx_count' }) }),
  aggregate: 'sum',
  references: rules,
})

export const l1Vbytes = metric({
  ...ofLayer,
  id: 'l1.vbytes',
  name: 'Block space on Bitcoin',
  unit: 'vB',
  definition: 'Virtual size of the layer’s transactions on Bitcoin.',
  why: 'Its use of shared block space.',
  how: 'Sum of the virtual sizes of the transactions of l1.tx.',
  misleads: 'The whole transaction counts, whatever else it does.',
  ...figuresSql({ metric: 'l1.vbytes', type: 'Int64', chain: perDay({ ...layerDays, value: 'r.vsize_vb' }) }),
  aggregate: 'sum',
  references: rules,
})

export const l1Fees = metric({
  ...ofLayer,
  id: 'l1.fees',
  name: 'Fees paid on Bitcoin',
  unit: 'sat',
  definition: 'Fees that the layer’s transactions paid to Bitcoin’s miners.',
  why: 'What a layer pays for security.',
  how: 'Inputs minus outputs of the transactions of l1.tx; bids and payouts are l1.value, never fees.',
  misleads: 'Merge-mined layers pay no fees here and still lean on the chain.',
  ...figuresSql({
    metric: 'l1.fees',
    type: 'Int64',
    chain: perDay({ ...layerDays, value: 'if(r.unknown_fee_tx_count > 0, NULL, r.fee_sat)' }),
  }),
  aggregate: 'sum',
  references: rules,
})

export const l1ShareOfBlockspace = metric({
  ...ofLayer,
  id: 'l1.share_of_blockspace',
  name: 'Share of block space',
  unit: 'ratio',
  definition: 'Virtual size of the layer’s transactions as a share of all of the bucket.',
  why: 'Its share of block space demand.',
  how: 'l1.vbytes ÷ tx.vbytes, both summed over the bucket.',
  misleads: 'A share of used space, not of capacity.',
  ...figuresSql({
    metric: 'l1.share_of_blockspace',
    type: 'Float64',
    chain: perDay({
      ...layerDays,
      join: "\n    INNER JOIN btc_tx_buckets AS t ON t.grain = 'day' AND t.bucket = r.bucket",
      value: 'r.vsize_vb / nullIf(t.vsize_vb, 0)',
      numerator: 'toFloat64(r.vsize_vb)',
      denominator: 'toFloat64(t.vsize_vb)',
    }),
  }),
  aggregate: 'recompute',
  references: rules,
})

export const l1CostPerTx = metric({
  ...ofLayer,
  id: 'l1.cost_per_tx',
  name: 'Cost per transaction on Bitcoin',
  unit: 'sat/tx',
  definition: 'Fees per transaction that the layer sent to Bitcoin.',
  why: 'The price of one anchor.',
  how: 'l1.fees ÷ l1.tx, both summed over the bucket.',
  misleads: 'Per Bitcoin transaction, not per transaction of the layer’s users.',
  ...figuresSql({
    metric: 'l1.cost_per_tx',
    type: 'Float64',
    chain: perDay({
      ...layerDays,
      value: 'if(r.unknown_fee_tx_count > 0, NULL, r.fee_sat / nullIf(r.tx_count, 0))',
      numerator: 'if(r.unknown_fee_tx_count > 0, NULL, toFloat64(r.fee_sat))',
      denominator: 'toFloat64(r.tx_count)',
    }),
  }),
  aggregate: 'recompute',
  references: rules,
})

export const l1Value = metric({
  ...ofLayer,
  id: 'l1.value',
  name: 'Value moved on Bitcoin',
  unit: 'sat',
  definition: 'Satoshis that the layer’s operations move on Bitcoin: bids, payouts, deposits, stakes.',
  why: 'The money, as against the fees, that a layer puts on the chain.',
  how: 'Sum of the values of recognized operations.',
  misleads: 'A bid that returns to its sender’s pool is value moved, not value given.',
  ...figuresSql({ metric: 'l1.value', type: 'Int64', chain: perDay({ ...layerDays, value: 'r.value_sat' }) }),
  aggregate: 'sum',
  references: rules,
})

const peg = {
  title: 'stacks-network/sbtc: sweeps of the signers (signer/src/bitcoin/utxo.rs)',
  url: 'https://github.com/stacks-network/sbtc',
}

export const l1Deposits = metric({
  ...ofLayer,
  entities: ['stacks'],
  id: 'l1.deposits',
  name: 'Deposits into the peg',
  unit: 'sat',
  breakdown: { name: 'origin', values: ['user', 'miner'] },
  headline: SUM_OF_KEYS,
  definition: 'Bitcoin received by the signers of the peg on the day, by origin.',
  why: 'Coins that begin to live on the layer.',
  how: 'Inputs of the signers’ sweeps but the first, which is their own; those that spend a block commit are a miner’s, the others a user’s.',
  misleads:
    'A deposit counts on the day of its sweep, not when it was sent, because until then it looks like any payment. Sweeps are identified by a mark that anyone can write. Excludes Rootstock’s peg and custodial wrapped coins.',
  ...figuresSql({
    metric: 'l1.deposits',
    type: 'Int64',
    chain: perDay({
      table: 'btc_peg_days',
      where: `${LAYER} AND r.flow IN ('deposit of a user', 'deposit of a miner')`,
      key: "if(r.flow = 'deposit of a user', 'user', 'miner')",
      value: 'if(r.unknown_input_count > 0, NULL, r.value_sat)',
    }),
  }),
  aggregate: 'sum',
  references: [peg],
})

export const l1Withdrawals = metric({
  ...ofLayer,
  entities: ['stacks'],
  id: 'l1.withdrawals',
  name: 'Withdrawals from the peg',
  unit: 'sat',
  definition: 'Bitcoin that the signers of the peg paid out on the day.',
  why: 'Coins that leave the layer: with deposits, whether the peg grows.',
  how: 'Outputs of the signers’ sweeps behind their own output and the mark.',
  misleads:
    'Sweeps are identified by a mark that anyone can write. Only the layer records when a withdrawal was requested.',
  ...figuresSql({
    metric: 'l1.withdrawals',
    type: 'Int64',
    chain: perDay({
      table: 'btc_peg_days',
      where: `${LAYER} AND r.flow = 'withdrawal'`,
      value: 'r.value_sat',
    }),
  }),
  aggregate: 'sum',
  references: [peg],
})

export const mergeMiningShare = metric({
  ...ofLayer,
  entities: ['rootstock', 'core'],
  id: 'merge_mining.share',
  name: 'Merge-mining share',
  unit: 'ratio',
  definition: 'Share of Bitcoin blocks of the bucket whose coinbase carries the layer’s tag.',
  why: 'The part of Bitcoin’s hashrate that also secures the layer.',
  how: 'Blocks with the tag (Rootstock: RSKBLOCK:) ÷ blocks.',
  misleads: 'A tag shows that a miner took part, not that the layer accepted the work.',
  ...figuresSql({
    metric: 'merge_mining.share',
    type: 'Float64',
    chain: perDay({
      ...layerDays,
      value: 'r.merge_mined_block_count / h.block_count',
      numerator: 'toFloat64(r.merge_mined_block_count)',
      denominator: 'toFloat64(h.block_count)',
    }),
  }),
  aggregate: 'recompute',
  references: rules,
})

export const stakeNew = metric({
  ...ofLayer,
  entities: ['babylon', 'core'],
  id: 'stake.new',
  name: 'Newly staked',
  unit: 'sat',
  definition: 'Bitcoin locked on the day in the layer’s staking outputs.',
  why: 'Coins that begin to back a layer without leaving the chain.',
  how: 'Value of outputs recognized as stakes of Babylon or time locks of Core.',
  misleads:
    'New locks only. Coins returned when a lock ends are not deducted, and a renewed lock counts again.',
  ...figuresSql({
    metric: 'stake.new',
    type: 'Int64',
    chain: perDay({ ...layerDays, value: 'r.staked_sat' }),
  }),
  aggregate: 'sum',
  references: rules,
})

export const stakeBtc = metric({
  entityKind: 'layer',
  entities: ['core'],
  id: 'stake.btc',
  name: 'Bitcoin staked',
  unit: 'sat',
  definition: 'Bitcoin staked for the layer on the UTC day.',
  why: 'Coins that back a layer without leaving Bitcoin.',
  how: 'As summed by Core’s staking API over time locks delegated to its validators. See stake.new for new locks per day from Bitcoin outputs.',
  misleads:
    'It is the layer’s own count. The coins stay their owner’s: they are no reserve of the layer and cannot be lost to it.',
  ...figuresSql({ metric: 'stake.btc', type: 'Int64', outside: ['core.staking'] }),
  sources: ['core.staking'],
  cadence: 'day',
  aggregate: 'last',
  calendar: 'reported',
  since: { day: '2024-04-01' },
  direction: 'up',
  needs: 'No data from Core’s staking API yet. With internet, it is polled automatically.',
  references: [
    {
      title: 'Core: self-custodial bitcoin staking',
      url: 'https://docs.coredao.org/docs/Learn/products/btc-staking/overview',
    },
  ],
})
