import { Link } from 'react-router'
import type { StacksCoin, StacksCoins } from '#http/contract.ts'
import { shortened } from '../../../blocks/CopyText.tsx'
import { countColumn } from '../../../blocks/countColumn.ts'
import { TableCard, type TableColumn } from '../../../blocks/TableCard.tsx'
import { timeText } from '../../../format/day.ts'
import { changeText, exactUnits, grouped, percentText, significant } from '../../../format/figure.ts'
import { Principal } from '../Principal.tsx'
import styles from './Coins.module.css'

const stx = (ustx: string | null): string => (ustx === null ? '–' : significant(Number(ustx) / 1e6, 3))

/** Coins with a page of their own. */
const PAGES: Readonly<Record<string, string>> = {
  'SP3NE50GEXFG9SZGTT51P40X2CKYSZ5CC4ZTZ7A2G.welshcorgicoin-token': '/welsh',
}
const coinPath = ({ contract }: StacksCoin): string => PAGES[contract] ?? `/stacks/contract/${contract}`

const coinColumn: TableColumn<StacksCoin> = {
  key: 'coin',
  label: 'Coin',
  value: coin => coin.symbol,
  cell: coin => (
    <Link to={coinPath(coin)} title={coin.contract}>
      <bdi>{coin.symbol}</bdi>
      {coin.listed === null && (
        <span className={styles.stranger}>
          {' '}
          {coin.contract.slice(0, 5)}…{coin.contract.slice(coin.contract.indexOf('.'))}
        </span>
      )}
    </Link>
  ),
}

const FLAG_ORDER = { severe: 0, caution: 1, note: 2 } as const

const flagColumn: TableColumn<StacksCoin> = {
  key: 'flags',
  label: 'What its contract allows',
  title: 'Read from the source of the contract, or from the names of its functions, by named rules',
  value: coin => coin.flags?.map(({ label }) => label).join(', ') ?? null,
  cell: ({ flags }) => {
    if (flags === null) return <span className={styles.stranger}>source not held</span>
    if (flags.length === 0) return 'nothing of what the rules look for'
    return (
      <ul className={styles.flags}>
        {flags
          .toSorted((a, b) => FLAG_ORDER[a.grade] - FLAG_ORDER[b.grade])
          .map(flag => (
            <li key={flag.id} className={styles[flag.grade]} title={titleOf(flag)}>
              {flag.label}
            </li>
          ))}
      </ul>
    )
  },
}

const titleOf = ({ means, functions, from }: NonNullable<StacksCoin['flags']>[number]): string =>
  functions.length === 0
    ? means
    : `${means} ${from === 'source' ? 'By its source' : 'By the names of its functions'}: ${functions.join(', ')}.`

const shareColumn = (
  key: string,
  label: string,
  of: (coin: StacksCoin) => number | null,
  title: string,
): TableColumn<StacksCoin> => ({
  key,
  label,
  title,
  isNumber: true,
  value: of,
  cell: coin => {
    const share = of(coin)
    return share === null ? '–' : percentText(share, 3)
  },
})

const holderColumns: readonly TableColumn<StacksCoin>[] = [
  {
    ...countColumn<StacksCoin>('holders', 'Holders', coin => coin.holders),
    title:
      'Addresses with some, without contracts and what is burned; a dash where blocks since the token was made are missing',
  },
  shareColumn('top10', 'Ten largest', coin => coin.top10Share, 'Share of what holders have'),
  {
    key: 'gini',
    label: 'Gini',
    title: 'How unequally holders have it: 0 all alike, 1 one has all',
    isNumber: true,
    isOptional: true,
    value: coin => coin.gini,
    cell: coin => (coin.gini === null ? '–' : coin.gini.toFixed(3)),
  },
]

const MEMES: readonly TableColumn<StacksCoin>[] = [
  coinColumn,
  {
    key: 'price',
    label: 'Price, STX',
    isNumber: true,
    title: 'Of the newest swap against STX, whatever its size',
    value: coin => coin.priceUstx,
    cell: coin => (coin.priceUstx === null ? '–' : significant(coin.priceUstx / 1e6, 3)),
  },
  {
    key: 'change',
    label: '7 days',
    isNumber: true,
    value: coin => coin.change,
    cell: coin => (
      <span className={coin.change === null ? undefined : coin.change < 0 ? styles.down : styles.up}>
        {coin.change === null ? '–' : changeText(coin.change)}
      </span>
    ),
  },
  {
    key: 'volume',
    label: 'Volume, STX',
    isNumber: true,
    title: 'Swapped against STX in the newest 7 days',
    value: coin => Number(coin.volumeUstx) / 1e6,
    cell: coin => stx(coin.volumeUstx),
  },
  {
    key: 'liquidity',
    label: 'In pools, STX',
    isNumber: true,
    title: 'Twice the STX in its pools, by their newest report',
    value: coin => (coin.liquidityUstx === null ? null : Number(coin.liquidityUstx) / 1e6),
    cell: coin => stx(coin.liquidityUstx),
  },
  countColumn('trades', 'Trades', coin => coin.trades),
  {
    key: 'sides',
    label: 'Buyers, sellers',
    isNumber: true,
    value: coin => coin.buyers + coin.sellers,
    cell: coin => `${grouped(String(coin.buyers))}, ${grouped(String(coin.sellers))}`,
  },
  ...holderColumns,
  { ...countColumn<StacksCoin>('moves', 'Movements, 30 days', coin => coin.moves), isOptional: true },
  flagColumn,
]

