import { directivesOf, withType } from '#kernel/sqlDirectives.ts'
import { ownOf, parametersOf } from '#kernel/sqlParameters.ts'
import { isHash } from './cited/cited.ts'
import {
  AGGREGATIONS,
  CHART_KINDS,
  type ChartSettings,
  SCALES,
  STACKINGS,
} from './results/chart/chartSettings.ts'

const CHART_KEYS = ['kind', 'x', 'series', 'values', 'aggregation', 'stacking', 'scale'] as const

/** What a tab of the editor holds. It outlives the page in local storage. */
export type QueryTab = {
  readonly id: string
  readonly name: string
  readonly sql: string
  /** Values of parameters, by name. */
  readonly values: Readonly<Record<string, string>>
  /** Chart of its results; null while the rows are shown first. */
  readonly chart: ChartSettings | null
  /** The saved query that it shows, with what the save holds. */
  readonly saved: {
    readonly id: string
    readonly version: number
    readonly sql: string
    readonly chart: ChartSettings | null
  } | null
  /** Its last run, whose result is shown again when the page is opened again. */
  readonly runId: string | null
  /** When the user last changed, opened or closed it, in ms. The newest window wins. */
  readonly changedAt: number
  /** When its run or result last changed, in ms. Separate, because the end of a run does not make the text newer. */
  readonly ranAt: number
  /** Hash of the stored result opened from a link, until the text changes or runs. */
  readonly result: string | null
}

export type Tabs = {
  readonly tabs: readonly QueryTab[]
  /** Id of the tab in front. */
  readonly current: string
  /** Closed ones, the last first. */
  readonly closed: readonly QueryTab[]
}

export type TabsAction =
  | { readonly type: 'open'; readonly tab: QueryTab }
  | { readonly type: 'close'; readonly id: string }
  | { readonly type: 'reopen' }
  | { readonly type: 'select'; readonly id: string }
  | { readonly type: 'change'; readonly id: string; readonly by: Partial<Omit<QueryTab, 'id'>> }
  /**
   * What was stored takes the place of the tab that the page was drawn with; `id` is the one that this gets if it stays. `front`
   * is the stored tab whose text was shown until then: what was typed is a change of it.
   */
  | {
      readonly type: 'stored'
      readonly tabs: Tabs | undefined
      readonly drawn: string
      readonly id: string
      readonly front?: string | undefined
    }
  | { readonly type: 'elsewhere'; readonly tabs: Tabs }

/** Closed tabs that can be opened again. */
const MOST_CLOSED = 20

export const newTab = (more: Partial<QueryTab> & { readonly id: string }): QueryTab => ({
  name: 'New query',
  sql: '',
  values: {},
  chart: null,
  saved: null,
  runId: null,
  changedAt: 0,
  ranAt: 0,
  result: null,
  ...more,
})

export const tabsWith = (tab: QueryTab): Tabs => ({ tabs: [tab], current: tab.id, closed: [] })

export const currentTab = ({ tabs, current }: Tabs): QueryTab => {
  const found = tabs.find(({ id }) => id === current) ?? tabs[0]
  if (found === undefined) throw new Error('There is always a tab')
  return found
}

/** Whether a tab differs from the saved query that it shows. */
export const isUnsaved = ({ saved, sql, chart }: QueryTab): boolean =>
  saved !== null && (saved.sql !== sql || !isSameChart(saved.chart, chart))

export const isSameChart = (one: ChartSettings | null, other: ChartSettings | null): boolean =>
  one === null || other === null
    ? one === other
    : CHART_KEYS.every(key => String(one[key]) === String(other[key]))

