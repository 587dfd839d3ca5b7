import { fineFrom, perBlock, perBucket, perDay } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { FINE_GRAINS, fineTxs } from '../fineFigures.ts'
import { metric } from '../metric.ts'
import { bip, blockchainChart, coinMetrics, coreGetblockstats, fromBlocks, fromRows } from './common.ts'

export const txCount = metric({
  ...fromBlocks,
  id: 'tx.count',
  name: 'Transactions',
  unit: 'tx',
  definition: 'Transactions in the blocks of the day, the coinbase left out.',
  why: 'How often someone paid to change the ledger.',
  how: 'Transactions of each block minus its coinbase, by the UTC date of the header time.',
  misleads:
    'One transaction may pay thousands, and one person may send thousands: it measures neither payments nor people. Coin Metrics cuts days by median time past (column day_mtp), which moves blocks near midnight.',
  ...figuresSql({
    metric: 'tx.count',
    type: 'Int64',
    chain: perBlock({ value: 'sum(tx_count) - count()', fine: FINE_GRAINS }),
    outside: ['bitcoin.network_daily'],
  }),
  sources: [...fromBlocks.sources, 'bitcoin.network_daily'],
  aggregate: 'sum',
  references: [coinMetrics],
})

export const txCountWithCoinbase = metric({
  ...fromBlocks,
  id: 'tx.count_with_coinbase',
  name: 'Transactions, coinbases in',
  unit: 'tx',
  definition: 'Transactions in the blocks of the day, one coinbase a block counted.',
  why: 'The method of blockchain.com, which has a longer daily series than our indexed blocks.',
  how: 'Transactions of each block by the UTC date of the header time.',
  misleads: 'About 144 a day above tx.count; never set the two beside each other unsaid.',
  ...figuresSql({
    metric: 'tx.count_with_coinbase',
    type: 'Int64',
    chain: perBlock({ value: 'sum(tx_count)', fine: FINE_GRAINS }),
    outside: ['blockchain.com'],
  }),
  sources: [...fromBlocks.sources, 'blockchain.com'],
  aggregate: 'sum',
  references: [blockchainChart('n-transactions')],
})

export const txVbytes = metric({
  ...fromRows,
  id: 'tx.vbytes',
  name: 'Block space used',
  unit: 'vB',
  definition: 'Virtual size of the transactions of the day, the coinbase left out.',
  why: 'What fees buy: a block offers one million virtual bytes.',
  how: 'Sum over transactions of weight ÷ 4, each rounded up.',
  misleads:
    'Rounding up each transaction adds a little to the sum of weights; witness bytes count a quarter.',
  ...figuresSql({
    metric: 'tx.vbytes',
    type: 'Int64',
    chain: perDay({
      table: 'btc_tx_buckets',
      where: "r.grain = 'day'",
      value: 'r.vsize_vb',
      fine: fineFrom(FINE_GRAINS, { ...fineTxs, value: 'sum(vsize_vb)' }),
    }),
  }),
  aggregate: 'sum',
  references: [bip(141, 'Segregated Witness (consensus layer)')],
})

export const txMedianVsize = metric({
  ...fromRows,
  id: 'tx.median_vsize',
  name: 'Median transaction size',
  unit: 'vB',
  definition: 'Median virtual size of the transactions of the bucket, the coinbase left out.',
  why: 'What an ordinary transaction takes: a fee rate times this is an ordinary fee.',
  how: 'Middle value over all transactions of the bucket; of the two middle ones the lower.',
  misleads: 'It follows the mix of uses: a wave of small mints lowers it while payments stay as they are.',
  ...figuresSql({
    metric: 'tx.median_vsize',
    type: 'Int64',
    chain: perBucket({
      table: 'btc_tx_buckets',
      value: 'if(r.tx_count = 0, NULL, r.median_vsize_vb)',
      fine: fineFrom(FINE_GRAINS, { ...fineTxs, value: 'quantileExactLow(0.5)(vsize_vb)' }),
    }),
  }),
  aggregate: 'recompute',
  references: [bip(141, 'Segregated Witness (consensus layer)'), coreGetblockstats],
})

