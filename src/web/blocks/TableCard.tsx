import { lazy, type ReactElement, type ReactNode } from 'react'
import { Later } from './Later.tsx'

/** The server draws the rows; sorting, filtering and the rest come with the first step of a reader. */
const Table = lazy(async () => ({ default: (await import('./Table.tsx')).Table })) as <Row>(
  props: TableProps<Row>,
) => ReactElement

export type TableColumn<Row> = {
  key: string
  label: string
  /** What it sorts by and what the CSV holds; null where not known. */
  value: (row: Row) => string | number | null
  cell?: (row: Row) => ReactNode
  isNumber?: boolean
  /** Said where a pointer rests on its head. */
  title?: string
  /** Below its label: the day of its figures. */
  under?: string
  /** Shown only when the reader picks it. */
  isOptional?: boolean
}

export type TableProps<Row> = {
  id: string
  title: string
  sub?: string
  rows: readonly Row[]
  columns: readonly TableColumn<Row>[]
  rowKey: (row: Row) => string
  /** Words that the filter looks through. */
  words?: (row: Row) => string
  foot?: ReactNode
  tools?: ReactNode
  /** What stands between head and rows: a choice of columns. */
  controls?: ReactNode
  empty?: string
  /** How it is sorted until the reader chooses: `-fees` is from the largest down. */
  sort?: string
  /** A last row, by the key of the column; the first column names it. */
  totals?: Readonly<Record<string, ReactNode>> | undefined
}

/** Rows to sort, filter, page through and take away. Its state is in the address; the first column and the head stay in sight. */
export const TableCard = <Row,>(props: TableProps<Row>) => (
  <Later section={props.id}>
    <Table {...props} />
  </Later>
)
