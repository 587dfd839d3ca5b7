import type { BalancesAnswer } from '#http/contract.ts'
import { entityColour } from '../../blocks/chart/entityColour.ts'
import { Sparkline } from '../../blocks/Sparkline.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import { exactBtc, exactStx, exactUnits, grouped } from '../../format/figure.ts'
import styles from './Balances.module.css'
import { accountPath, accountText, type Covered, useCovered } from './chains.ts'
import { ChainLink, chainColumn } from './parts.tsx'

type Balance = BalancesAnswer['balances'][number]
type Named = Pick<Balance, 'chain' | 'asset' | 'symbol' | 'decimals' | 'tokenId'>

/** What a coin or token is called. */
export function assetName(
  { chain, asset, symbol, tokenId }: Omit<Named, 'decimals'>,
  covered: Covered,
): string {
  if (asset === 'native') return covered.of(chain).coin
  const name = symbol ?? asset.split('::')[1] ?? accountText(chain, asset)
  return tokenId === null ? name : `${name} no. ${grouped(tokenId)}`
}

/** Every digit, with the decimals that the token says it has; base units where it says none. */
export function exactAmount({ chain, asset, decimals, tokenId }: Named, amount: string): string {
  if (asset === 'native') {
    if (chain === 'bitcoin') return exactBtc(amount).replace(' BTC', '')
    if (chain === 'stacks') return exactStx(amount).replace(' STX', '')
    return exactUnits(amount, 18)
  }
  if (tokenId !== null) return grouped(amount)
  return decimals === null ? `${grouped(amount)} base units` : exactUnits(amount, decimals)
}

/** Rows that a browser draws at once; files have all of them. */
const MOST_ROWS = 500

/** Balances of one address or of many; `isSingle` leaves the address out. */
export function BalancesTable({ answer, isSingle }: { answer: BalancesAnswer; isSingle?: boolean }) {
  const covered = useCovered()
  const unknown = answer.balances.filter(({ balance }) => balance === null).length
  return (
    <TableCard
      id="balances"
      title="Balances"
      {...(unknown > 0 && {
        sub: `${unknown} of ${answer.balances.length} cannot be derived from indexed data. Their change is shown instead of a balance`,
      })}
      rows={answer.balances.slice(0, MOST_ROWS)}
      columns={isSingle ? columnsOf(covered) : [ADDRESS, ...columnsOf(covered)]}
      rowKey={row => `${row.address}.${row.chain}.${row.asset}.${row.tokenId ?? ''}`}
      words={row => `${row.address} ${row.chain} ${assetName(row, covered)}`}
      empty="No indexed block moved a coin or token here, and no node was queried. This does not mean a balance of zero. See below for indexed ranges."
      foot={
        <>
          {answer.balances.length > MOST_ROWS && (
            <span>
              The first {MOST_ROWS} of {grouped(String(answer.balances.length))}; the file has all of them
            </span>
          )}
          {answer.unanswered.map(sentence => (
            <span key={sentence}>{sentence}</span>
          ))}
        </>
      }
    />
  )
}

const ADDRESS: TableColumn<Balance> = {
  key: 'address',
  label: 'Address',
  value: row => row.address,
  cell: row => {
    const path = accountPath(row.chain, row.address)
    const text = <code>{accountText(row.chain === 'bitcoin' ? 'core' : row.chain, row.address)}</code>
    return (
      <ChainLink chain={row.chain} to={path} title={row.address}>
        {text}
      </ChainLink>
    )
  },
}

