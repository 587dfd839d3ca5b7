import {
  lazy,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link } from 'react-router'
import type { QueryDialect, QueryRun } from '#http/contract.ts'
import { directivesOf, withType } from '#kernel/sqlDirectives.ts'
import { bindSql, parametersOf, valuesToSend } from '#kernel/sqlParameters.ts'
import { type Statement, statementsOf } from '#kernel/sqlStatements.ts'
import { RUN_PATH, TOKEN, useSqlToken } from '../../assay/runAddress.ts'
import { figureText, grouped } from '../../format/figure.ts'
import { laterUsage, usageText } from '../../format/usageText.ts'
import { usePeople } from '../../people/usePeople.ts'
import { releaseForm } from '../../shell/typed.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Keys } from '../../ui/Keys.tsx'
import { shortcutText } from '../../ui/keyboard.ts'
import { useTypedEarly } from '../../ui/useTypedEarly.ts'
import type { Catalog } from './catalog.ts'
import styles from './Editor.module.css'
import type { EditorHandle, Selection } from './editorHandle.ts'
import { fixOf } from './fixOf.ts'
import { firstFault, ParameterFields } from './ParameterFields.tsx'
import { PartBoundary } from './PartBoundary.tsx'
import { PlainEditor } from './PlainEditor.tsx'
import type { QueryClient } from './queryClient.ts'
import { RunStatus } from './RunStatus.tsx'
import type { ChartSettings } from './results/chart/chartSettings.ts'
import { isBusy, type JobRequest, type Runs } from './runs.ts'
import { handleShortcut } from './shortcuts.ts'
import { chosenStatements, statementAt } from './statements.ts'
import { NEW_TAB } from './TabStrip.tsx'
import type { QueryTab } from './tabs.ts'
import { useEstimate } from './useEstimate.ts'

const CodeEditor = lazy(async () => ({ default: (await import('./code/CodeEditor.tsx')).CodeEditor }))
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog,
}))
const ResultPane = lazy(async () => ({ default: (await import('./results/ResultPane.tsx')).ResultPane }))

const FirstRows = lazy(async () => ({ default: (await import('./results/FirstRows.tsx')).FirstRows }))

type Props = {
  tab: QueryTab
  openTabs: readonly string[]
  client: QueryClient
  runs: Runs
  catalog: Catalog
  dialect: QueryDialect | undefined
  isHydrated: boolean
  editor: RefObject<EditorHandle | null>
  /** The tabs, above the editor. */
  strip: React.ReactNode
  /** Saved-query actions, beside Run. */
  actions: React.ReactNode
  /** What is below the editor before anything ran. */
  starters: React.ReactNode
  /** Server-rendered first rows of the result in the address, shown until the grid loads. */
  drawnRows: React.ReactNode
  /** Runs the tab as soon as it is in front: what is opened to be looked at. */
  runsNow: boolean
  onRan: () => void
  onChange: (by: Partial<Omit<QueryTab, 'id'>>) => void
}

/** What most readers have before anything was asked. */
const EMPTY: Readonly<Record<string, string>> = {}

const GIB = 2 ** 30
const gibibytes = (bytes: number): string => `${Math.round((bytes / GIB) * 10) / 10} GiB`

/** Whether a run is of this request. */
const isOf = (run: QueryRun, { sql, parameters }: JobRequest): boolean => {
  const names = Object.keys(parameters)
  return (
    run.sql === sql &&
    names.length === Object.keys(run.parameters).length &&
    names.every(name => run.parameters[name] === parameters[name])
  )
}

