import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { QueryResult } from '#http/contract.ts'
import { counted } from '../../../format/counted.ts'
import { grouped } from '../../../format/figure.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { Button } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { FilterForm } from './FilterForm.tsx'
import { filterText, MOST_FILTERS, withFilter } from './filters.ts'
import { shownText } from './grid/cells.ts'
import { copyText, textOfRange } from './grid/copyRows.ts'
import { Grid } from './grid/Grid.tsx'
import { type Anchor, MenuItem, Popover } from './grid/Popover.tsx'
import { PAGE_ROWS, type Row } from './grid/pageCache.ts'
import { cellCount, type Place, type Range, rangeOf, START, selectColumn } from './grid/selection.ts'
import { fittingWidth, NARROWEST, WIDEST } from './grid/widths.ts'
import { ProfilePanel } from './profile/ProfilePanel.tsx'
import styles from './ResultPane.module.css'
import { createRowSource, type Headers, pageReader, type RowView } from './rowSource.ts'

type Props = {
  result: QueryResult
  headers: Headers
  view: RowView
  onView: (view: RowView) => void
  /** Called with the number of matching rows once they are counted. */
  onCount: (rowCount: number) => void
  /** Runs the query again if its result is no longer stored. */
  onRunAgain: () => void
}

type Open =
  | { kind: 'menu' | 'filter'; column: number; anchor: Anchor }
  | { kind: 'cell'; place: Place; anchor: Anchor }

