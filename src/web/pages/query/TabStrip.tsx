import { type KeyboardEvent, useState } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { useHydrated } from '../../ui/useHydrated.ts'
import { EARLY_TABS } from './earlyTabs.ts'
import styles from './TabStrip.module.css'
import { isUnsaved, type QueryTab, type Tabs } from './tabs.ts'

/** Id of the button that opens a new query. */
export const NEW_TAB = 'query-new'

type Props = {
  tabs: Tabs
  /** Ids of tabs in which something runs. */
  busy: ReadonlySet<string>
  onSelect: (id: string) => void
  onClose: (id: string) => void
  onNew: () => void
  onReopen: () => void
  onRename: (id: string, name: string) => void
}

/** The open queries. F2 or a double click renames the one in front. */
export function TabStrip({ tabs, busy, onSelect, onClose, onNew, onReopen, onRename }: Props) {
  const [renamed, setRenamed] = useState<string>()
  const isHydrated = useHydrated()
  const handleKey = (event: KeyboardEvent, { id }: QueryTab, at: number) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = tabs.tabs[at + step]
    if (event.key === 'F2') setRenamed(id)
    else if (event.key === 'Delete') {
      const neighbor = tabs.tabs[at + 1] ?? tabs.tabs[at - 1]
      onClose(id)
      if (neighbor !== undefined) document.getElementById(`query-tab-${neighbor.id}`)?.focus()
    } else if (step !== 0 && next !== undefined) {
      onSelect(next.id)
      document.getElementById(`query-tab-${next.id}`)?.focus()
    } else return
    event.preventDefault()
  }
  return (
    <div className={styles.strip} data-needs-script>
      {!isHydrated && (
        // Filled by a script in the page, with the names of stored tabs.
        <div
          id={EARLY_TABS}
          className={styles.early}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: empty here, and not to be taken over
          dangerouslySetInnerHTML={{ __html: '' }}
        />
      )}
      <ul className={styles.tabs} aria-label="Open queries">
        {tabs.tabs.map((tab, at) => {
          const isCurrent = tab.id === tabs.current
          return (
            <li key={tab.id} className={styles.tab} data-current={isCurrent || undefined}>
              {renamed === tab.id ? (
                <input
                  // biome-ignore lint/a11y/noAutofocus: the reader has just asked for it
                  autoFocus
                  className={styles.rename}
                  aria-label="Name of the query"
                  defaultValue={tab.name}
                  maxLength={200}
                  onFocus={event => event.currentTarget.select()}
                  onBlur={event => {
                    const name = event.currentTarget.value.trim()
                    if (name !== '') onRename(tab.id, name)
                    setRenamed(undefined)
                  }}
                  onKeyDown={event => {
                    if (event.key === 'Escape') event.currentTarget.value = tab.name
                    if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur()
                  }}
                />
              ) : (
                <button
                  id={`query-tab-${tab.id}`}
                  type="button"
                  className={styles.name}
                  aria-current={isCurrent ? 'true' : undefined}
                  title={tab.name}
                  tabIndex={isCurrent ? 0 : -1}
                  aria-keyshortcuts="ArrowLeft ArrowRight F2 Delete"
                  onClick={() => onSelect(tab.id)}
                  onDoubleClick={() => setRenamed(tab.id)}
                  onKeyDown={event => handleKey(event, tab, at)}
                >
                  {busy.has(tab.id) && <span className={styles.turning} role="img" aria-label="Running" />}
                  <span className={styles.text}>{tab.name}</span>
                  {isUnsaved(tab) && (
                    <span className={styles.changed} role="img" aria-label="Unsaved changes" />
                  )}
                </button>
              )}
              {tabs.tabs.length > 1 && (
                <button
                  type="button"
                  className={styles.close}
                  aria-label={`Close ${tab.name}`}
                  tabIndex={isCurrent ? 0 : -1}
                  onClick={() => onClose(tab.id)}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          )
        })}
      </ul>
      <button
        id={NEW_TAB}
        type="button"
        className={styles.new}
        onClick={onNew}
        aria-label="New query"
        aria-keyshortcuts="Shift+Alt+N"
      >
        <span aria-hidden="true">+</span>
      </button>
      {tabs.closed.length > 0 && (
        <IconButton icon="reset" label={`Reopen ${tabs.closed[0]?.name ?? ''}`} onClick={onReopen} />
      )}
    </div>
  )
}
