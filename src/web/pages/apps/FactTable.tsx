import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import type { ApplicationTable } from '#http/contract.ts'
import { shortened } from '../../blocks/CopyText.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText, timeText } from '../../format/day.ts'
import { exactUnits, figureText, grouped, significant } from '../../format/figure.ts'
import { iconClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Principal } from '../stacks/Principal.tsx'
import { assetText } from '../stacks/principal.ts'
import styles from '../stacks/Stacks.module.css'
import { AppName } from './AppName.tsx'

type Row = ApplicationTable['rows'][number]
type Column = ApplicationTable['columns'][number]
type Cell = Row[string]

const NUMBERS: readonly Column['form'][] = ['count', 'amount', 'figure']

type Props = {
  table: ApplicationTable
  /** Whose table it is: the slug of an application, or what its address begins with; without one, of Stacks. */
  of?: string
}

/** Rows of a statement of ours, each cell by the form that the table declares; the statement opens beside it. */
export function FactTable({ table, of = 'stacks' }: Props) {
  const { pathname } = useLocation()
  const { id, title, sub, rows, asOf } = table
  const sqlHref = `/assay/run?${new URLSearchParams({ table: `${of}/${id}`, page: pathname })}`
  return (
    <TableCard
      id={id}
      title={title}
      sub={asOf.height === null ? sub : `${sub}; up to block ${grouped(String(asOf.height))}`}
      rows={rows}
      columns={table.columns.map(columnOf)}
      rowKey={row => String(rows.indexOf(row))}
      words={row => table.columns.map(({ key }) => String(row[key] ?? '')).join(' ')}
      empty={table.empty}
      tools={
        <Link className={iconClass} to={sqlHref} aria-label={`SQL of ${title}`} title="SQL">
          <Icon name="code" />
        </Link>
      }
    />
  )
}

const columnOf = (column: Column): TableColumn<Row> => ({
  key: column.key,
  label: column.label,
  isNumber: NUMBERS.includes(column.form),
  value: row => sortable(column, row),
  cell: row => (isTrue(row.is_corrected) ? <s>{cellOf(column, row)}</s> : cellOf(column, row)),
  ...(column.title !== undefined && { title: column.title }),
  ...(column.isOptional && { isOptional: true }),
})

/** The engine tells a condition as a number. */
const isTrue = (cell: Cell | undefined): boolean => cell === true || cell === 1

/** What a cell sorts by and what the CSV holds. */
function sortable({ key, form }: Column, row: Row): string | number | null {
  const cell = row[key] ?? null
  if (cell === null || typeof cell === 'boolean') return cell === null ? null : Number(cell)
  if (!NUMBERS.includes(form)) return cell
  const decimals = form === 'amount' ? Number(row[`${key}_decimals`] ?? 0) : 0
  return Number(cell) / 10 ** decimals
}

function cellOf(column: Column, row: Row): ReactNode {
  const cell: Cell = row[column.key] ?? null
  if (cell === null || cell === '') return '–'
  const text = String(cell)
  switch (column.form) {
    case 'text':
      return text
    case 'page': {
      const href = row[`${column.key}_href`]
      return typeof href === 'string' && href !== '' ? <Link to={href}>{text}</Link> : text
    }
    case 'reference': {
      const href = row[`${column.key}_href`]
      return typeof href === 'string' && href.startsWith('https://') ? (
        <a href={href} rel="noopener noreferrer">
          {text}
        </a>
      ) : (
        text
      )
    }
    case 'principal':
      return <Principal of={text} />
    case 'application':
      return <AppName of={text} />
    case 'key':
      return <code title={text}>{shortened(text)}</code>
    case 'asset':
      return <span title={text}>{assetText(text)}</span>
    case 'txid':
      return (
        <Link to={`/stacks/tx/${text}`} title={text}>
          <code>{`${text.slice(0, 8)}…${text.slice(-6)}`}</code>
        </Link>
      )
    case 'time':
      return <time dateTime={text}>{timeText(text)}</time>
    case 'day':
      return dayText(text)
    case 'count':
      return grouped(text)
    case 'amount':
      return amountOf(text, row[`${column.key}_decimals`], row[`${column.key}_symbol`])
    case 'figure': {
      const { text: short, full } = figureText(typeof cell === 'boolean' ? null : cell, column.unit ?? '')
      return (
        <span title={full} className={isTrue(row[`${column.key}_is_quiet`]) ? styles.quiet : undefined}>
          {short}
        </span>
      )
    }
    default: {
      const never: never = column.form
      return never
    }
  }
}

/** An amount of a token, short, every digit in the hover; base units where nobody says how many decimals it has. */
function amountOf(amount: string, decimals: Cell | undefined, symbol: Cell | undefined): ReactNode {
  const name = symbol === null || symbol === undefined ? '' : ` ${symbol}`
  if (decimals === null || decimals === undefined) return `${grouped(amount)} base units${name}`
  const places = Number(decimals)
  return (
    <span title={`${exactUnits(amount, places)}${name}`}>
      {significant(Number(amount) / 10 ** places, 5)}
      {name}
    </span>
  )
}