/** The grid with its filters, menus and what is said about it. */
export function GridView({ result, headers, view, onView, onCount, onRunAgain }: Props) {
  const { columns, hash } = result
  const readPage = useMemo(() => pageReader(headers, hash, view), [headers, hash, view])
  const source = useMemo(() => createRowSource(readPage), [readPage])
  useEffect(() => {
    source.open()
    return source.close
  }, [source])
  useSyncExternalStore(source.subscribe, source.version)

  const [isRaw, setRaw] = useState(false)
  const [selection, setSelection] = useState(START)
  const [open, setOpen] = useState<Open>()
  const [said, setSaid] = useState('')
  const [profiled, setProfiled] = useState<number>()
  const [copying, setCopying] = useState<AbortController>()
  const [widths, setWidths] = useState<readonly number[]>(() =>
    columns.map((column, at) => fittingWidth(column, at, [], false)),
  )
  const isFitted = useRef(false)
  const close = useCallback(() => setOpen(undefined), [])

  const matching = source.matchingRows()
  // Until the first page is here the grid keeps the height that it had.
  const lastCount = useRef(result.rowCount)
  useEffect(() => {
    if (matching === undefined) return
    lastCount.current = matching
    onCount(matching)
  }, [matching, onCount])
  const rowCount = matching ?? lastCount.current
  const problem = source.problem()

  const sample = (from: number): Row[] =>
    Array.from({ length: PAGE_ROWS }, (_, at) => source.row(from + at)).filter(row => row !== undefined)
  useEffect(() => {
    if (isFitted.current || matching === undefined) return
    isFitted.current = true
    const rows = Array.from({ length: PAGE_ROWS }, (_, at) => source.row(at)).filter(row => row !== undefined)
    setWidths(columns.map((column, at) => fittingWidth(column, at, rows, false)))
  }, [matching, source, columns])

  const handleResize = (column: number, width: number) => {
    const next = Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)))
    setWidths(before => before.map((each, at) => (at === column ? next : each)))
  }
  const handleFit = (column: number) => {
    const found = columns[column]
    const first = Math.floor(selection.active.row / PAGE_ROWS) * PAGE_ROWS
    if (found)
      handleResize(
        column,
        fittingWidth(found, column, [...sample(0), ...sample(Math.max(0, first))], isRaw, WIDEST),
      )
  }
  const sortBy = (column: number, isDescending: boolean | undefined) =>
    onView({ ...view, sort: isDescending === undefined ? undefined : { column, isDescending } })
  const handleSort = (column: number) => {
    const isOwn = view.sort?.column === column
    sortBy(column, !isOwn ? false : view.sort?.isDescending ? undefined : true)
  }
  const copy = async (range: Range, hasHead: boolean) => {
    if (rowCount === 0) return
    copying?.abort()
    const abort = new AbortController()
    const total = range.toRow - range.fromRow + 1
    const what = total * columns.length === 1 ? '1 cell' : counted(cellCount(range), 'cell')
    setCopying(abort)
    setSaid(`Copying ${what}…`)
    try {
      await copyText(
        textOfRange({
          range,
          columns,
          hasHead,
          row: source.row,
          readPage,
          signal: abort.signal,
          onProgress: rows => setSaid(`Copying ${grouped(String(rows))} of ${counted(total, 'row')}…`),
        }),
      )
      setSaid(`Copied ${what}${hasHead ? ' with header' : ''}`)
    } catch (error) {
      setSaid(abort.signal.aborted ? 'Copy canceled' : `Couldn’t copy. ${wordsOf(error)}`)
    } finally {
      setCopying(undefined)
    }
  }

  const range = rangeOf(selection)
  const filtered = useMemo(() => new Set(view.filters.map(({ column }) => column)), [view.filters])
  const removeFilter = (at: number) =>
    onView({ ...view, filters: view.filters.filter((_, index) => index !== at) })
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.count} aria-live="polite">
          {matching === undefined && problem === undefined
            ? 'Loading…'
            : view.filters.length > 0
              ? `${grouped(String(rowCount))} of ${counted(result.rowCount, 'row')}`
              : counted(result.rowCount, 'row')}
          {result.isTruncated && (
            <span className={styles.cut}>
              {' '}
              Cut at the limit of {counted(result.rowLimit, 'row')}. The query returns more.
            </span>
          )}
        </p>
        <ul className={styles.chips} aria-label="Filters">
          {view.filters.map((filter, at) => (
            <li key={filterText(filter, columns)}>
              <button
                type="button"
                aria-label={`Remove filter: ${filterText(filter, columns)}`}
                onClick={() => removeFilter(at)}
              >
                {filterText(filter, columns)} <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
        <div className={styles.tools}>
          <label className={styles.check}>
            <input type="checkbox" checked={isRaw} onChange={event => setRaw(event.target.checked)} /> Raw
            values
          </label>
          <Button
            small
            disabled={view.filters.length >= MOST_FILTERS || columns.length === 0}
            onClick={event =>
              setOpen({
                kind: 'filter',
                column: selection.active.column,
                anchor: event.currentTarget.getBoundingClientRect(),
              })
            }
          >
            Filter
          </Button>
          <Button
            small
            disabled={columns.length === 0}
            aria-pressed={profiled !== undefined}
            onClick={() => setProfiled(profiled === undefined ? selection.active.column : undefined)}
          >
            Profile
          </Button>
        </div>
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          <Icon name="warning" /> Couldn’t load these rows. {problem.text}{' '}
          {problem.code === 'sql.result_expired' ? (
            <Button small onClick={onRunAgain}>
              Run on current data
            </Button>
          ) : (
            <Button small onClick={source.retry}>
              Retry
            </Button>
          )}
        </p>
      )}
      <div className={styles.split} data-profile={profiled !== undefined || undefined}>
        <Grid
          label={`Rows of the result, ${counted(rowCount, 'row')}`}
          columns={columns}
          rowCount={rowCount}
          source={source}
          widths={widths}
          isRaw={isRaw}
          sort={view.sort}
          filtered={filtered}
          selection={selection}
          onSelect={setSelection}
          onSort={handleSort}
          onMenu={(column, anchor) => setOpen({ kind: 'menu', column, anchor })}
          onResize={handleResize}
          onFit={handleFit}
          onCopy={hasHead => void copy(range, hasHead)}
          onExpand={(place, anchor) => setOpen({ kind: 'cell', place, anchor })}
        />
        {profiled !== undefined && (
          <ProfilePanel
            result={result}
            headers={headers}
            column={profiled}
            filters={view.filters}
            onColumn={setProfiled}
            onFilter={filter => onView({ ...view, filters: withFilter(view.filters, filter) })}
            onClose={() => setProfiled(undefined)}
          />
        )}
      </div>
      {matching === 0 && (
        <p className={styles.empty}>
          {view.filters.length > 0 ? 'No row matches the filters' : 'The query returned no rows'}
        </p>
      )}
      <Strip
        columns={columns}
        selection={selection}
        row={source.row(selection.active.row)}
        said={said}
        onCopy={hasHead => void copy(range, hasHead)}
        onCancel={copying && (() => copying.abort())}
        onExpand={anchor => setOpen({ kind: 'cell', place: selection.active, anchor })}
      />
      {open?.kind === 'menu' && (
        <Popover anchor={open.anchor} label={`Column ${columns[open.column]?.name}`} isMenu onClose={close}>
          {(
            [
              ['Sort ascending', () => sortBy(open.column, false)],
              ['Sort descending', () => sortBy(open.column, true)],
              ...(view.sort?.column === open.column
                ? ([['Remove sort', () => sortBy(open.column, undefined)]] as const)
                : []),
              ['Filter…', () => setOpen({ ...open, kind: 'filter' })],
              ['Profile', () => setProfiled(open.column)],
              [
                'Copy column',
                () =>
                  void copy(
                    rangeOf(selectColumn(open.column, { rows: rowCount, columns: columns.length })),
                    false,
                  ),
              ],
              [
                'Copy column with header',
                () =>
                  void copy(
                    rangeOf(selectColumn(open.column, { rows: rowCount, columns: columns.length })),
                    true,
                  ),
              ],
              ['Fit to content', () => handleFit(open.column)],
            ] as const
          ).map(([words, act]) => (
            <MenuItem
              key={words}
              onPick={() => {
                close()
                act()
              }}
            >
              {words}
            </MenuItem>
          ))}
        </Popover>
      )}
      {open?.kind === 'filter' && (
        <Popover anchor={open.anchor} label="Filter" onClose={close}>
          <FilterForm
            columns={columns}
            column={open.column}
            onApply={filter => {
              close()
              onView({ ...view, filters: withFilter(view.filters, filter) })
            }}
          />
        </Popover>
      )}
      {open?.kind === 'cell' && (
        <CellView
          anchor={open.anchor}
          name={columns[open.place.column]?.name ?? ''}
          row={open.place.row}
          text={source.row(open.place.row)?.[open.place.column]}
          onClose={close}
          onCopy={() => {
            close()
            void copy(rangeOf({ anchor: open.place, active: open.place }), false)
          }}
        />
      )}
    </>
  )
}