const columnsOf = (covered: Covered): readonly TableColumn<Balance>[] => [
  {
    key: 'asset',
    label: 'Asset',
    value: row => assetName(row, covered),
    cell: row => (
      <span className={styles.amount}>
        <span title={row.asset}>{assetName(row, covered)}</span>
        {row.asset !== 'native' && <small>{row.isListed ? 'listed in the catalog' : 'self-reported'}</small>}
      </span>
    ),
  },
  chainColumn(covered),
  {
    key: 'balance',
    label: 'Balance',
    isNumber: true,
    value: row => (row.balance === null ? null : Number(row.balance)),
    cell: row => (row.balance === null ? 'not known' : exactAmount(row, row.balance)),
  },
  {
    key: 'change',
    label: 'Change in indexed blocks',
    isNumber: true,
    value: row => Number(row.change),
    cell: row => `${row.change.startsWith('-') ? '' : '+'}${exactAmount(row, row.change)}`,
  },
  {
    key: 'block',
    label: 'As of block',
    isNumber: true,
    value: row => row.height,
    cell: row => grouped(String(row.height)),
  },
  {
    key: 'source',
    label: 'From',
    value: row => row.why ?? row.source,
    cell: row => (
      <span className={styles.why}>
        {row.why ?? (row.source === 'node' ? 'a node, now' : 'all rows of it')}
      </span>
    ),
  },
]

type Past = BalancesAnswer['history'][number] & Pick<Balance, 'symbol' | 'decimals'>

/** What happened to each asset of one address, by day. */
export function HistoryTable({ answer }: { answer: BalancesAnswer }) {
  const covered = useCovered()
  const rows = answer.history.map((past): Past => {
    const now = answer.balances.find(
      one => one.chain === past.chain && one.asset === past.asset && one.tokenId === past.tokenId,
    )
    return { ...past, symbol: now?.symbol ?? null, decimals: now?.decimals ?? null }
  })
  if (rows.length === 0) return null
  return (
    <TableCard
      id="history"
      title="Over time"
      sub="By day with movements. Without a known balance, the summed change in indexed blocks"
      rows={rows}
      columns={pastColumns(covered)}
      rowKey={row => `${row.chain}.${row.asset}.${row.tokenId ?? ''}`}
    />
  )
}

const pastColumns = (covered: Covered): readonly TableColumn<Past>[] => [
  { key: 'asset', label: 'Asset', value: row => assetName(row, covered) },
  chainColumn(covered),
  {
    key: 'line',
    label: 'Course',
    value: row => row.points.map(({ value }) => value).join(' '),
    cell: row => (
      <Sparkline values={row.points.map(({ value }) => Number(value))} colour={entityColour(row.chain)} />
    ),
  },
  { key: 'days', label: 'Days', isNumber: true, value: row => row.points.length },
  {
    key: 'first',
    label: 'First',
    value: row => row.points[0]?.day ?? null,
    cell: row => dayText(row.points[0]?.day ?? ''),
  },
  {
    key: 'last',
    label: 'Newest',
    value: row => row.points.at(-1)?.day ?? null,
    cell: row => dayText(row.points.at(-1)?.day ?? ''),
  },
  {
    key: 'end',
    label: 'At the end',
    isNumber: true,
    value: row => Number(row.points.at(-1)?.value ?? 0),
    cell: row => (
      <span className={styles.amount}>
        <span>{exactAmount(row, row.points.at(-1)?.value ?? '0')}</span>
        <small>{row.isBalance ? 'balance' : 'change'}</small>
      </span>
    ),
  },
]

type Line = BalancesAnswer['lines'][number]

const NOTHING = 'No indexed block moved any of its coins or tokens. This does not mean a balance of zero.'

/** Every line that has no balance above, each with its reason: none is passed over in silence. */
export function LinesTable({ answer: { lines, balances } }: { answer: BalancesAnswer }) {
  const found = new Set(balances.map(({ address }) => address))
  const rows = lines.flatMap(line =>
    line.problem !== null
      ? [line]
      : line.address !== null && !found.has(line.address)
        ? [{ ...line, problem: NOTHING }]
        : [],
  )
  if (rows.length === 0) return null
  return (
    <TableCard
      id="lines"
      title="Lines without a balance"
      sub="The others are answered above"
      rows={rows}
      columns={LINES}
      rowKey={row => String(row.line)}
    />
  )
}

const LINES: readonly TableColumn<Line>[] = [
  { key: 'line', label: 'Line', isNumber: true, value: row => row.line },
  { key: 'input', label: 'Input', value: row => row.input, cell: row => <code>{row.input}</code> },
  {
    key: 'problem',
    label: 'Why',
    value: row => row.problem,
    cell: row => <span className={styles.why}>{row.problem}</span>,
  },
]
