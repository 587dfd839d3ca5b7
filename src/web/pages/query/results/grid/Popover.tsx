import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import styles from './Popover.module.css'

export type Anchor = { left: number; top: number; bottom: number }

type Props = {
  anchor: Anchor
  label: string
  isMenu?: boolean
  /** Below the entries of a menu. */
  foot?: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A box over the page beside what opened it. Escape and a press elsewhere close it, and the focus goes back. */
export function Popover({ anchor, label, isMenu = false, foot, onClose, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = box
    const opener = document.activeElement
    if (!current) return
    const handleToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') onClose()
    }
    current.showPopover()
    const { width, height } = current.getBoundingClientRect()
    const below = anchor.bottom + 4
    const isAbove = below + height > window.innerHeight - 8 && anchor.top - height - 4 > 8
    current.style.left = `${Math.max(8, Math.min(anchor.left, window.innerWidth - width - 8))}px`
    current.style.top = `${isAbove ? anchor.top - height - 4 : Math.max(8, Math.min(below, window.innerHeight - height - 8))}px`
    const first = current.querySelector<HTMLElement>('[data-first]')
    ;(first ?? current.querySelector<HTMLElement>('button, select, input'))?.focus()
    current.addEventListener('toggle', handleToggle)
    return () => {
      current.removeEventListener('toggle', handleToggle)
      const isInside = current.contains(document.activeElement) || document.activeElement === document.body
      if (isInside && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [anchor, onClose])
  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    event.stopPropagation()
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!isMenu || (way === undefined && event.key !== 'Home' && event.key !== 'End')) return
    event.preventDefault()
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? items.length - 1 : at + (way ?? 0)
    items[(next + items.length) % items.length]?.focus()
  }
  return (
    <div
      ref={box}
      popover="auto"
      role="dialog"
      aria-label={label}
      className={styles.popover}
      onKeyDown={handleKey}
    >
      {isMenu ? (
        <div role="menu" aria-label={label}>
          {children}
        </div>
      ) : (
        children
      )}
      {foot}
    </div>
  )
}

/** An entry of a menu. */
export function MenuItem({
  onPick,
  isDisabled = false,
  note,
  children,
}: {
  onPick: () => void
  isDisabled?: boolean
  note?: string | undefined
  children: ReactNode
}) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onPick()}
    >
      <span>{children}</span>
      {note && <small>{note}</small>}
    </button>
  )
}
