import type { ComparedFigure, Comparison } from '#http/contract.ts'
import { percentText } from '../../format/figure.ts'
import { type Sum, sumOf } from './sums.ts'

/** One figure of the strip: a sum over layers, or the reason why there is none. */
export type LayerKpi = {
  key: string
  label: string
  sum: Sum | undefined
  /** Layers that the sum would be of. */
  of: number
  /** What stands below the figure besides its age. */
  note: string
  /** How it is added up, and what that leaves open. */
  method: string
  absent: string
}

/**
 * The strip: what layers hold, who uses them, what they pay Bitcoin, whether their pegs are covered.
 * @param bridged bitcoin on every layer of the directory, so that both pages give one sum
 * @param usableLayers layers on a main network
 */
export function kpisOf(
  { figures, changeRange }: Comparison,
  bridged: Comparison,
  usableLayers: number,
  nameOf: (entity: string) => string,
): LayerKpi[] {
  const of = (metric: string) => figures.filter(figure => figure.metric === metric && figure.of !== null)
  const ofLayers = (metric: string) => of(metric).filter(({ entity }) => entity !== 'bitcoin')
  const sum = (metric: string) => sumOf(ofLayers(metric), nameOf, changeRange)
  const absent = (metric: string) => ofLayers(metric)[0]?.absent ?? 'No source yet.'
  const layers = new Set(figures.map(({ entity }) => entity)).size - 1
  const btc = sumOf(bridged.figures, nameOf, changeRange)
  return [
    {
      key: 'btc.bridged',
      label: 'BTC bridged',
      sum: btc,
      of: usableLayers,
      note: btc ? shareOfIssued(btc, of('supply.issued')) : '',
      method:
        'Latest reported bitcoin and bitcoin tokens on every layer in the directory. A bitcoin wrapped on one layer and bridged to another may count in both.',
      absent: bridged.figures[0]?.absent ?? 'No data yet',
    },
    {
      key: 'tvl.total',
      label: 'TVL',
      sum: sum('tvl.total'),
      of: layers,
      note: '',
      method:
        'TVL in the protocols of each layer, as reported. The source excludes receipt tokens deposited elsewhere. Idle coins on a layer are excluded.',
      absent: absent('tvl.total'),
    },
    {
      key: 'addresses.senders',
      label: 'Active addresses',
      sum: sum('addresses.senders'),
      of: layers,
      note: '',
      method:
        'Distinct senders of the UTC day on each layer, added up: one person with addresses on two layers counts twice.',
      absent: absent('addresses.senders'),
    },
    {
      key: 'l1.fees',
      label: 'Fees paid to Bitcoin',
      sum: sum('l1.fees'),
      of: ofLayers('l1.fees').length,
      note: '',
      method:
        'Inputs less outputs of the transactions that layers write on Bitcoin, in the UTC day. Bids and payouts are value, not fees.',
      absent: absent('l1.fees'),
    },
    pegKpi(ofLayers('peg.reserve'), ofLayers('peg.supply'), nameOf, changeRange),
  ]
}

/** Bitcoin ever to be: 20,999,999.9769 of them. */
const MOST_SAT = 2_099_999_997_690_000
/** Issuance moves by less than a thousandth in as many days. */
const NEAR_DAYS = 31

/** Against what was issued at that time, where that is known here; else against all that will ever be. */
function shareOfIssued({ value, to }: Sum, issued: readonly ComparedFigure[]): string {
  const near = issued.find(
    figure =>
      figure.value !== null && figure.day !== null && Math.abs(daysBetween(figure.day, to)) <= NEAR_DAYS,
  )
  return near
    ? `${percentText(Number(value) / Number(near.value), 2)} of issued`
    : `${percentText(Number(value) / MOST_SAT, 2)} of 21 M`
}

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000

/** Reserve ÷ supply over the pegs of which both are known; where only the supply is, that is told. */
function pegKpi(
  reserves: readonly ComparedFigure[],
  supplies: readonly ComparedFigure[],
  nameOf: (entity: string) => string,
  changeRange: Comparison['changeRange'],
): LayerKpi {
  const isBoth = ({ entity, day }: ComparedFigure) =>
    supplies.some(other => other.entity === entity && other.day === day && other.value !== null)
  const reserve = sumOf(reserves.filter(isBoth), nameOf, changeRange)
  const supply = sumOf(
    supplies.filter(
      ({ entity }) => reserve === undefined || reserve.addends.some(part => part.entity === entity),
    ),
    nameOf,
    changeRange,
  )
  const shared = {
    key: 'peg',
    of: supplies.length,
    method:
      'Reserve and supply at the same time: unspent signer outputs on Bitcoin against tokens on the layer. Pegs with only one side available are not in the ratio.',
    absent: supplies[0]?.absent ?? 'No peg data yet.',
  }
  if (reserve === undefined || supply === undefined)
    return {
      ...shared,
      label: supply ? 'Supply of pegs' : 'Peg reserve',
      sum: supply,
      note: supply ? 'no reserve data yet' : '',
    }
  const ratio = Number(reserve.value) / Number(supply.value)
  return {
    ...shared,
    label: 'Peg reserve',
    sum: reserve,
    note: `${percentText(ratio, 4)} of supply`,
  }
}
