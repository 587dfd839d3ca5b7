import {
  type ComponentProps,
  lazy,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useLocation, useNavigate } from 'react-router'
import { directivesOf } from '#kernel/sqlDirectives.ts'
import { ownOf, parametersOf } from '#kernel/sqlParameters.ts'
import { isSqlKey, parameterKey, readParameters } from '../../assay/address.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { addressWith } from '../../blocks/view.ts'
import { WithRail } from '../../blocks/WithRail.tsx'
import { wordsOf } from '../../people/askPerson.ts'
import { keepLocal, readLocal } from '../../people/local.ts'
import { usePeople } from '../../people/usePeople.ts'
import { useHydrated } from '../../ui/useHydrated.ts'
import { isHash, nameOfResult, queryOf, titled } from './cited/cited.ts'
import { DrawnRows } from './cited/DrawnRows.tsx'
import { useCitedResult } from './cited/useCitedResult.ts'
import rail from './DataRail.module.css'
import { DataRail, type Section } from './DataRail.tsx'
import styles from './Editor.module.css'
import type { EditorHandle } from './editorHandle.ts'
import type { Drawn } from './loadDrawn.server.ts'
import { PartBoundary } from './PartBoundary.tsx'
import { createQueryClient, type HistoryRun, isId } from './queryClient.ts'
import { createRuns, isBusy, type Runs } from './runs.ts'
import { TabStrip } from './TabStrip.tsx'
import { currentTab, newTab, type QueryTab, type Tabs } from './tabs.ts'
import { createUploadClient } from './uploads/uploadClient.ts'
import { tablesOf, useUploads } from './uploads/useUploads.ts'
import { useCatalog } from './useCatalog.ts'
import { DRAWN_TAB, useTabs } from './useTabs.ts'
import { Workbench } from './Workbench.tsx'

const SavedActions = lazy(async () => ({
  default: (await import('./saved/SavedActions.tsx')).SavedActions,
}))
const SavedList = lazy(async () => ({ default: (await import('./saved/SavedList.tsx')).SavedList }))
const UploadsList = lazy(async () => ({ default: (await import('./uploads/UploadsList.tsx')).UploadsList }))
const HistoryList = lazy(async () => ({ default: (await import('./saved/HistoryList.tsx')).HistoryList }))

const START_SQL = `-- Average fee of a Bitcoin transaction by day, in satoshis
SELECT
  day,
  count() AS blocks,
  round(sum(fee_sat) / sum(tx_count - 1)) AS average_fee_sat
FROM btc_block_facts
WHERE fee_sat IS NOT NULL
GROUP BY day
ORDER BY day DESC
LIMIT 100`
const SAMPLE_COLUMNS = 12
const RAIL_KEY = 'query-rail'
/** Longer SQL would not fit into an address that every browser and server takes. */
const LONGEST_IN_ADDRESS = 3_000

type Props = {
  /** As the server knows them; their columns come later. */
  tables: readonly { readonly name: string; readonly about: string }[]
  /** What the server shows of the address. */
  drawn: Drawn
  /** What the page answers, under its title. */
  question: string
}

/** Error message for an invalid address, if any. */
function addressFault(search: string): string | undefined {
  const query = new URLSearchParams(search)
  const [id, hash] = [query.get('id'), query.get('result')]
  if (hash !== null && !isHash(hash)) return 'This link has no valid result address. Ask for the link again.'
  if (id !== null && !isId(id)) return 'This link has no valid query ID. Ask for the link again.'
  return undefined
}

/** What a reader without tabs begins with. */
function firstTab(search: string, { opened, cited }: Drawn): Parameters<typeof useTabs>[0] {
  const query = new URLSearchParams(search)
  const values = readParameters(query)
  if (cited !== null) {
    const { sql, parameters: values } = queryOf(cited)
    const name = query.has('title') ? titleOf(query) : nameOfResult(cited.hash)
    return { name, sql, values, chart: null, saved: null, result: cited.hash }
  }
  if (opened === undefined)
    return {
      name: titleOf(query),
      sql: query.get('sql') ?? START_SQL,
      values,
      chart: null,
      saved: null,
      result: null,
    }
  const { name, sql, parameters, chart, saved } = opened
  return {
    name,
    sql,
    values: { ...parameters, ...values },
    chart,
    saved: saved && { ...saved, sql, chart },
    result: null,
  }
}

/** Name of the tab that a link opens. */
const titleOf = (query: URLSearchParams): string => query.get('title')?.trim().slice(0, 200) || NEW
const NEW = 'New query'