/** The editor of a tab with its parameters, and below it what its runs come to. */
export function Workbench(props: Props) {
  const {
    tab,
    client,
    runs,
    catalog,
    dialect,
    isHydrated,
    editor,
    strip,
    actions,
    starters,
    drawnRows,
    openTabs,
    onChange,
  } = props
  const { features, headers } = usePeople()
  const token = useSqlToken()
  const mayExport = features.query === true
  const tabRuns = useSyncExternalStore(
    runs.subscribe,
    () => runs.read(tab.id),
    () => runs.read(tab.id),
  )
  const handoff = useRef<Selection>(undefined)
  const [checked, setChecked] = useState<string>()
  const [note, setNote] = useState<string>()
  const [cursor, setCursor] = useState(0)
  const [hasShortcuts, setShortcuts] = useState(false)
  const job = tabRuns.jobs[tabRuns.shown]
  const directives = useMemo(() => directivesOf(tab.sql), [tab.sql])
  const parameters = useMemo(() => parametersOf(tab.sql, directives.types), [tab.sql, directives])
  const values = useMemo(() => ({ ...directives.defaults, ...tab.values }), [directives, tab.values])
  const faults = useMemo(
    () =>
      job?.problem?.errors
        ? Object.fromEntries(job.problem.errors.map(({ parameter, message }) => [parameter, message]))
        : EMPTY,
    [job],
  )
  const form = useTypedEarly(typed => {
    const sql = typed.get('sql')
    if (sql !== undefined) onChange({ sql })
  })

  const requestOf = useCallback(
    (statement: Statement, isFresh: boolean): JobRequest => {
      const own = parametersOf(statement.text, directives.types)
      const bound = bindSql(statement.text, own)
      return {
        sql: bound.sql,
        parameters: valuesToSend(own, values),
        ...(isFresh && { isFresh }),
        statement,
        source: tab.sql,
        toSource: offset => statement.from + bound.toSource(offset),
      }
    },
    [tab.sql, directives, values],
  )
  const faultyIn = (statements: readonly Statement[]) =>
    firstFault(
      statements.flatMap(({ text }) => parametersOf(text, directives.types)),
      values,
    )

  const start = (statements: readonly Statement[], isFresh = false) => {
    setNote(undefined)
    if (statements.length === 0) {
      setNote('Nothing to run. Write a query first.')
      return
    }
    const faulty = faultyIn(statements)
    if (faulty !== undefined) {
      setChecked(tab.id)
      document.getElementById(`parameter-${faulty}`)?.focus()
      return
    }
    setChecked(undefined)
    props.onRan()
    void runs.start(
      tab.id,
      statements.map(statement => requestOf(statement, isFresh)),
    )
  }
  const handleChart = useCallback((chart: ChartSettings) => onChange({ chart }), [onChange])
  const handleRun = (isFresh = false) =>
    start(chosenStatements(tab.sql, editor.current?.selection() ?? { from: 0, to: 0 }), isFresh)
  const handleRunAgain = () => {
    if (job) start([job.statement], true)
  }
  const handleAll = () => start(statementsOf(tab.sql))
  const handleSave = () => {
    const save = document.getElementById('query-save')
    if (save !== null) save.click()
    else setNote('Saving needs Premium. The text stays in this browser.')
  }
  const handleFormat = async () => {
    setNote('Formatting…')
    const { formatSql } = await import('./formatSql.ts')
    const { sql, note: outcome } = await formatSql(tab.sql, (first, second) =>
      client.isEquivalent(first, second),
    )
    if (sql !== undefined) editor.current?.replace(0, tab.sql.length, sql)
    setNote(outcome)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with what was typed until then
  useEffect(() => {
    if (isHydrated && releaseForm(form.current)) handleRun()
  }, [isHydrated])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each tab that is opened to be run
  useEffect(() => {
    if (props.runsNow) start(statementsOf(tab.sql).slice(0, 1))
  }, [props.runsNow, tab.id])
  // A run that was started before the page was opened again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each tab
  useEffect(() => {
    if (tab.runId !== null && tab.result === null && !props.runsNow)
      void runs.resume(tab.id, tab.runId, { text: tab.sql, from: 0, to: tab.sql.length })
  }, [tab.id])
  const runId = job?.run?.id
  useEffect(() => {
    if (runId !== undefined && runId !== tab.runId) onChange({ runId })
  }, [runId, tab.runId, onChange])

  const underCursor = statementAt(tab.sql, Math.min(cursor, tab.sql.length))
  const isComplete = underCursor !== undefined && faultyIn([underCursor]) === undefined
  const asked = underCursor && isComplete && isHydrated ? requestOf(underCursor, false) : undefined
  const { estimate, retrySeconds } = useEstimate(
    client,
    asked && { sql: asked.sql, parameters: asked.parameters },
  )
  const usage = laterUsage(estimate?.usage, job?.run?.usage)

  const shownRun = job?.run
  const cited = job?.cited
  const isChanged = useMemo(
    () =>
      cited !== undefined
        ? tab.result !== cited.hash
        : shownRun !== undefined &&
          !statementsOf(tab.sql).some(statement => isOf(shownRun, requestOf(statement, false))),
    [cited, shownRun, tab.result, tab.sql, requestOf],
  )
  const problem = job?.state === 'failed' && !isChanged ? job.problem : undefined
  const plain = (
    <PlainEditor
      ref={editor}
      handoff={handoff}
      value={tab.sql}
      hasError={problem !== undefined}
      onChange={sql => onChange({ sql })}
    />
  )
  const statements = statementsOf(tab.sql).length
  const result = job?.state === 'succeeded' ? (job.run?.result ?? cited?.found?.result) : null
  return (
    <div className={styles.bench}>
      <div className={styles.card}>
        {strip}
        <form
          ref={form}
          className={styles.form}
          method="get"
          action={RUN_PATH}
          aria-label="Query"
          data-held=""
          onSubmit={event => {
            event.preventDefault()
            handleRun()
          }}
          onKeyDown={event =>
            handleShortcut(event, {
              run: handleRun,
              runAll: handleAll,
              runAnew: () => handleRun(true),
              format: () => void handleFormat(),
              save: handleSave,
              open: () => document.getElementById(NEW_TAB)?.click(),
              cancel: isBusy(tabRuns) ? () => void runs.cancel(tab.id) : undefined,
            })
          }
        >
          <input type="hidden" name="page" value="/Query" />
          <input type="hidden" name={TOKEN} value={token} />
          <div className={styles.editor}>
            {isHydrated ? (
              <PartBoundary part="the editor" fallback={plain} instead={plain}>
                <CodeEditor
                  ref={editor}
                  handoff={handoff}
                  tab={tab.id}
                  openTabs={openTabs}
                  value={tab.sql}
                  problem={problem}
                  catalog={catalog}
                  dialect={dialect}
                  parameters={parameters}
                  onChange={sql => onChange({ sql })}
                  onCursor={setCursor}
                />
              </PartBoundary>
            ) : (
              plain
            )}
          </div>
          {parameters.length > 0 && (
            <ParameterFields
              parameters={parameters}
              values={values}
              choices={directives.choices}
              client={client}
              isChecked={checked === tab.id}
              faults={faults}
              onValues={changed => onChange({ values: { ...tab.values, ...changed } })}
              onType={(name, type) => onChange({ sql: withType(tab.sql, name, type) })}
            />
          )}
          <div className={styles.tools}>
            <Button
              small
              look="primary"
              type="submit"
              title="Run the statement under the cursor, or the selection"
            >
              <Icon name="play" /> Run{' '}
              <span className={styles.key} aria-hidden="true" data-needs-script>
                <Keys apple="⌘↵" other="Ctrl ↵" />
              </span>
            </Button>
            {statements > 1 && (
              <Button
                small
                onClick={handleAll}
                title={
                  isHydrated
                    ? `Run all statements in order (${shortcutText('⇧⌘↵', 'Ctrl+Shift+↵')})`
                    : undefined
                }
              >
                Run all {statements}
              </Button>
            )}
            <Button
              small
              onClick={() => void handleFormat()}
              aria-keyshortcuts="Shift+Alt+F"
              data-needs-script
            >
              Format
            </Button>
            {actions}
            <span className={styles.shortcuts} data-needs-script>
              <Button small aria-haspopup="dialog" onClick={() => setShortcuts(true)}>
                Shortcuts
              </Button>
            </span>
            <p className={styles.estimate} role="status">
              {retrySeconds !== undefined && note === undefined && (
                <>Too many requests for an estimate. Trying again in {retrySeconds} s. </>
              )}
              {note ??
                (estimate && (
                  <>
                    {retrySeconds === undefined && estimate.rows !== null && (
                      <>Reads up to {figureText(estimate.rows, 'n').text} rows. </>
                    )}
                    <span>
                      Limits: {estimate.limits.seconds} s, {gibibytes(estimate.limits.memoryBytes)} memory,{' '}
                      {grouped(String(estimate.limits.rows))} rows.
                    </span>
                    {usage && <span> {usageText(usage)}</span>}
                  </>
                ))}{' '}
              {!mayExport && estimate && <Link to="/pricing">Raise limits</Link>}
            </p>
          </div>
          <RunStatus
            runs={tabRuns}
            limits={estimate?.limits}
            isGuest={!mayExport}
            isChanged={isChanged}
            onShow={at => runs.show(tab.id, at)}
            onCancel={() => void runs.cancel(tab.id)}
            onRunAgain={handleRunAgain}
            onPlace={offset => editor.current?.select(offset, offset)}
            onFix={(of, name) => {
              const fix = fixOf(tab.sql, of, name)
              if (fix) editor.current?.replace(fix.from, fix.to, name)
            }}
          />
        </form>
      </div>
      {result && !isHydrated && drawnRows}
      {result && isHydrated && (
        <PartBoundary
          key={tab.id}
          part="the result"
          fallback={cited ? drawnRows : <p role="status">Loading the result…</p>}
        >
          <ResultPane
            result={result}
            name={tab.name}
            headers={headers}
            mayExport={mayExport}
            chart={tab.chart ?? undefined}
            onChartChange={handleChart}
            onRunAgain={handleRunAgain}
          />
        </PartBoundary>
      )}
      {job?.firstRows && job.state !== 'succeeded' && (
        <PartBoundary key={`${tab.id} first`} part="the first rows" fallback={<p role="status">Loading…</p>}>
          <FirstRows {...job.firstRows} state={job.state} />
        </PartBoundary>
      )}
      {job === undefined && starters}
      {hasShortcuts && (
        <PartBoundary part="the shortcuts">
          <ShortcutsDialog onClose={() => setShortcuts(false)} />
        </PartBoundary>
      )}
    </div>
  )
}
