import type { Treasury } from '#http/contract.ts'
import type { ChartSpec } from '../../blocks/chart/chartSpec.ts'
import type { FigurePage } from '../chain/loadFigures.server.ts'

/** Whose figures the page over all holders shows. */
export const ENTITY = 'bitcoin'
export const PATH = '/analyze/bitcoin-treasuries'

/** The chart whose note says how many funds it covers. */
export const FUNDS_CHART = 'etf-held'
/** What of the funds is drawn, by the rows of the table of funds: those with a report have their bitcoin in it. */
export const fundsNote = (rows: readonly Readonly<Record<string, unknown>>[]): string =>
  `Each fund on its own report dates, mostly quarter ends. ${rows.filter(({ held }) => held !== null).length} of ${rows.length} funds have one available. The others are not shown.`

const EVIDENCE = { A: 'A address', B: 'B filing', C: 'C announcement', D: 'D press', E: 'E inferred' }
const KINDS = { company: 'companies', miner: 'miners', government: 'governments' }

/** Figures of `/analyze/bitcoin-treasuries`, as data. */
export const treasuries: FigurePage = {
  question: 'Who holds bitcoin, on what evidence, at what cost, and what does the market pay for it?',
  kpis: [
    { metric: 'btc.held', label: 'Bitcoin in treasuries' },
    { metric: 'supply.share', label: 'Of the 21 million' },
    { metric: 'btc.change_30d', label: 'Bought less sold, 30 days' },
    { metric: 'mnav.companies', label: 'Companies below mNAV 1' },
    { metric: 'mnav.basic', entity: 'strategy', label: 'mNAV of Strategy' },
    { metric: 'etf.flow', label: 'Flow of US funds' },
  ],
  charts: [
    {
      id: 'held',
      title: 'Bitcoin held, by kind of holder',
      kind: 'stacked',
      wide: true,
      lines: [{ metric: 'btc.held', labels: KINDS }],
      note: 'Each holder counts from its first report, so part of the growth is growth of the list. The press has named governments since 2025. Funds are excluded because they hold for others, some of whom are included. Holders can overlap, as when a fund owns shares of a company.',
    },
    {
      id: 'evidence',
      title: 'Bitcoin held, by evidence',
      kind: 'stacked',
      lines: [{ metric: 'btc.by_evidence', labels: EVIDENCE }],
      note: 'By each holder’s latest report. An announcement that a filing confirms within 100 days counts as filed.',
    },
    {
      id: 'flow',
      title: 'Bought less sold',
      kind: 'bars',
      lines: [{ metric: 'btc.change', labels: KINDS }],
      defaults: { grain: 'week' },
    },
    {
      id: 'etf',
      title: 'Net flows of US spot funds',
      kind: 'bars',
      lines: [{ metric: 'etf.flow', isSum: true, label: 'all funds' }],
      defaults: { grain: 'week' },
    },
    {
      id: FUNDS_CHART,
      title: 'Bitcoin of US spot funds',
      kind: 'line',
      lines: [{ metric: 'etf.holdings' }],
      // Funds report of different days: a sum of some of them would be no figure.
      most: Number.POSITIVE_INFINITY,
    },
    {
      id: 'mnav',
      title: 'mNAV, basic',
      kind: 'line',
      lines: [
        { metric: 'mnav.basic', entity: 'strategy', label: 'Strategy' },
        { metric: 'mnav.basic', entity: 'metaplanet', label: 'Metaplanet' },
        { metric: 'mnav.basic', entity: 'twenty-one', label: 'Twenty One' },
      ],
      note: 'At 1, a share costs as much as the bitcoin behind it. Excludes miners and companies with another main business, whose value has other drivers.',
    },
    {
      id: 'yield',
      title: 'BTC yield of 90 days, basic',
      kind: 'line',
      lines: [
        { metric: 'btc.yield', entity: 'strategy', label: 'Strategy' },
        { metric: 'btc.yield', entity: 'metaplanet', label: 'Metaplanet' },
      ],
    },
  ],
}

/** Tables below, in their order. */
export const TABLES = ['holders', 'moves', 'fall', 'funds', 'conservation', 'list'] as const

/** Steps from a basic share to a diluted one, in their order. */
const DILUTES = {
  basic: 'basic',
  convertible: 'convertibles',
  preferred: 'preferred stock',
  warrant: 'warrants',
  option: 'options',
  rsu: 'restricted stock',
  'free-shares': 'free shares',
}