/** What an address says of a tab. */
function addressOf({ name, saved, sql, values, result }: QueryTab): Record<string, string> {
  if (saved === null && result !== null) return { result, ...titled(name) }
  const names = new Set(parametersOf(sql, {}).map(({ name }) => name))
  const { defaults } = directivesOf(sql)
  // The id alone would open the saved text.
  const id = saved?.sql === sql ? saved.id : undefined
  // The values of the tab replace those of the saved query.
  const own = Object.entries(values).filter(
    ([name, value]) => names.has(name) && (id !== undefined || value !== ownOf(defaults, name)),
  )
  return {
    ...(id !== undefined
      ? { id }
      : sql !== '' && sql !== START_SQL && sql.length <= LONGEST_IN_ADDRESS && { sql, ...titled(name) }),
    ...Object.fromEntries(own.map(([name, value]) => [parameterKey(name), value])),
  }
}

/** The address with these parameters. An empty string counts as a value. */
function searchWith(search: string, changes: Readonly<Record<string, string | undefined>>): string {
  const empty = Object.keys(changes).filter(key => changes[key] === '')
  const query = new URLSearchParams(addressWith(search, changes))
  for (const key of empty) query.set(key, '')
  return empty.length === 0 ? addressWith(search, changes) : `?${query}`
}

