import { Link, NavLink } from 'react-router'
import { pagesAt } from '../site.ts'
import { Brand } from './Brand.tsx'
import { useSite } from './layers.ts'
import { MenuSheet } from './MenuSheet.tsx'
import { SearchBox } from './SearchBox.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'
import styles from './TopBar.module.css'

type Props = { newsletterUrl: string | undefined }

/** Entries that need a feature appear once accounts tell who has it. */
export function TopBar({ newsletterUrl }: Props) {
  const pages = pagesAt(useSite(), 'top').filter(page => page.feature === undefined)
  return (
    <header className={styles.bar} data-screen>
      <MenuSheet />
      <Link to="/" className={styles.brand} aria-label="Assay, home">
        <Brand />
      </Link>
      {(pages.length > 0 || newsletterUrl) && (
        <nav className={styles.menu} aria-label="Site">
          {newsletterUrl && <a href={newsletterUrl}>Newsletter</a>}
          {pages.map(page => (
            <NavLink key={page.path} to={page.path}>
              {page.label}
            </NavLink>
          ))}
        </nav>
      )}
      <SearchBox />
      <ThemeToggle />
    </header>
  )
}
