import type { LoadedChart } from '../../blocks/load/loadChart.server.ts'
import { Sparkline } from '../../blocks/Sparkline.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { percentText } from '../../format/figure.ts'

type Pool = { name: string; colour: string; share: number; latest: number | null; spark: (number | null)[] }

const COLUMNS: readonly TableColumn<Pool>[] = [
  { key: 'pool', label: 'Pool', value: pool => pool.name },
  {
    key: 'share',
    label: 'Share in the range',
    isNumber: true,
    value: pool => pool.share,
    cell: pool => percentText(pool.share),
  },
  {
    key: 'latest',
    label: 'Latest bucket',
    isNumber: true,
    value: pool => pool.latest,
    cell: pool => (pool.latest === null ? '–' : percentText(pool.latest)),
  },
  {
    key: 'trend',
    label: 'Trend',
    value: pool => pool.latest,
    cell: pool => <Sparkline values={pool.spark} colour={pool.colour} />,
  },
]

/** The lines of the pool chart as rows: mean share over the buckets of the range. */
export function PoolsTable({ charts }: { charts: readonly LoadedChart[] }) {
  const chart = charts.find(({ id }) => id === 'pools')
  if (chart?.state !== 'drawn') return null
  const pools = chart.plot.lines.map((line): Pool => {
    const known = line.values.map(value => value ?? 0)
    const share = known.reduce((sum, value) => sum + value, 0) / Math.max(known.length, 1)
    return {
      name: line.label,
      colour: line.colour,
      share,
      latest: line.values.at(-1) ?? null,
      spark: line.values.slice(-30),
    }
  })
  return (
    <TableCard
      id="pooltable"
      title="Pools"
      sub="Mean share of blocks over the days of the range"
      rows={pools.toSorted((a, b) => b.share - a.share)}
      columns={COLUMNS}
      rowKey={pool => pool.name}
      words={pool => pool.name}
    />
  )
}