export const txBatching = metric({
  ...fromRows,
  id: 'tx.batching',
  name: 'Outputs per transaction',
  unit: 'outputs/tx',
  definition: 'Outputs per transaction, the coinbase and OP_RETURN outputs left out.',
  why: 'How far senders share the cost of a transaction: two outputs are a payment with change, more are a batch.',
  how: 'Outputs that are not OP_RETURN ÷ transactions, both summed over the bucket.',
  misleads:
    'A mean: a few payouts with thousands of outputs lift it. Token mints with dust outputs look like batches.',
  ...figuresSql({
    metric: 'tx.batching',
    type: 'Float64',
    chain: perDay({
      table: 'btc_tx_buckets',
      where: "r.grain = 'day'",
      value: 'r.payment_output_count / nullIf(r.tx_count, 0)',
      numerator: 'toFloat64(r.payment_output_count)',
      denominator: 'toFloat64(r.tx_count)',
      fine: fineFrom(FINE_GRAINS, {
        ...fineTxs,
        value: 'sum(payment_output_count) / count()',
        numerator: 'toFloat64(sum(payment_output_count))',
        denominator: 'toFloat64(count())',
      }),
    }),
  }),
  aggregate: 'recompute',
  references: [
    {
      title: 'Bitcoin Optech: payment batching',
      url: 'https://github.com/bitcoinops/scaling-book/blob/master/x.payment_batching/payment_batching.md',
    },
  ],
})

export const txSegwitShare = metric({
  ...fromRows,
  id: 'tx.segwit_share',
  name: 'Segwit inputs',
  unit: 'ratio',
  definition: 'Share of inputs that carry a witness, the coinbase input left out.',
  why: 'How far wallets have moved to the cheaper and malleability-free form.',
  how: 'Inputs with a witness ÷ inputs.',
  misleads:
    'Peers also publish shares of transactions or of outputs, which differ widely; an input counts when it spends, years after its output was made.',
  ...figuresSql({
    metric: 'tx.segwit_share',
    type: 'Float64',
    chain: perDay({
      table: 'btc_input_days',
      value: 'r.witness_input_count / nullIf(r.input_count, 0)',
      numerator: 'toFloat64(r.witness_input_count)',
      denominator: 'toFloat64(r.input_count)',
    }),
  }),
  aggregate: 'recompute',
  references: [bip(141, 'Segregated Witness (consensus layer)')],
})

export const txTaprootShare = metric({
  ...fromRows,
  id: 'tx.taproot_share',
  name: 'Taproot inputs',
  unit: 'ratio',
  definition: 'Share of inputs that spend a version 1 (taproot) output, the coinbase input left out.',
  why: 'Use of Schnorr signatures and script trees.',
  how: 'Inputs whose spent output is v1_p2tr ÷ inputs.',
  misleads: 'Since 2023 most are reveals of inscriptions and token mints, not payments.',
  ...figuresSql({
    metric: 'tx.taproot_share',
    type: 'Float64',
    chain: perDay({
      table: 'btc_input_days',
      value: 'if(r.unknown_input_count > 0, NULL, r.taproot_input_count / nullIf(r.input_count, 0))',
      numerator: 'if(r.unknown_input_count > 0, NULL, toFloat64(r.taproot_input_count))',
      denominator: 'toFloat64(r.input_count)',
    }),
  }),
  aggregate: 'recompute',
  references: [bip(341, 'Taproot: SegWit version 1 spending rules')],
})

export const txRbfShare = metric({
  ...fromRows,
  id: 'tx.rbf_share',
  name: 'Transactions that signal replacement',
  unit: 'ratio',
  definition: 'Share of transactions with an input sequence below 0xfffffffe, the signal of BIP-125.',
  why: 'Share of senders who kept the option to raise the fee later.',
  how: 'Signaling transactions ÷ transactions, the coinbase left out.',
  misleads:
    'Little meaning since nodes replace without the signal (full RBF, default from Bitcoin Core 28). Relative time locks set the same bits.',
  ...figuresSql({
    metric: 'tx.rbf_share',
    type: 'Float64',
    chain: perDay({
      table: 'btc_tx_buckets',
      where: "r.grain = 'day'",
      value: 'r.rbf_tx_count / nullIf(r.tx_count, 0)',
      numerator: 'toFloat64(r.rbf_tx_count)',
      denominator: 'toFloat64(r.tx_count)',
      fine: fineFrom(FINE_GRAINS, {
        ...fineTxs,
        value: 'countIf(signals_rbf) / count()',
        numerator: 'toFloat64(countIf(signals_rbf))',
        denominator: 'toFloat64(count())',
      }),
    }),
  }),
  aggregate: 'recompute',
  references: [bip(125, 'Opt-in Full Replace-by-Fee Signaling')],
})
