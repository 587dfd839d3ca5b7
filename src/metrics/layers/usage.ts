import { EVM_TX_KINDS } from '#kernel/evm.ts'
import { bobTransactions } from '#sources/layers.ts'
import { figuresSql } from '../figuresSql.ts'
import { REFERENCES } from '../market/published.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { fromLayer, jsonRpc, type LayerFacts, perLayerBucket, perLayerDay } from './common.ts'

const SYSTEM =
  'System transactions are left out: unsigned ones, REMASC on Rootstock, the parent chain’s facts on the OP Stack, calls of the engine on Bitlayer and Core.'

/** Who publishes counts of transactions and of senders, in the order of trust. */
export const TX_PUBLISHERS = ['l2beat.activity', 'growthepie.metrics', 'blockscout.stats'] as const
export const SENDER_PUBLISHERS = ['growthepie.metrics'] as const

/** How much a layer is used, by whom. */
export function usageMetrics(layer: LayerFacts): Metric[] {
  const shared = fromLayer(layer)
  const counters =
    layer.id === 'bob' ? [TX_PUBLISHERS[0], bobTransactions.id, ...TX_PUBLISHERS.slice(1)] : TX_PUBLISHERS
  return [
    metric({
      ...shared,
      sources: [...shared.sources, ...counters],
      id: 'tx.count',
      name: 'Transactions',
      unit: 'tx',
      definition: 'Transactions of users in the layer’s blocks of the UTC day.',
      why: 'How much the layer is used.',
      how: `Count of transactions by block time. ${SYSTEM} Failed ones count: they paid. On days without full indexed data, a source’s count is used.`,
      misleads:
        'A call may do the work of many payments, bots send without end, and bundles of account abstraction hide many users in one.',
      ...figuresSql({
        metric: 'tx.count',
        type: 'Int64',
        chain: perLayerDay(layer, { value: 'h.user_tx_count' }),
        outside: counters,
      }),
      aggregate: 'sum',
      references: [jsonRpc, REFERENCES.l2beatActivity],
    }),
    metric({
      ...shared,
      id: 'tx.by_kind',
      name: 'Transactions by kind',
      unit: 'tx',
      breakdown: {
        name: 'kind',
        values: [...EVM_TX_KINDS.filter(kind => kind !== 'remasc' && kind !== 'unsigned'), 'system'],
      },
      headline: SUM_OF_KEYS,
      definition: 'All transactions in the layer’s blocks of the UTC day, by their envelope.',
      why: 'Which forms of transactions wallets use, and how much of the chain is the chain itself.',
      how: 'Count by the type byte (EIP-2718); deposit is one that the parent chain forced in for a user, system is a system transaction, unsigned ones included.',
      misleads: 'The envelope says how it was signed and priced, not what it does.',
      ...figuresSql({
        metric: 'tx.by_kind',
        type: 'Int64',
        chain: perLayerDay(layer, { table: 'evm_tx_days', key: 'r.kind', value: 'r.tx_count' }),
      }),
      aggregate: 'sum',
      references: [jsonRpc, { title: 'EIP-2718', url: 'https://eips.ethereum.org/EIPS/eip-2718' }],
    }),
    metric({
      ...shared,
      id: 'tx.failed_share',
      name: 'Failed transactions',
      unit: 'ratio',
      definition: 'Share of users’ transactions of the UTC day that failed.',
      why: 'What people paid for and did not get.',
      how: 'Receipts with status 0 ÷ receipts that say a status.',
      misleads: 'Bots that race each other fail on purpose.',
      ...figuresSql({
        metric: 'tx.failed_share',
        type: 'Float64',
        chain: perLayerDay(layer, {
          value: 'h.failed_tx_count / nullIf(h.user_tx_count - h.unknown_outcome_count, 0)',
          numerator: 'toFloat64(h.failed_tx_count)',
          denominator: 'toFloat64(h.user_tx_count - h.unknown_outcome_count)',
        }),
      }),
      aggregate: 'recompute',
      direction: 'down',
      references: [jsonRpc],
    }),
    metric({
      ...shared,
      sources: [...shared.sources, ...SENDER_PUBLISHERS],
      id: 'addresses.senders',
      name: 'Senders',
      unit: 'addresses',
      definition: 'Distinct addresses that sent a transaction in the layer’s blocks of the bucket.',
      why: 'How many take part: week and month are counted anew, never added up.',
      how: `Distinct senders, recovered from signatures. ${SYSTEM} On days without full indexed data, a source’s count is used. It never adds up to a weekly count.`,
      misleads: 'One person may have many addresses; a relayer or bundler is one address for many people.',
      ...figuresSql({
        metric: 'addresses.senders',
        type: 'Int64',
        chain: perLayerBucket(layer, 'r.sender_count'),
        outside: SENDER_PUBLISHERS,
        isOutsideOfDays: true,
      }),
      aggregate: 'distinct',
      direction: 'up',
      references: [jsonRpc],
    }),
    metric({
      ...shared,
      id: 'addresses.new',
      name: 'New senders',
      unit: 'addresses',
      definition: 'Addresses that sent their first transaction on the layer in the bucket.',
      why: 'How many begin: with senders, whether growth comes from new ones.',
      how: 'Distinct senders of a transaction with nonce 0, which is always an account’s first one.',
      misleads: 'An address is free to make: one person may be many. Who only receives never counts.',
      ...figuresSql({
        metric: 'addresses.new',
        type: 'Int64',
        chain: perLayerBucket(layer, 'r.new_sender_count'),
      }),
      aggregate: 'distinct',
      direction: 'up',
      references: [jsonRpc],
    }),
    metric({
      ...shared,
      id: 'tokens.transfers',
      name: 'Token transfers',
      unit: 'transfers',
      breakdown: { name: 'token', values: [] },
      headline: SUM_OF_KEYS,
      definition: 'Amounts of tokens that moved on the layer on the UTC day, by token.',
      why: 'What moves besides the chain’s own coin.',
      how: 'Events Transfer, TransferSingle and TransferBatch of ERC-20, ERC-721 and ERC-1155, mints and burns in; by the address of the token.',
      misleads: 'Anyone can emit such events, so a worthless token can move a million times.',
      ...figuresSql({
        metric: 'tokens.transfers',
        type: 'Int64',
        chain: perLayerDay(layer, {
          table: 'evm_transfer_days',
          key: "concat('0x', lower(hex(r.token)))",
          value: 'sum(r.transfer_count)',
          isSum: true,
        }),
      }),
      aggregate: 'sum',
      references: [{ title: 'ERC-20', url: 'https://eips.ethereum.org/EIPS/eip-20' }],
    }),
    metric({
      ...shared,
      id: 'calls.by_contract',
      name: 'Calls by contract',
      unit: 'calls',
      breakdown: { name: 'contract', values: [] },
      headline: SUM_OF_KEYS,
      definition: 'Contract calls by users’ transactions of the UTC day, by contract.',
      why: 'Which applications are used.',
      how: 'Transactions with at least four bytes of input to an address, failed ones in.',
      misleads: 'A call of one contract by another is not seen here; a busy bot is no demand.',
      ...figuresSql({
        metric: 'calls.by_contract',
        type: 'Int64',
        chain: perLayerDay(layer, {
          table: 'evm_call_days',
          key: "concat('0x', lower(hex(r.contract)))",
          value: 'sum(r.call_count)',
          isSum: true,
        }),
      }),
      aggregate: 'sum',
      references: [jsonRpc],
    }),
  ]
}
