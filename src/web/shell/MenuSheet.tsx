import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { iconClass } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Brand } from './Brand.tsx'
import { Menu } from './Menu.tsx'
import styles from './MenuSheet.module.css'

const SHEET_ID = 'menu-sheet'

/** The sidebar of small screens: a sheet from the left. The platform’s popover opens and closes it, with or without a script. */
export function MenuSheet() {
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sheet closes when the page changes
  useEffect(() => {
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
        </nav>
      </div>
    </div>
  )
}
