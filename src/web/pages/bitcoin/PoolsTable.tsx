import { bucketText, newestWholeBucket } from '../../blocks/chart/plotData.ts'
import type { LoadedChart } from '../../blocks/load/loadChart.server.ts'
import { Sparkline } from '../../blocks/Sparkline.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { percentText } from '../../format/figure.ts'

type Pool = { name: string; colour: string; latest: number | null; spark: (number | null)[] }

const COLUMNS: readonly TableColumn<Pool>[] = [
  { key: 'pool', label: 'Pool', value: pool => pool.name },
  {
    key: 'latest',
    label: 'Share of blocks',
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

/** The lines of the pool chart as rows, by the newest whole bucket: a share over the range does not follow from shares of days. */
export function PoolsTable({ charts }: { charts: readonly LoadedChart[] }) {
  const chart = charts.find(({ id }) => id === 'pools')
  if (chart?.state !== 'drawn' || !('plot' in chart)) return null
  const { plot } = chart
  const bucket = newestWholeBucket(plot)
  const pools =
    bucket === undefined
      ? []
      : plot.lines.map(
          (line): Pool => ({
            name: line.label,
            colour: line.colour,
            latest: line.values[bucket] ?? null,
            // A share of a bucket with gaps in its blocks is that of a part.
            spark: line.values
              .map((value, index) => (line.incomplete.includes(index) ? null : value))
              .slice(Math.max(0, bucket - 29), bucket + 1),
          }),
        )
  return (
    <TableCard
      id="pooltable"
      title="Pools"
      sub={bucket === undefined ? 'Shares' : `Shares of ${bucketText(plot, bucket)}`}
      rows={pools.toSorted((a, b) => (b.latest ?? 0) - (a.latest ?? 0))}
      columns={COLUMNS}
      rowKey={pool => pool.name}
      words={pool => pool.name}
      empty="No full coverage in this range, so pools are not ranked. Choose a wider range, or load the missing blocks."
    />
  )
}
