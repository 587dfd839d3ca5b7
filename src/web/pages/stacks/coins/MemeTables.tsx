import type { StacksCoin } from '#http/contract.ts'
import { Change, Toned } from '../../../blocks/Change.tsx'
import { countColumn } from '../../../blocks/countColumn.ts'
import { TableCard, type TableColumn } from '../../../blocks/TableCard.tsx'
import { dayText } from '../../../format/day.ts'
import { grouped, significant } from '../../../format/figure.ts'
import { partialText } from '../../../format/indexed.ts'
import { coinColumn, coinWords, flagColumn, holderColumns, stx } from './coinColumns.tsx'

const inStx = (ustx: string | null): number | null => (ustx === null ? null : Number(ustx) / 1e6)

const changeColumn = (
  key: 'change1h' | 'change24h' | 'change7d',
  label: string,
): TableColumn<StacksCoin> => ({
  key,
  label,
  title: `Since the last swap before ${label} ago, from the latest indexed block`,
  isNumber: true,
  value: coin => coin[key],
  cell: ({ [key]: change }) => <Change change={change} />,
})

const MEMES: readonly TableColumn<StacksCoin>[] = [
  coinColumn(),
  {
    key: 'price',
    label: 'Price, STX',
    isNumber: true,
    title: 'From the latest swap against STX, regardless of size',
    value: coin => coin.priceUstx,
    cell: coin => (coin.priceUstx === null ? '–' : significant(coin.priceUstx / 1e6, 3)),
  },
  changeColumn('change1h', '1 hour'),
  changeColumn('change24h', '24 hours'),
  changeColumn('change7d', '7 days'),
  {
    key: 'mcap',
    label: 'Cap, STX',
    isNumber: true,
    title: 'All coins that there are at that price: not what they could be sold for',
    value: coin => (coin.mcapUstx === null ? null : coin.mcapUstx / 1e6),
    cell: coin => (coin.mcapUstx === null ? '–' : significant(coin.mcapUstx / 1e6, 3)),
  },
  {
    key: 'volume',
    label: 'Volume, STX',
    isNumber: true,
    title: 'Swapped against STX in the latest 7 days',
    value: coin => inStx(coin.volumeUstx),
    cell: coin => stx(coin.volumeUstx),
  },
  {
    key: 'liquidity',
    label: 'In pools, STX',
    isNumber: true,
    title: 'Twice the STX in its pools, from their latest report',
    value: coin => (coin.liquidityUstx === null ? null : Number(coin.liquidityUstx) / 1e6),
    cell: coin => stx(coin.liquidityUstx),
  },
  countColumn('trades', 'Trades', coin => coin.trades),
  {
    key: 'sides',
    label: 'Buyers, sellers',
    isNumber: true,
    value: ({ buyers, sellers }) => (buyers === null || sellers === null ? null : buyers + sellers),
    cell: ({ buyers, sellers }) =>
      buyers === null || sellers === null ? '–' : `${grouped(String(buyers))}, ${grouped(String(sellers))}`,
  },
  ...holderColumns,
  {
    key: 'made',
    label: 'Made',
    title: 'Day its contract was deployed. A dash if that block is not indexed',
    value: coin => coin.madeAt,
    cell: coin => (coin.madeAt === null ? '–' : dayText(coin.madeAt)),
  },
  { ...countColumn<StacksCoin>('moves', 'Movements, 30 days', coin => coin.moves), isOptional: true },
  flagColumn,
]

type CoinsProps = {
  readonly coins: readonly StacksCoin[]
  /** Of the newest hours those that are indexed; null where every block is. */
  readonly indexedHours: number | null
}

/** Of the catalogue’s coins those that the rows held tell of: a row of dashes tells nothing. */
const isSeen = ({ moves, trades, liquidityUstx, holders }: StacksCoin): boolean =>
  (moves ?? 0) > 0 || (trades ?? 0) > 0 || liquidityUstx !== null || holders !== null

export function MemesTable({ coins, indexedHours }: CoinsProps) {
  return (
    <TableCard
      id="coins"
      title="Meme coins"
      sub={`Catalog tokens, and every other token that moved in the latest 30 days. Trades over 7 days${partialText(indexedHours, 168)}`}
      rows={coins.filter(isSeen)}
      columns={MEMES}
      rowKey={({ asset }) => asset}
      words={coinWords}
      sort="-volume"
      empty="No coin moved in the indexed blocks. With internet, blocks come from the public API, latest first."
    />
  )
}

const ROTATION: readonly TableColumn<StacksCoin>[] = [
  coinColumn(),
  {
    key: 'net',
    label: 'Bought less sold, STX',
    isNumber: true,
    value: coin => inStx(coin.netBoughtUstx),
    cell: ({ netBoughtUstx: net }) =>
      net === null ? (
        '–'
      ) : (
        <Toned sign={Number(net)}>
          {net.startsWith('-') ? '−' : /[1-9]/.test(net) ? '+' : ''}
          {stx(net.replace('-', ''))}
        </Toned>
      ),
  },
  {
    key: 'volume',
    label: 'Volume, STX',
    isNumber: true,
    value: coin => inStx(coin.volumeUstx),
    cell: coin => stx(coin.volumeUstx),
  },
  {
    key: 'before',
    label: '7 days before, STX',
    isNumber: true,
    value: coin => inStx(coin.volumeBeforeUstx),
    cell: coin => stx(coin.volumeBeforeUstx),
  },
]

/** Where STX went to and came from, coin by coin. */
export function RotationTable({ coins, indexedHours }: CoinsProps) {
  return (
    <TableCard
      id="rotation"
      title="Rotation"
      sub={`STX that went into each coin and came out of it, by swaps of 7 days${partialText(indexedHours, 168)}`}
      rows={coins.filter(
        ({ trades, volumeBeforeUstx }) => (trades ?? 0) > 0 || Number(volumeBeforeUstx ?? 0) > 0,
      )}
      columns={ROTATION}
      rowKey={({ asset }) => asset}
      words={coinWords}
      sort="-net"
      empty="No indexed swaps of these coins against STX in the latest 14 days."
    />
  )
}

const LEFT_OUT: readonly TableColumn<StacksCoin>[] = [
  coinColumn(),
  { key: 'why', label: 'Left out, since', value: coin => coin.spam },
  countColumn('moves', 'Movements, 30 days', coin => coin.moves),
]

/** Spam by the stated rule, shown rather than hidden. Nothing where there is none. */
export function LeftOutTable({ coins, indexedHours }: CoinsProps) {
  if (coins.length === 0) return null
  return (
    <TableCard
      id="leftout"
      title="Left out"
      sub={`Unlisted tokens named after a web address or a promise, or sent by one sender to many and never swapped${partialText(indexedHours, 720)}`}
      rows={coins}
      columns={LEFT_OUT}
      rowKey={({ asset }) => asset}
      words={coinWords}
    />
  )
}
