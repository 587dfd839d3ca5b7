import { EVM_TX_KINDS } from '#kernel/evm.ts'
import { bobTransactions } from '#sources/layers.ts'
import { figuresSql } from '../figuresSql.ts'
import { REFERENCES } from '../market/published.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { fromLayer, jsonRpc, type LayerFacts, perLayerBucket, perLayerDay } from './common.ts'

const SYSTEM =
  'Excludes system transactions: unsigned ones, REMASC on Rootstock, L1 attributes on the OP Stack, consensus engine calls on Bitlayer and Core.'

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
      why: 'Layer usage.',
      how: `Count of transactions by block time. ${SYSTEM} Failed ones count because they paid. On days without full indexed data, a source’s count is used.`,
      misleads:
        'One call can do the work of many payments, bots send constantly, and account abstraction bundles combine many users.',
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
      why: 'Which transaction types wallets use, and the share of system transactions.',
      how: 'Count by the type byte (EIP-2718); deposit is a user deposit from the parent chain, system is a system transaction, including unsigned ones.',
      misleads: 'The envelope shows how it was signed and priced, not what it does.',
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
      why: 'What users paid for and did not get.',
      how: 'Receipts with status 0 ÷ receipts with a status.',
      misleads: 'Competing bots fail on purpose.',
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
      why: 'The number of users. Weeks and months are counted directly, never summed from days.',
      how: `Distinct senders, recovered from signatures. ${SYSTEM} On days without full indexed data, a source’s count is used. It never adds up to a weekly count.`,
      misleads:
        'One person can have many addresses, and a relayer or bundler is one address for many people.',
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
      why: 'New users. With senders, shows whether growth comes from them.',
      how: 'Distinct senders of a transaction with nonce 0, which is always an account’s first one.',
      misleads: 'Addresses are free, so one person can be many. Receive-only addresses never count.',
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
      why: 'Activity other than the chain’s own coin.',
      how: 'Events Transfer, TransferSingle and TransferBatch of ERC-20, ERC-721 and ERC-1155, including mints and burns, by token address.',
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
      how: 'Transactions with at least four bytes of input to an address, including failed ones.',
      misleads: 'Excludes calls between contracts. A busy bot is not demand.',
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
