import { type PointerEvent, type ReactNode, useEffect, useId, useReducer, useRef } from 'react'
import { Icon } from '../ui/Icon.tsx'
import styles from './Menu.module.css'
import { type BranchEvent, branchAfter, isOpen, MENU_DELAY_MS } from './menuBranchState.ts'

type Props = {
  label: ReactNode
  /** The current page is one of its entries: it stays open for the way to the others. */
  isCurrent: boolean
  children: ReactNode
}

/**
 * An entry of the menu with entries of its own. It opens and closes under a mouse after the menu delay, by click and by key.
 * Without scripts it stays open (`Menu.module.css`).
 */
export function MenuBranch({ label, isCurrent, children }: Props) {
  const [state, send] = useReducer(branchAfter, { isCurrent, isPinned: undefined, isHovered: false })
  const id = useId()
  const timer = useRef<number>(undefined)
  useEffect(() => send({ on: 'page', isCurrent }), [isCurrent])
  useEffect(() => () => clearTimeout(timer.current), [])

  const sendLater = (pointer: PointerEvent, event: BranchEvent) => {
    // A finger that touches hovers nothing.
    if (pointer.pointerType !== 'mouse') return
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => send(event), MENU_DELAY_MS)
  }
  const open = isOpen(state)
  return (
    <li
      onPointerEnter={event => sendLater(event, { on: 'enter' })}
      onPointerLeave={event => sendLater(event, { on: 'leave' })}
    >
      <button
        type="button"
        className={`${styles.entry} ${styles.branch}`}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => {
          clearTimeout(timer.current)
          send({ on: 'click' })
        }}
      >
        {label}
        <span className={styles.chevron}>
          <Icon name="next" />
        </span>
      </button>
      <ul id={id} className={styles.children} hidden={!open}>
        {children}
      </ul>
    </li>
  )
}