/** A free name: “New query”, “New query 2”, … */
function freeName(tabs: readonly Pick<QueryTab, 'name'>[], name: string): string {
  const taken = new Set(tabs.map(tab => tab.name))
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name} ${count}`
    if (!taken.has(candidate)) return candidate
  }
}

/** Tabs after an action of the user, or after another window stored its tabs. */
export function afterAction(state: Tabs, action: TabsAction, now = 0): Tabs {
  switch (action.type) {
    case 'open':
      return {
        ...state,
        tabs: [...state.tabs, { ...action.tab, name: freeName(state.tabs, action.tab.name), changedAt: now }],
        current: action.tab.id,
      }
    case 'close': {
      const at = state.tabs.findIndex(({ id }) => id === action.id)
      const gone = state.tabs[at]
      // The last tab stays: there is always one to write in.
      if (gone === undefined || state.tabs.length === 1) return state
      const tabs = state.tabs.filter(({ id }) => id !== action.id)
      const next = tabs[Math.min(at, tabs.length - 1)]?.id ?? state.current
      return {
        tabs,
        current: state.current === action.id ? next : state.current,
        closed: [{ ...gone, changedAt: now }, ...state.closed].slice(0, MOST_CLOSED),
      }
    }
    case 'reopen': {
      const [tab, ...closed] = state.closed
      if (tab === undefined) return state
      return { tabs: [...state.tabs, { ...tab, changedAt: now }], current: tab.id, closed }
    }
    case 'select':
      return state.tabs.some(({ id }) => id === action.id) ? { ...state, current: action.id } : state
    case 'change':
      return {
        ...state,
        tabs: state.tabs.map(tab =>
          tab.id === action.id
            ? { ...changed(tab, action.by), [isOfRun(action.by) ? 'ranAt' : 'changedAt']: now }
            : tab,
        ),
      }
    case 'stored': {
      const first = { ...currentTab(state), id: action.id }
      if (action.tabs === undefined) return tabsWith(first)
      if (first.sql === action.drawn) return action.tabs
      // What was typed before the page came to life is nowhere else.
      if (action.tabs.tabs.some(({ id }) => id === action.front))
        return {
          ...action.tabs,
          current: action.front ?? '',
          tabs: action.tabs.tabs.map(tab =>
            tab.id === action.front ? { ...tab, sql: first.sql, changedAt: now } : tab,
          ),
        }
      return afterAction(action.tabs, { type: 'open', tab: first }, now)
    }
    case 'elsewhere':
      return merged(state, action.tabs)
  }
}

/** Merges newer tabs of another window into this one. The current tab stays open. */
function merged(mine: Tabs, theirs: Tabs): Tabs {
  const isTheirsOpen = new Set(theirs.tabs.map(({ id }) => id))
  const isMineOpen = new Set(mine.tabs.map(({ id }) => id))
  const known = new Map([...mine.closed, ...mine.tabs].map(tab => [tab.id, tab]))
  const isNewer = ({ id, changedAt }: QueryTab) => changedAt > (known.get(id)?.changedAt ?? -1)
  const isKeptInFront = ({ id }: QueryTab) => id === mine.current && !isTheirsOpen.has(id)
  const all = [...theirs.tabs, ...theirs.closed]
  const newer = all.filter(tab => isNewer(tab) && !isKeptInFront(tab))
  const newerIds = new Set(newer.map(({ id }) => id))
  const theirsById = new Map(all.map(tab => [tab.id, tab]))
  const isOpen = ({ id }: QueryTab) => (newerIds.has(id) ? isTheirsOpen : isMineOpen).has(id)
  const both = [
    ...[...mine.tabs, ...mine.closed].map(tab => {
      const other = theirsById.get(tab.id)
      if (other === undefined) return tab
      return newerIds.has(tab.id) ? withRun(other, tab) : withRun(tab, other)
    }),
    ...newer.filter(({ id }) => !known.has(id)),
  ]
  const tabs = both.filter(isOpen)
  const closed = both
    .filter(tab => !isOpen(tab))
    .sort((one, other) => other.changedAt - one.changedAt)
    .slice(0, MOST_CLOSED)
  // Ignore closed tabs beyond the limit, or two windows would update each other forever.
  return isSameList(tabs, mine.tabs) && isSameList(closed, mine.closed)
    ? mine
    : { tabs, current: mine.current, closed }
}

const isSameList = (one: readonly QueryTab[], other: readonly QueryTab[]): boolean =>
  one.length === other.length && one.every((tab, at) => tab === other[at])

/** The tab with the run from the other window, if that is newer. */
const withRun = (tab: QueryTab, { runId, result, ranAt, sql, values }: QueryTab): QueryTab => {
  if (ranAt <= tab.ranAt) return tab
  const isSame = sql === tab.sql && JSON.stringify(values) === JSON.stringify(tab.values)
  return { ...tab, runId, ranAt, result: isSame ? result : null }
}

const isOfRun = (by: Partial<QueryTab>): boolean =>
  Object.keys(by).every(key => key === 'runId' || key === 'result')

/** A changed text, changed values or a new run no longer match the linked result. */
function changed(tab: QueryTab, by: Partial<Omit<QueryTab, 'id'>>): QueryTab {
  const next = { ...tab, ...by }
  const isSame = next.sql === tab.sql && next.values === tab.values && next.runId === tab.runId
  return isSame || by.result !== undefined ? next : { ...next, result: null }
}

/** Tabs as they were stored; undefined for a text that holds none. */
export function readTabs(text: string | null): Tabs | undefined {
  let stored: unknown
  try {
    stored = JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
  if (typeof stored !== 'object' || stored === null) return undefined
  const { tabs, current, closed } = stored as Record<string, unknown>
  const read = listOf(tabs)
  const first = read[0]
  if (first === undefined) return undefined
  return {
    tabs: read,
    current: read.find(({ id }) => id === current)?.id ?? first.id,
    closed: listOf(closed),
  }
}

const listOf = (found: unknown): QueryTab[] => (Array.isArray(found) ? found.flatMap(tabOf) : [])

function tabOf(found: unknown): QueryTab[] {
  if (typeof found !== 'object' || found === null) return []
  const { id, name, sql, values, types, chart, saved, runId, changedAt, ranAt, result } = found as Record<
    string,
    unknown
  >
  if (typeof id !== 'string' || typeof sql !== 'string') return []
  return [
    {
      id,
      name: typeof name === 'string' ? name : 'New query',
      sql: withTypes(sql, textsOf(types)),
      values: textsOf(values),
      chart: chartOf(chart),
      saved: savedOf(saved),
      runId: typeof runId === 'string' ? runId : null,
      changedAt: typeof changedAt === 'number' ? changedAt : 0,
      ranAt: typeof ranAt === 'number' ? ranAt : 0,
      result: typeof result === 'string' && isHash(result) ? result : null,
    },
  ]
}

/** Older tabs stored parameter types next to the text. */
const withTypes = (sql: string, types: Readonly<Record<string, string>>): string =>
  parametersOf(sql, { ...types, ...directivesOf(sql).types }).reduce(
    (text, { name, type, isTypeOpen }) =>
      isTypeOpen && type === ownOf(types, name) && type !== 'String' ? withType(text, name, type) : text,
    sql,
  )

const textsOf = (found: unknown): Record<string, string> =>
  typeof found === 'object' && found !== null
    ? Object.fromEntries(
        Object.entries(found).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
      )
    : {}

function savedOf(found: unknown): QueryTab['saved'] {
  if (typeof found !== 'object' || found === null) return null
  const { id, version, sql, chart } = found as Record<string, unknown>
  return typeof id === 'string' && typeof version === 'number' && typeof sql === 'string'
    ? { id, version, sql, chart: chartOf(chart) }
    : null
}

/** A chart as it was stored; one of an unknown form is dropped, and the default is drawn. */
function chartOf(found: unknown): ChartSettings | null {
  if (typeof found !== 'object' || found === null) return null
  const { kind, x, series, values, aggregation, stacking, scale } = found as ChartSettings
  const isName = (name: unknown) => name === null || typeof name === 'string'
  return CHART_KINDS.includes(kind) &&
    isName(x) &&
    isName(series) &&
    Array.isArray(values) &&
    values.every(value => typeof value === 'string') &&
    AGGREGATIONS.includes(aggregation) &&
    STACKINGS.includes(stacking) &&
    SCALES.includes(scale)
    ? { kind, x, series, values, aggregation, stacking, scale }
    : null
}
