import { Link } from 'react-router'
import { PersonActions } from '../people/bar/PersonActions.tsx'
import { Brand } from './Brand.tsx'
import { MenuSheet } from './MenuSheet.tsx'
import { SearchBox } from './SearchBox.tsx'
import { SiteEntries } from './SiteEntries.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'
import styles from './TopBar.module.css'

type Props = { newsletterUrl: string | undefined; signUpUrl: string }

export function TopBar({ newsletterUrl, signUpUrl }: Props) {
  return (
    <header className={styles.bar} data-screen>
      <MenuSheet newsletterUrl={newsletterUrl} signUpUrl={signUpUrl} />
      <Link to="/" className={styles.brand} aria-label="Assay, home">
        <Brand />
      </Link>
      <nav className={styles.menu} aria-label="Site">
        <ul>
          <SiteEntries newsletterUrl={newsletterUrl} />
        </ul>
      </nav>
      <SearchBox />
      <ThemeToggle />
      <PersonActions signUpUrl={signUpUrl} place="bar" />
    </header>
  )
}
