import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { PersonActions } from '../people/bar/PersonActions.tsx'
import { iconClass } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Brand } from './Brand.tsx'
import { Menu } from './Menu.tsx'
import styles from './MenuSheet.module.css'
import { SiteEntries } from './SiteEntries.tsx'

const SHEET_ID = 'menu-sheet'

type Props = { newsletterUrl: string | undefined; signUpUrl: string }

/** The sidebar and the menu of small screens: a sheet from the left. The platform’s popover opens and closes it, with or without a script. */
export function MenuSheet({ newsletterUrl, signUpUrl }: Props) {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    // The sheet closes when the page changes, and stays where it was opened before its script had come.
    if (shown.current === pathname) return
    shown.current = pathname
    const sheet = document.getElementById(SHEET_ID)
    if (sheet?.matches(':popover-open')) sheet.hidePopover()
  }, [pathname])
  return (
    <div className={styles.host}>
      <button type="button" className={iconClass} popoverTarget={SHEET_ID} aria-label="Menu">
        <Icon name="menu" />
      </button>
      <div id={SHEET_ID} popover="auto" className={styles.sheet}>
        <div className={styles.head}>
          <Brand />
          <button
            type="button"
            className={iconClass}
            popoverTarget={SHEET_ID}
            popoverTargetAction="hide"
            aria-label="Close the menu"
          >
            <Icon name="close" />
          </button>
        </div>
        <nav aria-label="Menu">
          <Menu />
          <ul className={styles.site}>
            <SiteEntries newsletterUrl={newsletterUrl} />
          </ul>
        </nav>
        <PersonActions signUpUrl={signUpUrl} place="sheet" />
      </div>
    </div>
  )
}
