import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { STACKS_USER_KINDS } from '../rollups/stacksDays.ts'
import {
  bucketOf,
  DAYS_OF_BUCKET,
  eventsOfNodes,
  fromStacks,
  perStacksDay,
  sip,
  stateOfStacksBucket,
} from './common.ts'

const USER_KINDS = STACKS_USER_KINDS.map(kind => `'${kind}'`).join(', ')

export const stacksTxCount = metric({
  ...fromStacks,
  id: 'tx.count',
  name: 'Transactions',
  unit: 'tx',
  breakdown: { name: 'kind', values: [...STACKS_USER_KINDS] },
  headline: SUM_OF_KEYS,
  definition: 'Transactions of users in the Stacks blocks of the UTC day, by kind.',
  why: 'What the chain is used for: payments, contract calls, new contracts.',
  how: 'Count by payload; coinbases and changes of tenure are the protocol’s own and left out, operations made on Bitcoin count. Failed ones count too: they paid.',
  misleads: 'A call may do the work of many payments, and one user may send many.',
  ...figuresSql({
    metric: 'tx.count',
    type: 'Int64',
    chain: perStacksDay({
      table: 'stx_tx_days',
      key: 'CAST(r.kind AS String)',
      value: 'r.tx_count',
      where: `r.kind IN (${USER_KINDS})`,
    }),
  }),
  aggregate: 'sum',
  references: [sip(5, 'Blocks and transactions')],
})

export const stacksTxFailedShare = metric({
  ...fromStacks,
  id: 'tx.failed_share',
  name: 'Failed transactions',
  unit: 'ratio',
  definition: 'Share of users’ transactions of the day that did not end in success.',
  why: 'What users paid for without a result.',
  how: 'Transactions with a status other than success, aborted by the contract’s response or by a post-condition, ÷ all user transactions.',
  misleads: 'An abort by a post-condition is protection that worked. Competing bots fail on purpose.',
  ...figuresSql({
    metric: 'tx.failed_share',
    type: 'Float64',
    chain: perStacksDay({
      value: 'h.failed_tx_count / nullIf(h.user_tx_count, 0)',
      numerator: 'toFloat64(h.failed_tx_count)',
      denominator: 'toFloat64(h.user_tx_count)',
      needs: ['receipts'],
    }),
  }),
  aggregate: 'recompute',
  direction: 'down',
  references: [sip(5, 'Blocks and transactions')],
})

export const stacksFeesTotal = metric({
  ...fromStacks,
  id: 'fees.total',
  name: 'Fees paid',
  unit: 'uSTX',
  definition: 'Fees of users’ transactions in the Stacks blocks of the UTC day.',
  why: 'What users pay for Stacks block space.',
  how: 'Sum of the fees offered. Stacks charges them in full, even for failed transactions.',
  misleads: 'One mistaken fee can outweigh a day. Read it with the median.',
  ...figuresSql({ metric: 'fees.total', type: 'Int64', chain: perStacksDay({ value: 'h.fee_ustx' }) }),
  aggregate: 'sum',
  references: [sip(5, 'Blocks and transactions')],
})

export const stacksFeesMedian = metric({
  ...fromStacks,
  id: 'fees.median_tx',
  name: 'Median fee',
  unit: 'uSTX',
  definition: 'Median fee of users’ transactions of the UTC day.',
  why: 'What a typical transaction costs.',
  how: 'Median over transactions, of the two middle ones the lower; operations made on Bitcoin pay none here and count as 0.',
  misleads: 'Wallets that overpay by habit raise it without any congestion.',
  ...figuresSql({
    metric: 'fees.median_tx',
    type: 'Int64',
    chain: perStacksDay({ value: 'h.median_fee_ustx' }),
  }),
  aggregate: 'mean',
  direction: 'down',
  references: [sip(5, 'Blocks and transactions')],
})

export const stacksSenders = metric({
  ...fromStacks,
  id: 'addresses.senders',
  name: 'Senders',
  unit: 'addresses',
  definition: 'Distinct principals that signed a transaction in the Stacks blocks of the bucket.',
  why: 'The number of users. Weeks and months are counted directly, never summed from days.',
  how: 'Distinct senders of user transactions. Fee sponsors do not count.',
  misleads: 'One person may have many addresses, and a service may sign for many people.',
  sql: `SELECT
  b.bucket AS day, '' AS key, toInt64(b.senders) AS value,
  ${stateOfStacksBucket('b')} AS state,
  'stacks.chain' AS source, b.from_height AS from_height, b.to_height AS to_height, b.as_of AS as_of
FROM (
  SELECT
    ${bucketOf('block_time')} AS bucket, ${DAYS_OF_BUCKET} AS days, uniqExact(sender) AS senders,
    min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of
  FROM stx_txs
  WHERE toDate(block_time) ${RANGE} AND sender != '' AND kind IN (${USER_KINDS})
  GROUP BY bucket
) AS b
ORDER BY day`,
  aggregate: 'distinct',
  direction: 'up',
  references: [eventsOfNodes],
})
