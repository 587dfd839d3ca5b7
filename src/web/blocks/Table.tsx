import { type KeyboardEvent, useId } from 'react'
import { Form, Link, useLocation, useNavigate } from 'react-router'
import { IconButton, iconClass } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { OtherFields } from '../ui/OtherFields.tsx'
import { ScrollRegion } from '../ui/ScrollRegion.tsx'
import { useTypedEarly } from '../ui/useTypedEarly.ts'
import { WithCommands } from '../ui/WithCommands.tsx'
import card from './Card.module.css'
import styles from './Table.module.css'
import type { TableColumn, TableProps } from './TableCard.tsx'
import { TablePages } from './TablePages.tsx'
import { readTableView, rowsOfPage, type TableView, tableKeys, WHOLE_ROWS } from './tableView.ts'
import { addressWith } from './view.ts'

/** Rows that are taller than the room a table has, however short each is. */
const LONG = 20

/** The rows of a `TableCard`. */
export function Table<Row>({
  id,
  title,
  sub,
  rows,
  columns,
  rowKey,
  words,
  foot,
  tools,
  controls,
  empty,
  sort,
  totals,
}: TableProps<Row>) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const titleId = useId()
  const view = readTableView(
    new URLSearchParams(search),
    id,
    columns.filter(column => !column.isOptional).map(column => column.key),
    sort,
  )
  const shown = columns.filter((column, index) => index === 0 || view.columns.includes(column.key))
  const visible = arranged(rows, columns, view, words)
  const { from, to } = rowsOfPage(view.page, visible.length)
  const keys = tableKeys(id)

  const handleFilter = (text: string) =>
    navigate(addressWith(search, { [keys.filter]: text, [keys.page]: undefined }), {
      replace: true,
      preventScrollReset: true,
    })
  const filter = useTypedEarly(typed => handleFilter(typed.get(keys.filter) ?? ''))
  const handleCsv = async () => {
    const { downloadCsv } = await import('./downloadCsv.ts')
    downloadCsv(
      `assay-${id}`,
      shown.map(column => column.label),
      visible.map(row => shown.map(column => column.value(row))),
    )
  }

  return (
    <section id={id} className={card.card} aria-labelledby={titleId}>
      <header className={card.head}>
        <div className={card.words}>
          <h2 id={titleId} className={card.title}>
            {title}
          </h2>
          {sub && <p className={card.sub}>{sub}</p>}
        </div>
        <div className={card.tools} data-screen>
          {words && (
            <Form ref={filter} action={pathname} className={styles.filter} preventScrollReset>
              <OtherFields search={search} except={[keys.filter, keys.page]} />
              <input
                type="search"
                name={keys.filter}
                defaultValue={view.filter}
                placeholder="Filter"
                aria-label={`Filter ${title}`}
                onChange={event => handleFilter(event.target.value)}
              />
            </Form>
          )}
          <details className={styles.picker} name="table-columns">
            <summary className={iconClass} aria-label="Columns" title="Columns">
              <Icon name="options" />
            </summary>
            <ul className={styles.panel}>
              {columns.slice(1).map(column => {
                const isShown = view.columns.includes(column.key)
                const next = isShown
                  ? view.columns.filter(key => key !== column.key)
                  : columns
                      .map(({ key }) => key)
                      .filter(key => view.columns.includes(key) || key === column.key)
                return (
                  <li key={column.key}>
                    <Link
                      className={styles.pick}
                      to={addressWith(search, { [keys.columns]: next.join(',') })}
                      preventScrollReset
                      replace
                    >
                      <span className={styles.box} data-on={isShown || undefined}>
                        {isShown && <Icon name="check" />}
                      </span>
                      {column.label}
                      <span className="visually-hidden">{isShown ? ', shown' : ', hidden'}</span>
                    </Link>
                  </li>
                )
              })}
            </ul>
          </details>
          <IconButton icon="download" label="Download as CSV" onClick={handleCsv} data-needs-script />
          {tools}
        </div>
        {controls && (
          <div className={styles.controls} data-screen>
            {controls}
          </div>
        )}
      </header>
      <ScrollRegion
        label={`${title}, rows`}
        className={styles.scroll}
        data-long={to - from >= LONG || undefined}
        onKeyDown={moveAmongRows}
      >
        <table className={styles.table}>
          <thead>
            <tr>
              {shown.map((column, index) => (
                <th
                  key={column.key}
                  scope="col"
                  // The first column names its row: a height is read there like a name, from the left.
                  data-number={(index > 0 && column.isNumber) || undefined}
                  aria-sort={sortWord(view, column.key)}
                >
                  <Link
                    to={addressWith(search, {
                      [keys.sort]: nextSort(view, column.key),
                      [keys.page]: undefined,
                    })}
                    title={column.title}
                    preventScrollReset
                    replace
                  >
                    {column.label}
                    {view.sort === column.key && (
                      <span aria-hidden="true">{view.isDescending ? ' ↓' : ' ↑'}</span>
                    )}
                  </Link>
                  {column.under && <span className={styles.under}>{column.under}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {visible.slice(from, to).map(row => (
              <tr key={rowKey(row)} id={`${id}-${rowKey(row)}`}>
                {shown.map((column, index) => {
                  const content = column.cell?.(row) ?? column.value(row) ?? '–'
                  return index === 0 ? (
                    <th key={column.key} scope="row">
                      <div className={styles.name}>{content}</div>
                    </th>
                  ) : (
                    <td key={column.key} data-number={column.isNumber || undefined}>
                      {content}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
          {totals && visible.length > 1 && (
            <tfoot>
              <tr>
                {shown.map((column, index) =>
                  index === 0 ? (
                    <th key={column.key} scope="row">
                      {totals[column.key]}
                    </th>
                  ) : (
                    <td key={column.key} data-number={column.isNumber || undefined}>
                      {totals[column.key]}
                    </td>
                  ),
                )}
              </tr>
            </tfoot>
          )}
        </table>
        {/* Comes after the last row: until then the widths of the columns are not settled, and nothing of it is shown. */}
        <span hidden data-end />
        {visible.length === 0 && (
          <p className={styles.empty}>
            {rows.length === 0 ? (
              <WithCommands text={empty ?? 'Nothing here yet.'} />
            ) : (
              `No row matches “${view.filter}”.`
            )}
          </p>
        )}
      </ScrollRegion>
      {visible.length > WHOLE_ROWS && (
        <TablePages id={id} title={title} count={visible.length} page={view.page} />
      )}
      {foot && <footer className={card.foot}>{foot}</footer>}
    </section>
  )
}

function arranged<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  view: TableView,
  words: TableProps<Row>['words'],
): Row[] {
  const needle = view.filter.trim().toLowerCase()
  const matching =
    needle === '' || !words ? [...rows] : rows.filter(row => words(row).toLowerCase().includes(needle))
  const column = columns.find(({ key }) => key === view.sort)
  if (!column) return matching
  const sign = view.isDescending ? -1 : 1
  // What is not known stands last, whichever way the rest is sorted.
  return matching.toSorted((a, b) => {
    const [left, right] = [column.value(a), column.value(b)]
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
    return (
      sign *
      (typeof left === 'number' && typeof right === 'number'
        ? left - right
        : String(left).localeCompare(String(right), 'en'))
    )
  })
}

const sortWord = (view: TableView, key: string) =>
  view.sort !== key ? undefined : view.isDescending ? 'descending' : 'ascending'

/** Large first, then small first, then as it came. */
const nextSort = (view: TableView, key: string): string | undefined =>
  view.sort !== key ? `-${key}` : view.isDescending ? key : undefined

/** Arrow keys go from row to row, by the first link of each; where no row has one they scroll. */
function moveAmongRows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const rows = [...event.currentTarget.querySelectorAll('tbody tr')]
  const links = rows.flatMap(row => row.querySelector<HTMLElement>('a') ?? [])
  const current = links.findIndex(link => link.closest('tr')?.contains(document.activeElement))
  if (links.length === 0 || (current === -1 && document.activeElement !== event.currentTarget)) return
  event.preventDefault()
  links[current + step]?.focus()
}
