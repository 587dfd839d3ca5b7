import { Link } from 'react-router'
import type { StacksCoins } from '#http/contract.ts'
import { shortened } from '../../../blocks/CopyText.tsx'
import { TableCard, type TableColumn } from '../../../blocks/TableCard.tsx'
import { timeText } from '../../../format/day.ts'
import { AppName } from '../../apps/AppName.tsx'
import { Principal } from '../Principal.tsx'

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
  {
    key: 'protocol',
    label: 'On',
    value: trade => trade.protocol,
    cell: trade => <AppName of={trade.protocol} />,
  },
  { key: 'txid', label: 'Transaction', value: trade => trade.txid, cell: trade => txCell(trade.txid) },
]

export function TradesTable({ trades }: { trades: readonly Trade[] }) {
  return (
    <TableCard
      id="trades"
      title="Trades"
      sub="Latest 100 swaps on indexed exchanges"
      rows={trades}
      columns={TRADES}
      rowKey={trade => `${trade.txid}.${trade.given}.${trade.got}.${trades.indexOf(trade)}`}
      words={trade => `${trade.given} ${trade.got} ${trade.trader} ${trade.traderName ?? ''}`}
      empty="No swaps of these coins in the indexed blocks. With internet, blocks come from the public API, latest first."
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
      sub="Latest 100 mints and burns"
      rows={mints}
      columns={MINTS}
      rowKey={mint => `${mint.txid}.${mints.indexOf(mint)}`}
      words={mint => `${mint.words} ${mint.who} ${mint.whoName ?? ''}`}
      empty="No mints or burns of these coins in the indexed blocks. With internet, blocks come from the public API, latest first."
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
      sub="Latest contracts that define a fungible token, including pools and wrappers"
      rows={made}
      columns={MADE}
      rowKey={({ contract }) => contract}
      words={({ contract }) => contract}
      empty="No contract in the indexed blocks defines a fungible token."
    />
  )
}
