import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { grouped } from '../../format/figure.ts'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { type Catalog, type Entry, entriesOf, findEntries } from './catalog.ts'
import styles from './DataRail.module.css'

export const SECTIONS = ['tables', 'metrics', 'examples', 'saved', 'history'] as const
export type Section = (typeof SECTIONS)[number]

const LABEL: Record<Section, string> = {
  tables: 'Tables',
  metrics: 'Metrics',
  examples: 'Examples',
  saved: 'Saved',
  history: 'History',
}
const ICON: Record<Section, IconName> = {
  tables: 'table',
  metrics: 'chart',
  examples: 'code',
  saved: 'flag',
  history: 'past',
}
/** Of what is found, so many are drawn. */
const MOST_FOUND = 60

type Props = {
  /** As the server knows them; columns come later. */
  tables: readonly { readonly table: string; readonly about: string }[]
  catalog: Catalog
  /** Whether what a section shows has come, by section. */
  isLoaded: Readonly<Record<Exclude<Section, 'history'>, boolean>>
  section: Section
  /** Whether the panel is open where the rail is narrow. */
  isOpen: boolean
  size: 'wide' | 'small' | undefined
  saved: ReactNode
  history: ReactNode
  onSection: (section: Section) => void
  /** A reader is about to search. */
  onSearch: () => void
  onClose: () => void
  onResize: () => void
  onInsert: (text: string) => void
  onSample: (table: string) => void
  onOpen: (kind: 'metric' | 'example' | 'saved', id: string) => void
}

