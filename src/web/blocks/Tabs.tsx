import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import styles from './Tabs.module.css'
import { addressWith } from './view.ts'

type Props = { label: string; tabs: readonly { key: string; label: string }[]; current: string }

/** Sub-views of a page, as links; what was chosen for the whole page goes along, what belongs to one chart stays behind. */
export function Tabs({ label, tabs, current }: Props) {
  const { search } = useLocation()
  const strip = useRef<HTMLElement>(null)
  // On a narrow screen the strip scrolls: the chosen tab must not lie outside, also once the page has its own letters.
  useEffect(() => {
    const showChosen = (): void => {
      const chosen = strip.current?.querySelector<HTMLElement>(`[data-tab="${current}"]`)
      if (!strip.current || !chosen) return
      const { clientWidth, offsetLeft } = strip.current
      strip.current.scrollLeft = chosen.offsetLeft - offsetLeft - (clientWidth - chosen.offsetWidth) / 2
    }
    showChosen()
    void document.fonts.ready.then(showChosen)
  }, [current])
  const query = new URLSearchParams(search)
  const kept = new URLSearchParams()
  for (const key of ['range', 'from', 'to', 'unit']) {
    const value = query.get(key)
    if (value) kept.set(key, value)
  }
  return (
    <nav ref={strip} className={styles.tabs} aria-label={`${label}, views`}>
      {tabs.map((tab, index) => (
        <Link
          key={tab.key}
          data-tab={tab.key}
          className={styles.tab}
          to={addressWith(kept.toString(), { tab: index === 0 ? undefined : tab.key })}
          aria-current={tab.key === current ? 'page' : undefined}
          preventScrollReset
          prefetch="none"
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
