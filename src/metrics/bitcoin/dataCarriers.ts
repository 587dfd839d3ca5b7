import { DATA_PROTOCOLS } from '#kernel/bitcoin.ts'
import { perDay, perHeldBlock } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { FINE_GRAINS } from '../fineFigures.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { fromRows } from './common.ts'

const ord = { title: 'ord: inscriptions', url: 'https://docs.ordinals.com/inscriptions.html' }
const runes = { title: 'ord: runes', url: 'https://docs.ordinals.com/runes/specification.html' }

export const dataInscriptions = metric({
  ...fromRows,
  id: 'data.inscriptions',
  name: 'Inscriptions',
  unit: 'inscriptions',
  definition: 'Ord envelopes revealed in the tapscripts of the day.',
  why: 'How much of the chain is used as a store of files and token moves.',
  how: 'Envelopes (OP_FALSE OP_IF "ord" …) in witnesses of inputs, several to an input counted singly.',
  misleads: 'Most are short texts that move brc-20 tokens. Includes envelopes that ord does not number.',
  ...figuresSql({
    metric: 'data.inscriptions',
    type: 'Int64',
    chain: perHeldBlock({ value: 'sum(inscription_count)', fine: FINE_GRAINS }),
  }),
  aggregate: 'sum',
  references: [ord],
})

export const dataInscriptionBytes = metric({
  ...fromRows,
  id: 'data.inscription_bytes',
  name: 'Bytes inscribed',
  unit: 'B',
  definition: 'Bytes of the bodies of the inscriptions of the day.',
  why: 'What the files take, as far from the count as a picture from a line of text.',
  how: 'Sum of body sizes.',
  misleads: 'Witness bytes cost a quarter: a megabyte of bodies takes a quarter of a block’s weight.',
  ...figuresSql({
    metric: 'data.inscription_bytes',
    type: 'Int64',
    chain: perHeldBlock({ value: 'sum(inscription_bytes)', fine: FINE_GRAINS }),
  }),
  aggregate: 'sum',
  references: [ord],
})

export const dataRunes = metric({
  ...fromRows,
  id: 'data.runes',
  name: 'Runestones',
  unit: 'tx',
  definition:
    'Transactions of the day whose first runestone output is a rune message, from height 840,000 on.',
  why: 'Use of the rune token protocol.',
  how: 'Transactions with an output that starts 6a5d, malformed ones (cenotaphs) counted.',
  misleads: 'A cenotaph burns tokens and moves none; it counts.',
  ...figuresSql({
    metric: 'data.runes',
    type: 'Int64',
    chain: perHeldBlock({ value: 'sum(runestone_count)', fine: FINE_GRAINS }),
  }),
  aggregate: 'sum',
  since: { height: 840_000 },
  references: [runes],
})

export const dataOpReturnBytes = metric({
  ...fromRows,
  id: 'data.op_return_bytes',
  name: 'OP_RETURN bytes',
  unit: 'B',
  definition: 'Bytes after the OP_RETURN of all such outputs of the day, coinbases in.',
  why: 'Data written where it costs nodes least, because such outputs never enter the UTXO set.',
  how: 'Length of each script that starts with 6a, without that byte, summed.',
  misleads: 'Includes each block’s 37-byte witness commitment since segwit.',
  ...figuresSql({
    metric: 'data.op_return_bytes',
    type: 'Int64',
    chain: perHeldBlock({ value: 'sum(op_return_bytes)', fine: FINE_GRAINS }),
  }),
  aggregate: 'sum',
  references: [
    {
      title: 'Bitcoin Core: IsUnspendable, the data carrier',
      url: 'https://github.com/bitcoin/bitcoin/blob/master/src/script/script.h',
    },
  ],
})

const byProtocol = {
  ...fromRows,
  breakdown: { name: 'protocol', values: DATA_PROTOCOLS },
  headline: SUM_OF_KEYS,
  aggregate: 'sum',
  why: 'Who buys the block space, apart from payments.',
  references: [
    { title: 'rawtx-rs: OP_RETURN protocols', url: 'https://github.com/0xB10C/rawtx-rs' },
    ord,
    runes,
  ],
} as const

const priority = `A transaction that matches several counts for the first of ${DATA_PROTOCOLS.join(', ')}.`
const protocolKey = 'CAST(r.protocol AS String)'

export const dataByProtocol = metric({
  ...byProtocol,
  id: 'data.by_protocol',
  name: 'Transactions by data protocol',
  unit: 'tx',
  definition: 'Transactions of the day that carry data of a known protocol, by protocol.',
  how: `By tags in outputs, witnesses and coinbases. ${priority}`,
  misleads:
    'A tag is no proof that the message is valid by its own rules. See data.protocol_overlap for what was counted elsewhere.',
  ...figuresSql({
    metric: 'data.by_protocol',
    type: 'Int64',
    chain: perDay({ table: 'btc_protocol_days', key: protocolKey, value: 'r.tx_count' }),
  }),
})

export const dataByProtocolVbytes = metric({
  ...byProtocol,
  id: 'data.by_protocol_vbytes',
  name: 'Block space by data protocol',
  unit: 'vB',
  definition: 'Virtual size of the transactions of the day that carry data of a known protocol, by protocol.',
  how: `Size of the whole transaction; of a coinbase only its OP_RETURN bytes. ${priority}`,
  misleads: 'The whole transaction counts, including its payment.',
  ...figuresSql({
    metric: 'data.by_protocol_vbytes',
    type: 'Int64',
    chain: perDay({ table: 'btc_protocol_days', key: protocolKey, value: 'r.vsize_vb' }),
  }),
})

export const dataByProtocolFees = metric({
  ...byProtocol,
  id: 'data.by_protocol_fees',
  name: 'Fees by data protocol',
  unit: 'sat',
  definition: 'Fees of the transactions of the day that carry data of a known protocol, by protocol.',
  how: `Fee of the whole transaction; coinbase tags pay none. ${priority}`,
  misleads: 'Excludes bids inside a protocol (a Stacks commit, a Babylon stake), which are not fees.',
  ...figuresSql({
    metric: 'data.by_protocol_fees',
    type: 'Int64',
    chain: perDay({
      table: 'btc_protocol_days',
      key: protocolKey,
      value: 'if(r.unknown_fee_tx_count > 0, NULL, r.fee_sat)',
    }),
  }),
})

export const dataProtocolOverlap = metric({
  ...byProtocol,
  id: 'data.protocol_overlap',
  name: 'Overlap of data protocols',
  unit: 'tx',
  definition: 'Transactions of the day of a protocol that were counted for one before it.',
  how: `${priority} This is what that order leaves out.`,
  misleads: 'brc-20 moves are inscriptions: their overlap with “inscription” is the rule, not an error.',
  ...figuresSql({
    metric: 'data.protocol_overlap',
    type: 'Int64',
    chain: perDay({ table: 'btc_protocol_days', key: protocolKey, value: 'r.overlap_tx_count' }),
  }),
})
