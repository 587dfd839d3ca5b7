import { Menu } from './Menu.tsx'
import styles from './Sidebar.module.css'
import { SiteEntries } from './SiteEntries.tsx'

type Props = { newsletterUrl: string | undefined }

export function Sidebar({ newsletterUrl }: Props) {
  return (
    <aside className={styles.side} data-screen>
      <nav aria-label="Pages">
        <Menu />
        {/* Of the top menu, where the bar has no room for it. */}
        <ul className={styles.site}>
          <SiteEntries newsletterUrl={newsletterUrl} />
        </ul>
      </nav>
    </aside>
  )
}
