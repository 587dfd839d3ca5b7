import type { Tab } from './common.ts'

export const dataTab: Tab = {
  key: 'data',
  label: 'Data',
  question: 'How much of the chain carries data, and for which protocols?',
  kpis: [
    { metric: 'data.inscriptions', label: 'Inscriptions, day' },
    { metric: 'data.inscription_bytes', label: 'Inscribed, day' },
    { metric: 'data.runes', label: 'Runestones, day' },
    { metric: 'data.op_return_bytes', label: 'OP_RETURN, day' },
  ],
  charts: [
    {
      id: 'protocols',
      title: 'Transactions by protocol',
      kind: 'stacked',
      wide: true,
      lines: [{ metric: 'data.by_protocol' }],
      most: 9,
      note: 'A transaction that matches several protocols is counted once, by a fixed priority.',
    },
    {
      id: 'protocolspace',
      title: 'Block space by protocol',
      kind: 'stacked',
      lines: [{ metric: 'data.by_protocol_vbytes' }],
      most: 9,
    },
    {
      id: 'protocolmap',
      title: 'Who takes the block space',
      kind: 'tree',
      over: 'sum',
      lines: [{ metric: 'data.by_protocol_vbytes' }],
      most: 12,
    },
    {
      id: 'protocolfees',
      title: 'Fees by protocol',
      kind: 'stacked',
      lines: [{ metric: 'data.by_protocol_fees' }],
      most: 9,
    },
    {
      id: 'overlap',
      title: 'Counted for a protocol before',
      kind: 'stacked',
      lines: [{ metric: 'data.protocol_overlap' }],
      most: 9,
      note: 'What the fixed priority took from each protocol: moves of brc-20 are inscriptions too.',
    },
    {
      id: 'inscriptions',
      title: 'Inscriptions',
      kind: 'bars',
      lines: [{ metric: 'data.inscriptions', label: 'Inscriptions' }],
    },
    {
      id: 'inscribed',
      title: 'Inscribed bytes',
      kind: 'bars',
      lines: [{ metric: 'data.inscription_bytes', label: 'Bytes' }],
    },
    {
      id: 'runes',
      title: 'Runestones',
      kind: 'bars',
      lines: [{ metric: 'data.runes', label: 'Runestones' }],
    },
    {
      id: 'opreturn',
      title: 'OP_RETURN bytes',
      kind: 'bars',
      lines: [{ metric: 'data.op_return_bytes', label: 'Bytes' }],
    },
  ],
  panels: ['decoded'],
}
