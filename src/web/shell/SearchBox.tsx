import { type ComponentType, useEffect, useRef, useState } from 'react'
import { Form } from 'react-router'
import type { PanelProps } from '../search/SearchPanel.tsx'
import { iconClass } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Keys } from '../ui/Keys.tsx'
import styles from './SearchBox.module.css'
import { FIND, isSearchKey } from './searchKey.ts'

type Panel = ComponentType<PanelProps>

/** Where the list cannot be fetched the form stays one, and the next entry tries again. */
const load = (show: (make: () => Panel) => void) =>
  import('../search/SearchPanel.tsx').then(
    ({ SearchPanel }) => show(() => SearchPanel),
    () => {},
  )

type Props = {
  /** On a page instead of the bar: keys that lead to the search lead to the bar’s. */
  isOnPage?: boolean
}

/**
 * Everything that has a name or an id. ⌘K or `/` leads to the bar’s. The list under it is loaded when it is first entered; until then, or
 * without a script, it is a form.
 */
export function SearchBox({ isOnPage = false }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [Panel, setPanel] = useState<Panel>()
  useEffect(() => {
    const field = input.current
    if (document.activeElement === field) load(setPanel)
    if (isOnPage) return
    const handleKey = (event: KeyboardEvent) => {
      if (!isSearchKey(event)) return
      event.preventDefault()
      field?.focus()
      field?.select()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [isOnPage])
  return (
    <>
      <Form
        action="/search"
        role="search"
        aria-label={isOnPage ? 'Search instead' : 'Site'}
        className={isOnPage ? styles.box : `${styles.box} ${styles.inBar}`}
      >
        <Icon name="search" />
        <input
          ref={input}
          id={isOnPage ? undefined : FIND}
          className={styles.input}
          name="q"
          role="combobox"
          aria-expanded="false"
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          placeholder="Search"
          aria-label="Search names and ids"
          aria-keyshortcuts={isOnPage ? undefined : '/ Meta+K Control+K'}
          onFocus={() => load(setPanel)}
        />
        {!isOnPage && (
          <span className={styles.key} aria-hidden="true">
            <Keys apple="⌘K" other="Ctrl K" />
          </span>
        )}
        {Panel && input.current && <Panel input={input.current} isOnPage={isOnPage} />}
      </Form>
      {!isOnPage && (
        // On phones the field is out of sight until it is entered: with a script or without.
        <label className={`${styles.link} ${iconClass}`} htmlFor={FIND}>
          <Icon name="search" />
        </label>
      )}
    </>
  )
}
