import { Link, NavLink } from 'react-router'
import { PersonActions } from '../people/bar/PersonActions.tsx'
import { pagesAt, type SitePage } from '../site.ts'
import { Brand } from './Brand.tsx'
import { useSite } from './layers.ts'
import { MenuSheet } from './MenuSheet.tsx'
import { SearchBox } from './SearchBox.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'
import styles from './TopBar.module.css'

type Props = { newsletterUrl: string | undefined; signUpUrl: string }

/** Entries that need a feature are shown to who has it (`PersonActions` says how). */
export function TopBar({ newsletterUrl, signUpUrl }: Props) {
  const pages = pagesAt(useSite(), 'top')
  const [gated, open] = [pages.filter(page => page.feature), pages.filter(page => !page.feature)]
  const entry = (page: SitePage) => (
    <NavLink key={page.path} to={page.path} data-needs={page.feature}>
      {page.label}
    </NavLink>
  )
  return (
    <header className={styles.bar} data-screen>
      <MenuSheet newsletterUrl={newsletterUrl} signUpUrl={signUpUrl} />
      <Link to="/" className={styles.brand} aria-label="Assay, home">
        <Brand />
      </Link>
      {(pages.length > 0 || newsletterUrl) && (
        <nav className={styles.menu} aria-label="Site">
          {gated.map(entry)}
          {newsletterUrl && <a href={newsletterUrl}>Newsletter</a>}
          {open.map(entry)}
        </nav>
      )}
      <SearchBox />
      <ThemeToggle />
      <PersonActions signUpUrl={signUpUrl} place="bar" />
    </header>
  )
}
