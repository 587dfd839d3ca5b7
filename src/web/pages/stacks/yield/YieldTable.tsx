import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { StacksYieldRow } from '#http/contract.ts'
import { AssayLink } from '../../../blocks/chart/embed.tsx'
import { TableCard, type TableColumn } from '../../../blocks/TableCard.tsx'
import { dayText } from '../../../format/day.ts'
import { exactBtc, exactStx, figureText, grouped } from '../../../format/figure.ts'
import { principalText } from '../principal.ts'

const WAY: Record<StacksYieldRow['way'], string> = {
  pool: 'with a pool',
  direct: 'alone',
  delegated: 'with a pool',
  stake: 'staked',
  bond: 'bond',
}
/** Pools whose members are recorded. */
const POOLS: Readonly<Record<string, string>> = { 'fast-pool': 'Fast Pool' }
const BASIS: Record<StacksYieldRow['basis'], string> = {
  payouts: 'paid to its own Bitcoin address',
  shared_payouts: 'its share of what an address of several was paid',
  share: 'its share of what the pool paid',
  claims: 'claimed in PoX-5',
  unclaimed: 'nothing claimed in the indexed blocks',
  unknown: 'what it was paid is not recorded',
}

const amountOf = (sat: string | null, ustx: string | null): ReactNode =>
  sat !== null ? exactBtc(sat) : ustx !== null ? exactStx(ustx) : '–'
const ratio = (value: number | null): string => figureText(value, 'ratio').text
const usd = (value: number | null): string => figureText(value, 'USD').text

function viaText({ way, via }: StacksYieldRow): ReactNode {
  if (via === '') return WAY[way]
  if (way === 'pool') return <AssayLink assay={`pox.stacked@${via}`}>{POOLS[via] ?? via}</AssayLink>
  if (way === 'bond') return `bond ${via}`
  return way === 'direct' ? `alone, to ${via.slice(0, 8)}…` : `${WAY[way]} ${principalText(via)}`
}

const columnsFor = (hasBonds: boolean): TableColumn<StacksYieldRow>[] => [
  { key: 'cycle', label: 'Cycle', value: row => row.cycle, cell: row => grouped(String(row.cycle)) },
  {
    key: 'ended',
    label: 'Ended',
    value: row => row.endDay,
    cell: row => (row.endDay ? dayText(row.endDay) : 'not known'),
  },
  { key: 'way', label: 'How', value: row => `${WAY[row.way]} ${row.via}`, cell: viaText },
  {
    key: 'stacked',
    label: 'Stacked',
    isNumber: true,
    value: row => Number(row.stackedSat ?? row.stackedUstx ?? 0),
    cell: row => amountOf(row.stackedSat, row.stackedUstx),
  },
  {
    key: 'paid',
    label: 'Got',
    isNumber: true,
    title: 'In the coin in which it was paid',
    value: row =>
      row.paidSat === null && row.paidUstx === null ? null : Number(row.paidSat ?? row.paidUstx),
    cell: row => amountOf(row.paidSat, row.paidUstx),
  },
  {
    key: 'earned',
    label: 'Bitcoin behind it',
    isNumber: true,
    isOptional: true,
    title: 'What the pool swapped for it',
    value: row => (row.earnedSat === null ? null : Number(row.earnedSat)),
    cell: row => (row.earnedSat === null ? '–' : `${grouped(row.earnedSat)} sat`),
  },
  {
    key: 'usd',
    label: 'Worth then',
    isNumber: true,
    title: 'At the closes of the days of payment',
    value: row => row.paidUsd,
    cell: row => usd(row.paidUsd),
  },
  {
    key: 'yieldCycle',
    label: 'Yield of the cycle',
    isNumber: true,
    isOptional: true,
    value: row => row.yieldCycle,
    cell: row => ratio(row.yieldCycle),
  },
  {
    key: 'yield',
    label: 'Got, a year',
    isNumber: true,
    title: 'Simple, by the days of the cycle',
    value: row => row.yieldYear,
    cell: row => ratio(row.yieldYear),
  },
  {
    key: 'coin',
    label: 'In kind, a year',
    isNumber: true,
    title: 'STX on STX, or bitcoin on bitcoin: needs no price',
    value: row => row.coinYear,
    cell: row => ratio(row.coinYear),
  },
  {
    key: 'network',
    label: 'Network, a year',
    isNumber: true,
    title: 'pox.yield of that cycle, or of the pool if the network figure is missing',
    value: row => row.networkYear,
    cell: row =>
      row.networkOf === null ? (
        '–'
      ) : (
        <AssayLink assay={row.networkOf}>
          {ratio(row.networkYear)}
          {row.networkOf === 'pox.yield@stacks' ? '' : ' of the pool'}
        </AssayLink>
      ),
  },
  {
    key: 'promised',
    label: 'Promised',
    isOptional: !hasBonds,
    isNumber: true,
    title: 'What a bond aims at; pools promise nothing that is recorded',
    value: row => row.promisedYear,
    cell: row => ratio(row.promisedYear),
  },
  { key: 'basis', label: 'Basis', value: row => BASIS[row.basis] },
]

/** What an address got, cycle by cycle. */
export function YieldTable({ rows }: { rows: readonly StacksYieldRow[] }) {
  return (
    <TableCard
      id="yields"
      title="Cycle by cycle"
      sub="What it got is valued on the day of its payment: for a pool the day on which the cycle ended. What it had stacked, at the mean close of the cycle"
      rows={rows}
      columns={columnsFor(rows.some(({ way }) => way === 'bond'))}
      rowKey={row => `${row.cycle}.${row.way}.${row.via}`}
      words={row => `${row.cycle} ${row.via} ${WAY[row.way]} ${BASIS[row.basis]}`}
      empty="No stacking by it in recordings or indexed blocks."
      foot={<Link to="/stacks">How the network does it</Link>}
    />
  )
}
