import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Link } from 'react-router'
import { grouped } from '../../format/figure.ts'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { useHydrated } from '../../ui/useHydrated.ts'
import { type Catalog, entriesOf, findEntries } from './catalog.ts'
import styles from './DataRail.module.css'
import type { QueryClient } from './queryClient.ts'
import { ArrowList } from './rail/ArrowList.tsx'
import { DrawnSection } from './rail/DrawnSection.tsx'
import { Tree, type TreeItem } from './rail/Tree.tsx'
import { exampleItems, foundItems, metricItems, tableItems } from './rail/treeItems.ts'
import { useCoverage } from './rail/useCoverage.ts'

export const SECTIONS = ['tables', 'metrics', 'uploads', 'examples', 'saved', 'history'] as const
export type Section = (typeof SECTIONS)[number]

const LABEL: Record<Section, string> = {
  tables: 'Tables',
  metrics: 'Metrics',
  uploads: 'Uploads',
  examples: 'Examples',
  saved: 'Saved',
  history: 'History',
}
const ICON: Record<Section, IconName> = {
  tables: 'table',
  metrics: 'chart',
  uploads: 'upload',
  examples: 'code',
  saved: 'flag',
  history: 'past',
}
/** Sections that the server draws, for readers without a script. */
const DRAWN = new Set<Section>(['tables', 'examples', 'saved'])
/** Examples by topic or public queries, as links that fill the form. */
export type DrawnLinks = readonly {
  readonly topic: string
  readonly links: readonly { readonly href: string; readonly name: string; readonly about: string }[]
}[]
/** Of what is found, so many are drawn. */
const MOST_FOUND = 60

type Props = {
  client: QueryClient
  /** As the server knows them; columns come later. */
  tables: readonly { readonly name: string; readonly about: string }[]
  /** What the server has drawn of the section in its address. */
  drawn: DrawnLinks
  catalog: Catalog
  /** Whether what a section shows has come, by section. */
  isLoaded: Readonly<Record<Exclude<Section, 'history' | 'uploads'>, boolean>>
  section: Section
  /** Whether the panel is open where the rail is narrow. */
  isOpen: boolean
  size: 'wide' | 'small' | undefined
  uploads: ReactNode
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
  const { catalog, section, isOpen, size, onSection, onSearch, onClose, onResize } = props
  const [text, setText] = useState('')
  const entries = useMemo(() => entriesOf(catalog), [catalog])
  const sought = useDeferredValue(text.trim())
  const found = useMemo(() => findEntries(entries, sought, MOST_FOUND), [entries, sought])
  const isHydrated = useHydrated()
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
    const places = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')]
    const at = places.indexOf(document.activeElement as HTMLElement)
    if (step === undefined || at === -1) return
    event.preventDefault()
    places[(at + step + places.length) % places.length]?.focus()
  }
  return (
    <>
      <a className={styles.skip} href="#query-sql">
        Skip to the editor
      </a>
      <div className={styles.sections}>
        {/* Chosen by Enter, not by focus alone: some sections load. */}
        <div
          className={styles.kinds}
          role="tablist"
          aria-label="Kinds of data"
          aria-orientation="vertical"
          onKeyDown={handleKey}
        >
          {SECTIONS.map(each => (
            <Link
              key={each}
              id={`query-section-${each}`}
              to={`/Query?section=${each}`}
              prefetch="none"
              className={styles.section}
              role="tab"
              aria-selected={each === section && text === ''}
              aria-controls="query-data"
              tabIndex={!isHydrated || each === section ? undefined : -1}
              onClick={(event: MouseEvent) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                setText('')
                onSection(each)
              }}
              onKeyDown={(event: KeyboardEvent) => {
                if (event.key !== ' ') return
                event.preventDefault()
                setText('')
                onSection(each)
              }}
              {...(DRAWN.has(each) ? {} : { 'data-needs-script': true })}
            >
              <Icon name={ICON[each]} />
              <span>{LABEL[each]}</span>
            </Link>
          ))}
        </div>
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
      <div
        id="query-data"
        role="tabpanel"
        aria-labelledby={`query-section-${section}`}
        className={styles.panel}
        data-open={isOpen || undefined}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          onClose()
          document.getElementById(`query-section-${section}`)?.focus()
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
          <button
            type="button"
            className={styles.close}
            aria-label="Close panel"
            onClick={onClose}
            data-needs-script
          >
            <Icon name="close" />
          </button>
        </div>
        {sought !== '' && (
          <p className={styles.count} role="status">
            {found.total === 0
              ? 'No match'
              : found.total > found.found.length
                ? `First ${found.found.length} of ${grouped(String(found.total))} matches`
                : `${found.total} ${found.total === 1 ? 'match' : 'matches'}`}
          </p>
        )}
        <RailSection {...props} found={sought === '' ? undefined : found.found} />
      </div>
    </>
  )
}

type SectionProps = Props & { found: ReturnType<typeof findEntries>['found'] | undefined }

function RailSection(props: SectionProps) {
  const { client, tables, drawn, catalog, isLoaded, section, found, uploads, saved, history } = props
  const { onInsert, onSample, onOpen } = props
  const isHydrated = useHydrated()
  const [open, setOpen] = useState<ReadonlySet<string>>(NOTHING_OPEN)
  const coverage = useCoverage(client, open)
  const focus = useRef<string>(undefined)
  // What a reader has opened in the list that the server drew stays open in the tree, and keeps its focus.
  useLayoutEffect(() => {
    const drawnOpen = document.querySelectorAll<HTMLElement>('#query-data details[open]')
    focus.current = document.activeElement?.closest<HTMLElement>('#query-data details')?.dataset.key
    setOpen(new Set([...drawnOpen].map(({ dataset }) => dataset.key ?? '')))
  }, [])
  useEffect(() => {
    if (!isHydrated || focus.current === undefined) return
    document.querySelector<HTMLElement>(`[data-line="${CSS.escape(focus.current)}"]`)?.focus()
    focus.current = undefined
  }, [isHydrated])
  const handleOpen = (key: string, isOpen: boolean) =>
    setOpen(before => {
      const next = new Set(before)
      if (isOpen) next.add(key)
      else next.delete(key)
      return next
    })
  const tree = (label: string, items: readonly TreeItem[]) => (
    <Tree label={label} items={items} onOpen={handleOpen} />
  )
  const tableWays = { open, coverage, onInsert, onSample }
  if (found !== undefined)
    return found.length === 0 ? null : tree('Matches', foundItems(found, catalog, { ...tableWays, onOpen }))
  if (!isHydrated) return <DrawnSection section={section} tables={tables} drawn={drawn} />
  switch (section) {
    case 'tables':
      return tree('Tables', tableItems(tables, catalog, tableWays))
    case 'metrics':
      return isLoaded.metrics ? (
        tree('Metrics', metricItems(catalog.metrics, { open, onInsert, onSample, onOpen }))
      ) : (
        <Loading />
      )
    case 'examples':
      return isLoaded.examples ? tree('Examples', exampleItems(catalog.examples, open, onOpen)) : <Loading />
    case 'uploads':
      return <ArrowList>{uploads}</ArrowList>
    case 'saved':
      return <ArrowList>{saved}</ArrowList>
    case 'history':
      return <ArrowList>{history}</ArrowList>
  }
}

const NOTHING_OPEN: ReadonlySet<string> = new Set()

const Loading = () => (
  <p className={styles.count} role="status">
    Loading…
  </p>
)