type StripProps = {
  columns: QueryResult['columns']
  selection: { anchor: Place; active: Place }
  row: Row | undefined
  said: string
  onCopy: (hasHead: boolean) => void
  onCancel: (() => void) | undefined
  onExpand: (anchor: Anchor) => void
}

/** Below the grid: the active cell or the size of the selection, and what can be done with it. */
function Strip({ columns, selection, row, said, onCopy, onCancel, onExpand }: StripProps) {
  const { active } = selection
  const range = rangeOf(selection)
  const count = cellCount(range)
  const column = columns[active.column]
  return (
    <div className={styles.strip}>
      <p className={styles.active}>
        {count > 1
          ? `${counted(range.toRow - range.fromRow + 1, 'row')} × ${counted(range.toColumn - range.fromColumn + 1, 'column')} selected`
          : column &&
            row &&
            active.row >= 0 && (
              <>
                <b>
                  {column.name}, row {grouped(String(active.row + 1))}
                </b>{' '}
                {shownText(row[active.column] ?? null, column.type, true)}
              </>
            )}
      </p>
      <span className={styles.message} role="status">
        {said}
      </span>
      {onCancel && (
        <Button small onClick={onCancel}>
          Cancel
        </Button>
      )}
      {count <= 1 && row && active.row >= 0 && (
        <button
          type="button"
          className={styles.link}
          onClick={event => onExpand(event.currentTarget.getBoundingClientRect())}
        >
          Expand
        </button>
      )}
      <button type="button" className={styles.link} onClick={() => onCopy(false)}>
        Copy
      </button>
      <button type="button" className={styles.link} onClick={() => onCopy(true)}>
        Copy with header
      </button>
    </div>
  )
}

type CellViewProps = {
  anchor: Anchor
  name: string
  row: number
  text: Row[number] | undefined
  onClose: () => void
  onCopy: () => void
}

/** The whole text of a cell. */
function CellView({ anchor, name, row, text, onClose, onCopy }: CellViewProps) {
  return (
    <Popover anchor={anchor} label={`${name}, row ${row + 1}`} onClose={onClose}>
      <div className={styles.cellView}>
        <p className={styles.cellHead}>
          <b>{name}</b> row {grouped(String(row + 1))}
          <Button small onClick={onCopy}>
            Copy
          </Button>
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable (WCAG 2.1.1) */}
        <pre tabIndex={0}>
          {text === null || text === undefined ? 'NULL' : text === '' ? '(empty text)' : String(text)}
        </pre>
      </div>
    </Popover>
  )
}
