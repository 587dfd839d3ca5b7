import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ChainHeldView, HotContractsAnswer } from '#http/contract.ts'
import { Change } from '../../blocks/Change.tsx'
import { entityColour } from '../../blocks/chart/entityColour.ts'
import { Sparkline } from '../../blocks/Sparkline.tsx'
import type { TableColumn } from '../../blocks/TableCard.tsx'
import { dayText, timeText } from '../../format/day.ts'
import { figureText, percentText } from '../../format/figure.ts'
import styles from './Across.module.css'
import { type AnyChain, accountText, type Covered, contractPath, useCovered } from './chains.ts'
import { type Held, noted, wholeRate } from './windowCount.tsx'

type Known = HotContractsAnswer['items'][number]['known']

/** A link to what is on a chain; the bare text where nothing has its page: of a chain that the catalogue no longer has. */
export function ChainLink({
  chain,
  to,
  title,
  children,
}: {
  chain: AnyChain
  to: string | null
  title?: string
  children: ReactNode
}) {
  const covered = useCovered()
  return to === null || !covered.has(chain) ? (
    <span title={title}>{children}</span>
  ) : (
    <Link to={to} title={title}>
      {children}
    </Link>
  )
}

/** A contract by the catalogue’s name, else short, with its address below. */
export function ContractCell({
  chain,
  contract,
  known,
}: {
  chain: AnyChain
  contract: string
  known: Known
}) {
  return (
    <span className={styles.contract}>
      <ChainLink chain={chain} to={contractPath(chain, contract)} title={contract}>
        {known === null ? <code>{accountText(chain, contract)}</code> : known.name}
      </ChainLink>
      {known !== null && <small>{accountText(chain, contract)}</small>}
    </span>
  )
}

export function ChainCell({ chain }: { chain: AnyChain }) {
  const covered = useCovered()
  return (
    <span className={styles.chain}>
      <span className={styles.dot} style={{ color: `var(--${entityColour(chain)})` }} aria-hidden="true" />
      {covered.of(chain).name}
    </span>
  )
}

/** `held`: of a table whose counts end with the newest block of each chain, which is dated here once for all of them. */
export const chainColumn = <Row extends { chain: AnyChain }>(
  covered: Covered,
  held: readonly Pick<ChainHeldView, 'chain' | 'time'>[] = [],
): TableColumn<Row> => ({
  key: 'chain',
  label: 'Chain',
  value: ({ chain }) => covered.of(chain).name,
  cell: ({ chain }) => {
    const time = held.find(one => one.chain === chain)?.time
    return time === undefined ? (
      <ChainCell chain={chain} />
    ) : (
      <span className={styles.contract} title={`Latest indexed block: ${timeText(time)}`}>
        <ChainCell chain={chain} />
        <small>{dayText(time)}</small>
      </span>
    )
  },
})

export const growthColumn = <Row extends { growth: number | null }>(): TableColumn<Row> => ({
  key: 'growth',
  label: 'Growth',
  title: 'Calls of the hours that are over, against as many hours before',
  isNumber: true,
  value: ({ growth }) => growth,
  cell: ({ growth }) => <Change change={growth} />,
})

/** The course of calls over the hours of a trend; hours that are not indexed are a gap. */
export const trendColumn = <Row extends { chain: AnyChain; trend: (number | null)[] }>(
  held: Held,
  label: string,
  hours: number,
): TableColumn<Row> => ({
  key: 'trend',
  label,
  value: ({ trend }) => trend.map(calls => calls ?? '–').join(' '),
  cell: row =>
    noted(
      held,
      { chain: row.chain },
      hours,
      <Sparkline values={row.trend} colour={entityColour(row.chain)} />,
    ),
})

type Called = { chain: AnyChain; callCount: number | null; failedCallCount: number | null }
/** Share of failed calls of the newest hours, where all of these are indexed. */
export function failureColumn<Row extends Called>(held: Held, hours: number): TableColumn<Row> {
  const shareOf = ({ chain, callCount, failedCallCount }: Row): number | null =>
    wholeRate(held, { chain }, hours, failedShare(callCount, failedCallCount))
  return {
    key: 'failed',
    label: 'Failed',
    title: 'Share of the calls that changed nothing but nonce and fee',
    isNumber: true,
    value: shareOf,
    cell: row => {
      const share = shareOf(row)
      return noted(held, { chain: row.chain }, hours, share === null ? '–' : percentText(share))
    },
  }
}

const failedShare = (calls: number | null, failed: number | null): number | null =>
  !calls || failed === null ? null : failed / calls

/** An amount of the chain’s own coin. */
export function Coin({ chain, amount }: { chain: AnyChain; amount: string }) {
  const { text, full } = figureText(amount, useCovered().of(chain).unit)
  return <span title={full}>{text}</span>
}