/** The query tool: data on the left, the editor, and the result below it. */
export function QueryTool({ tables, drawn, question }: Props) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const { headers, features, identity } = usePeople()
  const maySave = features.query === true
  const isHydrated = useHydrated()
  const editor = useRef<EditorHandle>(null)
  const proof = useRef(headers)
  proof.current = headers
  const client = useMemo(() => createQueryClient(() => proof.current()), [])
  const [runs] = useState(() => {
    const created = createRuns(client)
    if (drawn.cited !== null) created.cite(DRAWN_TAB, drawn.cited)
    return created
  })
  const { catalog, dialect, saved, readSaved, want, isLoaded } = useCatalog(client, isHydrated)
  const uploadClient = useMemo(() => createUploadClient(() => proof.current()), [])
  const isSignedIn = identity() !== undefined
  const own = useUploads(uploadClient, isSignedIn)
  const withUploads = useMemo(
    () => ({ ...catalog, tables: [...catalog.tables, ...tablesOf(own.uploads)] }),
    [catalog, own.uploads],
  )
  const [section, setSection] = useState<Section>(drawn.section ?? 'tables')
  const [isPanelOpen, setPanelOpen] = useState(drawn.section !== undefined)
  const [size, setSize] = useState<'wide' | 'small'>()
  const [runsNow, setRunsNow] = useState<string>()
  const [notice, setNotice] = useState(() => addressFault(search))

  const [tabs, dispatch, isStored] = useTabs(firstTab(search, drawn), (stored, first) =>
    openAddress(stored, first),
  )
  const tab = currentTab(tabs)
  const readsMetrics = /\bmetrics\./.test(tab.sql)
  useEffect(() => {
    if (readsMetrics) want('metrics')
  }, [readsMetrics, want])
  const open = (more: Partial<QueryTab>, isRun = false) => {
    const id = crypto.randomUUID()
    dispatch({ type: 'open', tab: newTab({ ...more, id }) })
    if (isRun) setRunsNow(id)
  }

  /** Shows what the address names: in its tab, if it is open already. */
  const openAddress = (stored: Tabs | undefined, first: string) => {
    if (drawn.section !== undefined && drawn.section !== 'tables') want(drawn.section)
    if (drawn.opened !== undefined && stored === undefined) {
      if (drawn.opened.saved !== null) setRunsNow(first)
      return
    }
    const query = new URLSearchParams(search)
    const values = readParameters(query)
    const has = (isIt: (each: QueryTab) => boolean) => stored?.tabs.find(isIt)
    const sql = query.get('sql')
    const given = query.get('id')
    const id = given !== null && isId(given) ? given : null
    const example = query.get('example')
    const hash = query.get('result')
    const show = (found: QueryTab) => {
      dispatch({ type: 'select', id: found.id })
      if (Object.keys(values).length > 0)
        dispatch({ type: 'change', id: found.id, by: { values: { ...found.values, ...values } } })
    }
    if (hash !== null) {
      if (!isHash(hash)) return
      const found = has(each => each.result === hash)
      if (found) show(found)
      else if (stored !== undefined) open(firstTab(search, drawn))
    } else if (id !== null) {
      const found = has(each => each.saved?.id === id)
      if (found) show(found)
      else void openSaved(id, values)
    } else if (example !== null) void openExample(example, values, false)
    else if (sql !== null && stored !== undefined) {
      const found = has(each => each.sql === sql)
      if (found) show(found)
      else open({ name: titleOf(query), sql, values })
    }
  }
  const openSaved = (id: string, values: Record<string, string> = {}) =>
    client.savedQuery(id).then(
      query =>
        open(
          {
            name: query.name,
            sql: query.sql,
            values: { ...query.parameters, ...values },
            chart: query.chart,
            saved: { id: query.id, version: query.version, sql: query.sql, chart: query.chart },
          },
          true,
        ),
      error => setNotice(wordsOf(error)),
    )
  /** A link opens an example without running it: its values are not the reader’s. */
  const openExample = (id: string, values: Record<string, string> = {}, isRun = true) =>
    client.examples().then(
      examples => {
        const found = examples.find(each => each.id === id)
        if (found === undefined) setNotice('This example no longer exists. Choose another one on the left.')
        else open({ name: found.title, sql: found.sql, values: { ...found.parameters, ...values } }, isRun)
      },
      error => setNotice(wordsOf(error)),
    )

  useEffect(() => {
    const stored = readLocal(RAIL_KEY)
    if (stored === 'wide' || stored === 'small') setSize(stored)
    else if (window.matchMedia('(max-width: 1199.98px)').matches) setSize('small')
  }, [])

  // The address tells what is in front, so that it can be shared.
  const front = useRef(tab.id)
  useEffect(() => {
    // What a link could not open is said while the stored tabs come: only a change by the reader ends it.
    if (front.current !== tab.id && front.current !== DRAWN_TAB) setNotice(undefined)
    front.current = tab.id
  }, [tab.id])

  const address = addressOf(tab)
  const isMirrored = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the tab, not the address
  useEffect(() => {
    if (!isMirrored.current) return
    const own = [...new URLSearchParams(search).keys()].filter(
      key => isSqlKey(key) || ['id', 'example', 'section', 'title', 'result'].includes(key),
    )
    const gone = Object.fromEntries(own.map(key => [key, undefined]))
    const timer = setTimeout(
      () =>
        navigate(searchWith(search, { ...gone, ...address }), { replace: true, preventScrollReset: true }),
      300,
    )
    return () => clearTimeout(timer)
  }, [JSON.stringify(address)])
  useEffect(() => {
    isMirrored.current = true
  }, [])

  const handleChange = useCallback(
    (by: Partial<Omit<QueryTab, 'id'>>) => dispatch({ type: 'change', id: tab.id, by }),
    [dispatch, tab.id],
  )
  useCitedResult({ tab, runs, client, drawn: drawn.cited, isSignedIn, onChange: handleChange })
  const handleSample = async (table: string) => {
    const isIt = ({ name }: { name: string }) => name === table
    // The user may run the query before the column list has loaded, which the text needs.
    const read = () =>
      client.schema().then(
        ({ tables: all }) => all.find(isIt),
        () => undefined,
      )
    const known = withUploads.tables.find(isIt) ?? (isLoaded.tables ? undefined : await read())
    const columns = known?.columns ?? []
    const names = columns.slice(0, SAMPLE_COLUMNS).map(({ name }) => `  ${name}`)
    open(
      {
        name: table,
        sql: `SELECT\n${names.length === 0 ? '  *' : names.join(',\n')}\nFROM ${table}\nLIMIT 100`,
      },
      true,
    )
  }
  const handleOpen = (kind: 'metric' | 'example' | 'saved', id: string) => {
    setPanelOpen(false)
    if (kind === 'saved') {
      const found = tabs.tabs.find(each => each.saved?.id === id)
      if (found) dispatch({ type: 'select', id: found.id })
      else void openSaved(id)
      return
    }
    if (kind === 'example') {
      void openExample(id)
      return
    }
    const metric = catalog.metrics.find(each => each.id === id)
    if (metric)
      open({
        name: metric.name,
        sql: metric.sql,
        values: Object.fromEntries(metric.parameters.map(each => [each.name, each.default])),
      })
  }

  const handleHistory = ({ id, sql, parameters }: HistoryRun) => {
    setPanelOpen(false)
    const found = tabs.tabs.find(({ runId }) => runId === id)
    if (found) dispatch({ type: 'select', id: found.id })
    else open({ name: 'From history', sql, values: parameters, runId: id })
  }

  return (
    <WithRail
      label="Data and queries"
      size={size}
      className={rail.rail}
      contents={
        <DataRail
          client={client}
          tables={tables}
          drawn={drawn.links}
          catalog={withUploads}
          isLoaded={isLoaded}
          section={section}
          isOpen={isPanelOpen}
          size={size}
          uploads={
            <PartBoundary part="uploads">
              <UploadsList
                client={uploadClient}
                uploads={own.uploads}
                failure={own.failure}
                mayUpload={maySave}
                isSignedIn={isSignedIn}
                onChange={own.read}
                onInsert={text => editor.current?.insert(text)}
                onSample={handleSample}
              />
            </PartBoundary>
          }
          saved={
            <PartBoundary part="saved queries">
              <SavedList
                client={client}
                lists={saved}
                maySave={maySave}
                onOpen={id => handleOpen('saved', id)}
              />
            </PartBoundary>
          }
          history={
            <PartBoundary part="the history">
              <HistoryList client={client} mayRead={maySave} onOpen={handleHistory} />
            </PartBoundary>
          }
          onSection={chosen => {
            setPanelOpen(chosen !== section || !isPanelOpen)
            setSection(chosen)
            if (chosen === 'metrics' || chosen === 'examples' || chosen === 'saved') want(chosen)
          }}
          onSearch={() => {
            want('metrics')
            want('examples')
            want('saved')
          }}
          onClose={() => setPanelOpen(false)}
          onResize={() => {
            const next = size === 'small' ? 'wide' : 'small'
            setSize(next)
            setPanelOpen(false)
            keepLocal(RAIL_KEY, next)
          }}
          onInsert={text => editor.current?.insert(text)}
          onSample={handleSample}
          onOpen={handleOpen}
        />
      }
    >
      <HeadingBlock title="Run Queries" question={question} />
      {notice !== undefined && (
        <p className={styles.notice} role="alert">
          {notice}
        </p>
      )}
      {!isStored && (
        <p className={styles.notice} role="alert">
          Couldn’t store your open queries: this browser’s storage is full or blocked. Copy what you need
          before you close the page.
        </p>
      )}
      <Workbench
        strip={
          <Strip
            tabs={tabs}
            runs={runs}
            onSelect={id => dispatch({ type: 'select', id })}
            onClose={id => dispatch({ type: 'close', id })}
            onNew={() => open({})}
            onReopen={() => dispatch({ type: 'reopen' })}
            onRename={(id, name) => dispatch({ type: 'change', id, by: { name } })}
          />
        }
        tab={tab}
        openTabs={tabs.tabs.map(({ id }) => id)}
        client={client}
        runs={runs}
        catalog={withUploads}
        dialect={dialect}
        isHydrated={isHydrated}
        editor={editor}
        actions={
          <>
            {/* The server draws no actions: they open dialogs in the document. */}
            {(maySave || (isHydrated && tab.saved !== null)) && (
              <PartBoundary part="saving">
                <SavedActions
                  key={tab.id}
                  tab={tab}
                  maySave={maySave}
                  client={client}
                  onChange={handleChange}
                  onSaved={readSaved}
                />
              </PartBoundary>
            )}
            {tab.saved === null && tab.result === null && tab.sql.length > LONGEST_IN_ADDRESS && (
              <p className={styles.long}>
                This query is too long for the URL. To share it, run it and copy the link to its result
                {maySave && ', or save it'}.
              </p>
            )}
          </>
        }
        starters={
          <section className={styles.starters} aria-label="Examples to start from">
            <p>Run the query to see rows and charts here, or start from an example:</p>
            <ul>
              {drawn.starters.map(({ id, title }) => (
                <li key={id}>
                  {/* A link of the browser: without a script it fills the form. */}
                  <a
                    href={`/Query?example=${id}`}
                    onClick={event => {
                      if (event.metaKey || event.ctrlKey || event.shiftKey) return
                      event.preventDefault()
                      handleOpen('example', id)
                    }}
                  >
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        }
        drawnRows={
          drawn.cited !== null && drawn.cited.hash === tab.result && <DrawnRows drawn={drawn.cited} />
        }
        runsNow={runsNow === tab.id}
        onRan={() => setRunsNow(undefined)}
        onChange={handleChange}
      />
    </WithRail>
  )
}

type StripProps = Omit<ComponentProps<typeof TabStrip>, 'busy'> & { runs: Runs }

/** The tabs, with those in which something runs. */
function Strip({ runs, ...rest }: StripProps) {
  const ids = rest.tabs.tabs.map(({ id }) => id)
  const busy = useSyncExternalStore(
    runs.subscribe,
    () => ids.filter(id => isBusy(runs.read(id))).join(' '),
    () => '',
  )
  return <TabStrip {...rest} busy={new Set(busy.split(' '))} />
}