/** What a query can be made of: choose a kind, search all of them, and put a name into the editor. */
export function DataRail(props: Props) {
  const { tables, catalog, section, isOpen, isLoaded, size, onSection, onSearch, onClose, onResize } = props
  const [text, setText] = useState('')
  const entries = useMemo(() => entriesOf(catalog), [catalog])
  const sought = useDeferredValue(text.trim())
  const found = useMemo(() => findEntries(entries, sought, MOST_FOUND), [entries, sought])
  return (
    <>
      <div className={styles.sections}>
        {SECTIONS.map(each => (
          <button
            key={each}
            type="button"
            className={styles.section}
            aria-pressed={each === section && text === ''}
            aria-controls="query-data"
            onClick={() => {
              setText('')
              onSection(each)
            }}
            data-needs-script
          >
            <Icon name={ICON[each]} />
            <span>{LABEL[each]}</span>
          </button>
        ))}
        <button
          type="button"
          className={`${styles.section} ${styles.resize}`}
          onClick={onResize}
          data-needs-script
        >
          <Icon name={size === 'small' ? 'next' : 'previous'} />
          <span>{size === 'small' ? 'Expand' : 'Collapse'}</span>
        </button>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what the narrow rail has opened */}
      <div
        id="query-data"
        className={styles.panel}
        data-open={isOpen || undefined}
        onKeyDown={event => {
          if (event.key === 'Escape') onClose()
        }}
      >
        <div className={styles.head}>
          <input
            type="search"
            className={styles.search}
            value={text}
            placeholder="Search data"
            aria-label="Search tables, columns, metrics and queries"
            data-needs-script
            onFocus={onSearch}
            onChange={event => setText(event.target.value)}
          />
          <button type="button" className={styles.close} aria-label="Close panel" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {sought === '' ? (
          <SectionList {...props} tables={tables} isLoaded={isLoaded} />
        ) : (
          <>
            <p className={styles.count} role="status">
              {found.total === 0
                ? 'No match'
                : found.total > found.found.length
                  ? `First ${found.found.length} of ${grouped(String(found.total))} matches`
                  : `${found.total} ${found.total === 1 ? 'match' : 'matches'}`}
            </p>
            <ul className={styles.list}>
              {found.found.map(each => (
                <li key={`${each.kind} ${each.id}`}>
                  <Found entry={each} {...props} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  )
}

function SectionList({
  section,
  tables,
  catalog,
  isLoaded,
  saved,
  history,
  onInsert,
  onSample,
  onOpen,
}: Props) {
  switch (section) {
    case 'tables': {
      const columns = new Map(catalog.tables.map(table => [table.name, table.columns]))
      return (
        <ul className={styles.list}>
          {tables.map(({ table, about }) => (
            <li key={table}>
              <TableEntry
                name={table}
                about={about}
                columns={columns.get(table)}
                onInsert={onInsert}
                onSample={onSample}
              />
            </li>
          ))}
        </ul>
      )
    }
    case 'metrics':
      return isLoaded.metrics ? (
        <ul className={styles.list}>
          {catalog.metrics.map(({ id, name, definition }) => (
            <li key={id}>
              <Choice name={name} beside="" about={definition} onClick={() => onOpen('metric', id)} />
            </li>
          ))}
        </ul>
      ) : (
        <Loading />
      )
    case 'examples':
      return isLoaded.examples ? (
        [...Map.groupBy(catalog.examples, ({ topic }) => topic)].map(([topic, examples]) => (
          <section key={topic}>
            <h2 className={styles.topic}>{topic}</h2>
            <ul className={styles.list}>
              {examples.map(({ id, title, about }) => (
                <li key={id}>
                  <Choice name={title} beside="" about={about} onClick={() => onOpen('example', id)} />
                </li>
              ))}
            </ul>
          </section>
        ))
      ) : (
        <Loading />
      )
    case 'saved':
      return saved
    case 'history':
      return history
  }
}

const Loading = () => (
  <p className={styles.count} role="status">
    Loading…
  </p>
)

type TableEntryProps = {
  name: string
  about: string
  /** Undefined until they have come. */
  columns: Catalog['tables'][number]['columns'] | undefined
  onInsert: (text: string) => void
  onSample: (table: string) => void
}

function TableEntry({ name, about, columns, onInsert, onSample }: TableEntryProps) {
  // Thousands of columns are drawn only where a reader has opened their table.
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.table} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary title={about}>
        <span className={styles.mark} aria-hidden="true">
          <Icon name="next" />
        </span>
        <span className={styles.name}>{name}</span>
      </summary>
      <p className={styles.about}>{about}</p>
      <p className={styles.ways}>
        <button type="button" onClick={() => onInsert(name)} data-needs-script>
          Insert name
        </button>
        <button type="button" onClick={() => onSample(name)} data-needs-script>
          Sample rows
        </button>
        <Link to={`/documentation/tables/${name}`} prefetch="none">
          Reference
        </Link>
      </p>
      {isOpen && columns === undefined && <Loading />}
      {isOpen && (
        <ul>
          {columns?.map(column => (
            <li key={column.name}>
              <button
                type="button"
                className={styles.column}
                title={`${column.name} ${column.type}\n${column.about}`}
                onClick={() => onInsert(column.name)}
              >
                <span>
                  {column.name} <small>{column.type}</small>
                </span>
                {column.about !== '' && <span className={styles.comment}>{column.about}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

function Choice({
  name,
  beside,
  about,
  onClick,
}: {
  name: string
  beside: string
  about: string
  onClick: () => void
}) {
  return (
    <button type="button" className={styles.choice} title={about} onClick={onClick}>
      <span>
        {name} {beside !== '' && <small>{beside}</small>}
      </span>
      {about !== '' && <span className={styles.comment}>{about}</span>}
    </button>
  )
}

function Found({
  entry: { kind, id, name, beside, about },
  catalog,
  onInsert,
  onSample,
  onOpen,
}: Pick<Props, 'catalog' | 'onInsert' | 'onSample' | 'onOpen'> & { entry: Entry }) {
  switch (kind) {
    case 'table':
      return (
        <TableEntry
          name={name}
          about={about}
          columns={catalog.tables.find(table => table.name === id)?.columns}
          onInsert={onInsert}
          onSample={onSample}
        />
      )
    case 'column': {
      const table = id.slice(0, -name.length - 1)
      return (
        <button
          type="button"
          className={styles.column}
          title={`${id} ${beside}\n${about}`}
          onClick={() => onInsert(name)}
        >
          <span>
            {name} <small>{table}</small>
          </span>
          {about !== '' && <span className={styles.comment}>{about}</span>}
        </button>
      )
    }
    default:
      return (
        <Choice
          name={name}
          beside={kind === 'metric' ? 'metric' : kind === 'example' ? 'example' : 'saved query'}
          about={about}
          onClick={() => onOpen(kind, id)}
        />
      )
  }
}
