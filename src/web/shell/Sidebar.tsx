import { Menu } from './Menu.tsx'
import styles from './Sidebar.module.css'

export function Sidebar() {
  return (
    <aside className={styles.side} data-screen>
      <nav aria-label="Pages">
        <Menu />
      </nav>
    </aside>
  )
}