/** Figures of the page of one holder: by its kind. */
export function treasuryFigures({ id, kind, name, ticker, currency, mainBusiness }: Treasury): FigurePage {
  if (kind === 'etf')
    return {
      question: `How much bitcoin does ${name} hold, and what flows in and out?`,
      kpis: [
        { metric: 'btc.held', label: 'Bitcoin held' },
        { metric: 'evidence.age', label: 'Age of the evidence' },
        { metric: 'value.usd', label: 'Worth' },
        { metric: 'supply.share', label: 'Of all bitcoin' },
        { metric: 'etf.flow', entity: ENTITY, label: 'Flow of all US funds' },
      ],
      charts: [
        heldChart(name),
        {
          id: 'flow',
          title: 'Net flow',
          kind: 'bars',
          wide: true,
          lines: [
            {
              metric: 'etf.flow',
              entity: ENTITY,
              keys: [ticker ?? ''],
              labels: { [ticker ?? '']: ticker ?? name },
            },
          ],
          defaults: { grain: 'week' },
        },
      ],
    }
  const isQuoted = currency !== null && kind !== 'government'
  return {
    question: `How much bitcoin does ${name} hold, on what evidence, and what is behind ${isQuoted ? 'each share' : 'that figure'}?`,
    kpis: [
      { metric: 'btc.held', label: 'Bitcoin held' },
      { metric: 'evidence.age', label: 'Age of the evidence' },
      { metric: 'value.usd', label: 'Worth' },
      ...(kind === 'government' ? [] : [{ metric: 'pnl.unrealised', label: 'Unrealized profit' }]),
      ...(isQuoted
        ? [
            { metric: 'mnav.basic', label: 'mNAV, basic', isQuiet: mainBusiness !== null },
            { metric: 'sats.per_share', label: 'Satoshis per share' },
          ]
        : []),
    ],
    charts: [
      heldChart(name),
      ...(kind === 'government' ? [] : [costChart(id), movesChart(name)]),
      ...(isQuoted ? marketCharts(id, mainBusiness) : []),
    ],
  }
}

const heldChart = (name: string): ChartSpec => ({
  id: 'held',
  title: 'Bitcoin held',
  kind: 'area',
  wide: true,
  lines: [{ metric: 'btc.held', label: name }],
  note: 'As reported on the day. See the evidence below.',
})
const costChart = (id: string): ChartSpec => ({
  id: 'cost',
  title: 'When it bought, against the price of bitcoin',
  kind: 'line',
  wide: true,
  lines: [
    {
      metric: 'price.close',
      entity: ENTITY,
      label: 'price',
      isFaint: true,
      sized: { metric: 'btc.change', entity: id, label: 'net purchases' },
    },
    { metric: 'cost.average', label: 'average cost' },
  ],
  note: 'Circles: purchases, sized by amount, on the day they were reported. Pale circles: sales.',
})
const movesChart = (name: string): ChartSpec => ({
  id: 'moves',
  title: 'Bought less sold',
  kind: 'bars',
  lines: [{ metric: 'btc.change', label: name }],
  defaults: { grain: 'week' },
})
const LENSES = {
  'mnav.basic': 'basic',
  'mnav.diluted': 'diluted',
  'mnav.ev': 'with debt',
  'mnav.ev_if_converted': 'converted',
}
const marketCharts = (id: string, mainBusiness: string | null): ChartSpec[] => [
  {
    id: 'lenses',
    title: 'mNAV through four lenses',
    kind: 'line',
    lines: Object.entries(LENSES).map(([metric, label]) => ({
      metric,
      label,
      entity: id,
      isQuiet: mainBusiness !== null,
    })),
    ...(mainBusiness !== null && {
      note: `Gray: its main business is ${mainBusiness}, which its share price also reflects. The distance from 1 says little about its bitcoin.`,
    }),
  },
  {
    id: 'per-share',
    title: 'Satoshis per share',
    kind: 'line',
    lines: [{ metric: 'sats.per_share', keys: ['basic', 'diluted'] }],
    note: 'The gap is potential dilution.',
  },
  {
    id: 'dilution',
    title: 'From a basic share to a diluted one',
    kind: 'waterfall',
    over: 'newest',
    end: 'diluted',
    lines: [{ metric: 'sats.dilution', keys: Object.keys(DILUTES), labels: DILUTES }],
    note: 'Satoshis per share, and how many each kind of instrument would take if all of it became shares, at any strike.',
  },
  {
    id: 'btc-yield',
    title: 'BTC yield of 90 days',
    kind: 'line',
    lines: [{ metric: 'btc.yield', label: 'basic' }],
  },
  {
    id: 'cover',
    title: 'Days to cover the premium',
    kind: 'line',
    lines: [{ metric: 'days_to_cover.mnav', label: 'at the pace of 90 days' }],
    note: 'Nothing on days on which a share cost no more than its bitcoin, or the pace was none.',
  },
]

/** Tables of the page of one holder. */
export const tablesOf = ({ kind, addresses }: Treasury): readonly string[] =>
  kind === 'etf'
    ? ['flows', 'evidence']
    : [
        ...(kind === 'government' ? [] : ['events']),
        'evidence',
        ...(kind === 'government' ? [] : ['shock', 'instruments']),
        ...(addresses.length > 0 ? ['addresses'] : []),
        'peers',
      ]
