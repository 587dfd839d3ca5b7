import { Link } from 'react-router'
import type { StacksCoin } from '#http/contract.ts'
import { countColumn } from '../../../blocks/countColumn.ts'
import type { TableColumn } from '../../../blocks/TableCard.tsx'
import { percentText, significant } from '../../../format/figure.ts'
import styles from './Coins.module.css'

export const stx = (ustx: string | null): string => (ustx === null ? '–' : significant(Number(ustx) / 1e6, 3))

/** Coins with a page of their own. */
const PAGES: Readonly<Record<string, string>> = {
  'SP3NE50GEXFG9SZGTT51P40X2CKYSZ5CC4ZTZ7A2G.welshcorgicoin-token': '/welsh',
}
const coinPath = ({ contract }: StacksCoin): string => PAGES[contract] ?? `/stacks/contract/${contract}`

const isNamesake =
  (coin: StacksCoin) =>
  (other: StacksCoin): boolean =>
    other.symbol === coin.symbol && other.asset !== coin.asset

/** The coin of a row; `all` are those of its table: where two share a symbol, each names its contract. */
export const coinColumn = (all: readonly StacksCoin[] = []): TableColumn<StacksCoin> => ({
  key: 'coin',
  label: 'Coin',
  value: coin => coin.symbol,
  cell: coin => (
    <Link to={coinPath(coin)} title={coin.contract}>
      <bdi>{coin.symbol}</bdi>
      {(coin.listed === null || all.some(isNamesake(coin))) && (
        <span className={styles.stranger}>
          {' '}
          {coin.contract.slice(0, 5)}…{coin.contract.slice(coin.contract.indexOf('.'))}
        </span>
      )}
    </Link>
  ),
})

const FLAG_ORDER = { severe: 0, caution: 1, note: 2 } as const

export const flagColumn: TableColumn<StacksCoin> = {
  key: 'flags',
  label: 'What its contract allows',
  title: 'Read from the source of the contract, or from the names of its functions, by named rules',
  value: coin => coin.flags?.map(({ label }) => label).join(', ') ?? null,
  cell: ({ flags }) => {
    if (flags === null) return <span className={styles.stranger}>source not indexed</span>
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

export const holderColumns: readonly TableColumn<StacksCoin>[] = [
  {
    ...countColumn<StacksCoin>('holders', 'Holders', coin => coin.holders),
    title:
      'Addresses with some, without contracts and what is burned; a dash where blocks since the token was made are missing',
  },
  shareColumn('top10', 'Ten largest', coin => coin.top10Share, 'Share of what holders have'),
  {
    key: 'gini',
    label: 'Gini',
    title: 'Inequality of balances: 0 all equal, 1 one holder has everything',
    isNumber: true,
    isOptional: true,
    value: coin => coin.gini,
    cell: coin => (coin.gini === null ? '–' : coin.gini.toFixed(3)),
  },
]

export const coinWords = ({ symbol, name, contract }: StacksCoin): string => `${symbol} ${name} ${contract}`