const coinWords = ({ symbol, name, contract }: StacksCoin): string => `${symbol} ${name} ${contract}`

/** Of the catalogue’s coins those that the rows held tell of: a row of dashes tells nothing. */
const isSeen = ({ moves, trades, liquidityUstx, holders }: StacksCoin): boolean =>
  moves > 0 || trades > 0 || liquidityUstx !== null || holders !== null

export function MemesTable({ coins }: { coins: readonly StacksCoin[] }) {
  return (
    <TableCard
      id="coins"
      title="Meme coins"
      sub="Those that the catalogue knows, and every other token that moved in the newest 30 days; trades of 7 days"
      rows={coins.filter(isSeen)}
      columns={MEMES}
      rowKey={({ asset }) => asset}
      words={coinWords}
      sort="-volume"
      empty="No coin moved in the blocks held: with internet blocks come from the public API, from the newest on."
    />
  )
}

const STABLES: readonly TableColumn<StacksCoin>[] = [
  coinColumn,
  {
    key: 'supply',
    label: 'Supply',
    isNumber: true,
    title: 'As its contract says, or the sum of balances where all of them are held',
    value: coin => (coin.supply === null ? null : Number(coin.supply) / 10 ** (coin.decimals ?? 0)),
    cell: coin => (coin.supply === null ? '–' : exactUnits(coin.supply, coin.decimals ?? 0)),
  },
  {
    key: 'backing',
    label: 'Who keeps what backs it',
    value: coin => coin.custody,
    cell: coin => <span className={styles.prose}>{coin.custody ?? 'not told'}</span>,
  },
  flagColumn,
  ...holderColumns,
  countColumn('contracts', 'Contracts that hold it', coin => coin.contracts),
  { ...countColumn<StacksCoin>('moves', 'Movements, 30 days', coin => coin.moves) },
  {
    key: 'used',
    label: 'Where it lies',
    value: coin => coin.usedBy.map(({ contract }) => contract).join(', '),
    cell: coin =>
      coin.usedBy.length === 0 ? (
        '–'
      ) : (
        <ul className={styles.used}>
          {coin.usedBy.slice(0, 4).map(({ contract, words }) => (
            <li key={contract}>
              {words} in <Principal of={contract} />
            </li>
          ))}
        </ul>
      ),
  },
]

export function StablesTable({ coins }: { coins: readonly StacksCoin[] }) {
  return (
    <TableCard
      id="coins"
      title="Stablecoins"
      sub="Supply, backing, concentration and use"
      rows={coins}
      columns={STABLES}
      rowKey={({ asset }) => asset}
      words={coinWords}
      sort="-moves"
    />
  )
}

const ROTATION: readonly TableColumn<StacksCoin>[] = [
  coinColumn,
  {
    key: 'net',
    label: 'Bought less sold, STX',
    isNumber: true,
    value: coin => Number(coin.netBoughtUstx) / 1e6,
    cell: coin => (
      <span className={coin.netBoughtUstx.startsWith('-') ? styles.down : styles.up}>
        {coin.netBoughtUstx.startsWith('-') ? '−' : '+'}
        {stx(coin.netBoughtUstx.replace('-', ''))}
      </span>
    ),
  },
  {
    key: 'volume',
    label: 'Volume, STX',
    isNumber: true,
    value: coin => Number(coin.volumeUstx) / 1e6,
    cell: coin => stx(coin.volumeUstx),
  },
  {
    key: 'before',
    label: '7 days before, STX',
    isNumber: true,
    value: coin => Number(coin.volumeBeforeUstx) / 1e6,
    cell: coin => stx(coin.volumeBeforeUstx),
  },
]

/** Where STX went to and came from, coin by coin. */
export function RotationTable({ coins }: { coins: readonly StacksCoin[] }) {
  return (
    <TableCard
      id="rotation"
      title="Rotation"
      sub="STX that went into each coin and came out of it, by swaps of 7 days"
      rows={coins.filter(({ trades, volumeBeforeUstx }) => trades > 0 || volumeBeforeUstx !== '0')}
      columns={ROTATION}
      rowKey={({ asset }) => asset}
      words={coinWords}
      sort="-net"
      empty="No swap of these coins against STX is held of the newest 14 days."
    />
  )
}

