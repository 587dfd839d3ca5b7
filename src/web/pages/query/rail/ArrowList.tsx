import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import styles from '../DataRail.module.css'

/** Buttons one below the other with one tab stop: arrow keys go from one to the next. Fields keep their own stop. */
export function ArrowList({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const current = useRef<HTMLElement>(undefined)
  const update = () => {
    const found = stopsOf(place.current)
    const stop = found.find(each => each === current.current) ?? found[0]
    for (const each of found) {
      const index = each === stop ? 0 : -1
      if (each.tabIndex !== index) each.tabIndex = index
    }
  }
  // What the list holds comes later and grows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the page alone
  useEffect(() => {
    if (place.current === null) return
    const watch = new MutationObserver(update)
    watch.observe(place.current, { childList: true, subtree: true })
    update()
    return () => watch.disconnect()
  }, [])
  const handleKey = (event: KeyboardEvent) => {
    const found = stopsOf(place.current)
    const at = found.indexOf(document.activeElement as HTMLElement)
    if (at === -1) return
    const next = {
      ArrowDown: found[at + 1],
      ArrowUp: found[at - 1],
      Home: found[0],
      End: found.at(-1),
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys of the buttons within
    <div
      ref={place}
      className={styles.arrows}
      onKeyDown={handleKey}
      onFocus={event => {
        if (!stopsOf(place.current).includes(event.target)) return
        current.current = event.target
        update()
      }}
    >
      {children}
    </div>
  )
}

const stopsOf = (place: HTMLElement | null): HTMLElement[] => [
  ...(place?.querySelectorAll<HTMLElement>('li button, li a, button:not(li button)') ?? []),
]
