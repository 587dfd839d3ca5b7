import { useEffect, useReducer, useRef } from 'react'
import { keepLocal, readLocal } from '../../people/local.ts'
import { EDITOR, TABS_KEY } from './earlyTabs.ts'
import { afterAction, newTab, type QueryTab, readTabs, type Tabs, type TabsAction, tabsWith } from './tabs.ts'

const KEY = TABS_KEY
/** Id of the tab that the server draws, until the stored ones have come. */
export const DRAWN_TAB = 'first'
const STORE_AFTER_MS = 250

/**
 * Tabs of the editor, stored in this browser as they change. The page is drawn with one tab; `onOpen` is told once what was
 * stored, before anything else changes.
 */
export function useTabs(
  first: Omit<QueryTab, 'id' | 'runId'>,
  onOpen: (stored: Tabs | undefined, first: string) => void,
): readonly [Tabs, (action: TabsAction) => void] {
  const [tabs, dispatch] = useReducer(afterAction, first, each =>
    tabsWith(newTab({ ...each, id: DRAWN_TAB })),
  )
  const latest = useRef(tabs)
  latest.current = tabs
  const isOpen = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page comes to life
  useEffect(() => {
    const stored = readTabs(readLocal(KEY))
    const id = crypto.randomUUID()
    const front = document.getElementById(EDITOR)?.dataset.front
    dispatch({ type: 'stored', tabs: stored, drawn: first.sql, id, front })
    isOpen.current = true
    onOpen(stored, id)
    const store = () => keepLocal(KEY, JSON.stringify(latest.current))
    const hear = ({ key, newValue }: StorageEvent) => {
      const elsewhere = key === KEY ? readTabs(newValue) : undefined
      if (elsewhere !== undefined) dispatch({ type: 'elsewhere', tabs: elsewhere })
    }
    window.addEventListener('storage', hear)
    window.addEventListener('pagehide', store)
    return () => {
      window.removeEventListener('storage', hear)
      window.removeEventListener('pagehide', store)
      store()
    }
  }, [])

  useEffect(() => {
    if (!isOpen.current) return
    const timer = setTimeout(() => keepLocal(KEY, JSON.stringify(tabs)), STORE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [tabs])

  return [tabs, dispatch]
}