type Trade = StacksCoins['trades'][number]
const txCell = (txid: string) => (
  <Link to={`/stacks/tx/${txid}`} title={txid}>
    <code>{shortened(txid, 6)}</code>
  </Link>
)
const TRADES: readonly TableColumn<Trade>[] = [
  { key: 'time', label: 'Time', value: trade => trade.time, cell: trade => timeText(trade.time) },
  { key: 'given', label: 'Gave', value: trade => trade.given },
  { key: 'got', label: 'Got', value: trade => trade.got },
  {
    key: 'trader',
    label: 'Trader',
    value: trade => trade.trader,
    cell: trade => <Principal of={trade.trader} name={trade.traderName} />,
  },
  { key: 'protocol', label: 'On', value: trade => trade.protocol },
  { key: 'txid', label: 'Transaction', value: trade => trade.txid, cell: trade => txCell(trade.txid) },
]

export function TradesTable({ trades }: { trades: readonly Trade[] }) {
  return (
    <TableCard
      id="trades"
      title="Trades"
      sub="The newest 100 swaps, on exchanges whose pools are read"
      rows={trades}
      columns={TRADES}
      rowKey={trade => `${trade.txid}.${trade.given}.${trade.got}.${trades.indexOf(trade)}`}
      words={trade => `${trade.given} ${trade.got} ${trade.trader} ${trade.traderName ?? ''}`}
      empty="No swap of these coins is in the blocks held: with internet blocks come from the public API, from the newest on."
    />
  )
}

type Mint = StacksCoins['mints'][number]
const MINTS: readonly TableColumn<Mint>[] = [
  { key: 'time', label: 'Time', value: mint => mint.time, cell: mint => timeText(mint.time) },
  { key: 'action', label: 'Was', value: mint => (mint.action === 'mint' ? 'made' : 'destroyed') },
  { key: 'words', label: 'What', value: mint => mint.words },
  {
    key: 'who',
    label: 'For, or of',
    value: mint => mint.who,
    cell: mint => <Principal of={mint.who} name={mint.whoName} />,
  },
  { key: 'txid', label: 'Transaction', value: mint => mint.txid, cell: mint => txCell(mint.txid) },
]

export function MintsTable({ mints }: { mints: readonly Mint[] }) {
  return (
    <TableCard
      id="mints"
      title="Made and destroyed"
      sub="The newest 100 mints and burns"
      rows={mints}
      columns={MINTS}
      rowKey={mint => `${mint.txid}.${mints.indexOf(mint)}`}
      words={mint => `${mint.words} ${mint.who} ${mint.whoName ?? ''}`}
      empty="No mint or burn of these coins is in the blocks held: with internet blocks come from the public API, from the newest on."
    />
  )
}

type Made = StacksCoins['made'][number]
const MADE: readonly TableColumn<Made>[] = [
  {
    key: 'contract',
    label: 'Contract',
    value: made => made.contract,
    cell: made => <Principal of={made.contract} />,
  },
  {
    key: 'deployer',
    label: 'Made by',
    value: made => made.deployer,
    cell: made => <Principal of={made.deployer} name={made.deployerName} />,
  },
  { key: 'time', label: 'Time', value: made => made.time, cell: made => timeText(made.time) },
  { key: 'txid', label: 'Transaction', value: made => made.txid, cell: made => txCell(made.txid) },
]

export function NewCoinsTable({ made }: { made: readonly Made[] }) {
  return (
    <TableCard
      id="made"
      title="New tokens"
      sub="The newest contracts that define a fungible token: of pools and wrappers too"
      rows={made}
      columns={MADE}
      rowKey={({ contract }) => contract}
      words={({ contract }) => contract}
      empty="No contract in the blocks held defines a fungible token."
    />
  )
}

const LEFT_OUT: readonly TableColumn<StacksCoin>[] = [
  coinColumn,
  { key: 'why', label: 'Left out, since', value: coin => coin.spam },
  countColumn('moves', 'Movements, 30 days', coin => coin.moves),
]

/** Spam by the stated rule, shown rather than hidden. Nothing where there is none. */
export function LeftOutTable({ coins }: { coins: readonly StacksCoin[] }) {
  if (coins.length === 0) return null
  return (
    <TableCard
      id="leftout"
      title="Left out"
      sub="Tokens that nobody lists whose name is an address or a promise, or that one sender sent to many and nobody swapped"
      rows={coins}
      columns={LEFT_OUT}
      rowKey={({ asset }) => asset}
      words={coinWords}
    />
  )
}
