import { type KeyboardEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Icon } from '../../../ui/Icon.tsx'
import styles from './Tree.module.css'
import { type TreeLine, treeMove } from './treeKeys.ts'

export type TreeItem = TreeLine & {
  /** Lines below a group. */
  readonly count?: number
  /** What stands behind the name: a type, a kind. */
  readonly beside?: string
  readonly note?: string | undefined
  /** What a table covers. */
  readonly extent?: string | undefined
  readonly title?: string | undefined
  readonly look: 'group' | 'table' | 'column' | 'choice' | 'action'
  /** What Enter or a click does; a line that opens and has none opens. */
  readonly onPick?: (() => void) | undefined
  /** Leads to another page. */
  readonly href?: string | undefined
}

type Props = {
  label: string
  items: readonly TreeItem[]
  onOpen: (key: string, isOpen: boolean) => void
}

/** A tree with one tab stop: arrow keys move and open, letters jump. */
export function Tree({ label, items, onOpen }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string>()
  const stop = items.find(({ key }) => key === current)?.key ?? items[0]?.key
  const handleKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const at = items.findIndex(({ key }) => key === stop)
    const move = treeMove(items, at, event.key)
    if (move === undefined) return
    event.preventDefault()
    if (move.type === 'focus') {
      setCurrent(move.key)
      place.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(move.key)}"]`)?.focus()
    } else onOpen(move.key, move.type === 'open')
  }
  return (
    <div ref={place} role="tree" aria-label={label} className={styles.tree} onKeyDown={handleKey}>
      {items.map(item => (
        <Line
          key={item.key}
          item={item}
          isStop={item.key === stop}
          onFocus={() => setCurrent(item.key)}
          onOpen={onOpen}
        />
      ))}
    </div>
  )
}

type LineProps = {
  item: TreeItem
  isStop: boolean
  onFocus: () => void
  onOpen: Props['onOpen']
}

function Line({ item, isStop, onFocus, onOpen }: LineProps) {
  const { key, level, isOpen, name, count, beside, note, extent, title, look, onPick, href } = item
  const content = (
    <>
      {isOpen !== undefined && (
        <span className={styles.mark} aria-hidden="true">
          <Icon name="next" />
        </span>
      )}
      <span className={styles.label}>
        {name}
        {count !== undefined && <small> {count}</small>}
        {beside !== undefined && beside !== '' && <small> {beside}</small>}
        {note !== undefined && note !== '' && <span className={styles.note}>{note}</span>}
        {extent !== undefined && <span className={styles.extent}>{extent}</span>}
      </span>
    </>
  )
  const shared = {
    role: 'treeitem',
    'aria-level': level,
    'data-line': key,
    'data-look': look,
    className: styles.line,
    tabIndex: isStop ? 0 : -1,
    title,
    onFocus,
  } as const
  return href === undefined ? (
    <button
      {...shared}
      type="button"
      aria-expanded={isOpen}
      onClick={() => (onPick ? onPick() : onOpen(key, !isOpen))}
    >
      {content}
    </button>
  ) : (
    <Link {...shared} to={href} prefetch="none">
      {content}
    </Link>
  )
}
