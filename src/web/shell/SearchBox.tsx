import { useEffect, useRef } from 'react'
import { Form } from 'react-router'
import { Icon } from '../ui/Icon.tsx'
import styles from './SearchBox.module.css'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Block heights, hashes, txids, metrics and pages. ⌘K or `/` leads here. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const isShortcut =
        (event.key === 'k' && (event.metaKey || event.ctrlKey)) ||
        (event.key === '/' && !isTyping(event.target))
      if (!isShortcut || !input.current?.offsetParent) return
      event.preventDefault()
      input.current.focus()
      input.current.select()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
  return (
    <Form action="/search" role="search" className={styles.box}>
      <Icon name="search" />
      <input
        ref={input}
        className={styles.input}
        type="search"
        name="q"
        autoComplete="off"
        spellCheck={false}
        placeholder="Block, transaction, metric"
        aria-label="Search blocks, transactions, metrics and pages"
        aria-keyshortcuts="/ Meta+K Control+K"
      />
      <span className={styles.key} aria-hidden="true">
        ⌘K
      </span>
    </Form>
  )
}
