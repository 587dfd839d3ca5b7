import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { readLocal } from '../../people/local.ts'
import { EDITOR, TABS_KEY } from './earlyTabs.ts'
import { afterAction, newTab, type QueryTab, readTabs, type Tabs, type TabsAction, tabsWith } from './tabs.ts'

const KEY = TABS_KEY
/** Id of the tab that the server draws, until the stored ones have come. */
export const DRAWN_TAB = 'first'
const STORE_AFTER_MS = 250

/** Merges and stores tabs. False if the storage is full or blocked. */
function store(mine: Tabs): boolean {
  // The stored tabs have not been loaded yet.
  if (mine.current === DRAWN_TAB) return true
  const theirs = readTabs(readLocal(KEY))
  const tabs = theirs === undefined ? mine : afterAction(mine, { type: 'elsewhere', tabs: theirs })
  try {
    localStorage.setItem(KEY, JSON.stringify(tabs))
    return true
  } catch {
    return false
  }
}

/**
 * Tabs of the editor, stored in this browser as they change, and shared with other windows: the newest change of each tab
 * wins. The page first renders with one tab. Then `onOpen` gets the stored tabs once, before any other change. The last value
 * says whether the tabs could be stored.
 */
export function useTabs(
  first: Omit<QueryTab, 'id' | 'runId' | 'changedAt' | 'ranAt'>,
  onOpen: (stored: Tabs | undefined, first: string) => void,
): readonly [Tabs, (action: TabsAction) => void, boolean] {
  const [tabs, send] = useReducer(
    (state: Tabs, { action, now }: { action: TabsAction; now: number }) => afterAction(state, action, now),
    first,
    each => tabsWith(newTab({ ...each, id: DRAWN_TAB })),
  )
  const [isStored, setStored] = useState(true)
  const dispatch = useCallback((action: TabsAction) => send({ action, now: Date.now() }), [])
  const latest = useRef(tabs)
  latest.current = tabs

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page comes to life
  useEffect(() => {
    const stored = readTabs(readLocal(KEY))
    const id = crypto.randomUUID()
    const front = document.getElementById(EDITOR)?.dataset.front
    dispatch({ type: 'stored', tabs: stored, drawn: first.sql, id, front })
    onOpen(stored, id)
    const keep = () => void store(latest.current)
    const take = (text: string | null) => {
      const elsewhere = readTabs(text)
      if (elsewhere !== undefined) dispatch({ type: 'elsewhere', tabs: elsewhere })
    }
    const hear = ({ key, newValue }: StorageEvent) => {
      if (key === KEY) take(newValue)
    }
    // A frozen page misses changes of other windows.
    const wake = ({ persisted }: PageTransitionEvent) => {
      if (persisted) take(readLocal(KEY))
    }
    window.addEventListener('storage', hear)
    window.addEventListener('pagehide', keep)
    window.addEventListener('pageshow', wake)
    return () => {
      window.removeEventListener('storage', hear)
      window.removeEventListener('pagehide', keep)
      window.removeEventListener('pageshow', wake)
      keep()
    }
  }, [])

  useEffect(() => {
    const timer = setTimeout(() => setStored(store(tabs)), STORE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [tabs])

  return [tabs, dispatch, isStored]
}
