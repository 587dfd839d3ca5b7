import { Link } from 'react-router'
import { pagesAt } from '../site.ts'
import styles from './Footer.module.css'
import { useSite } from './layers.ts'

type Props = { newsletterUrl: string | undefined; socialUrl: string | undefined }

export function Footer({ newsletterUrl, socialUrl }: Props) {
  const site = useSite()
  return (
    <footer className={styles.foot}>
      <nav className={styles.links} aria-label="Footer" data-screen>
        {pagesAt(site, 'footer').map(page => (
          <Link key={page.path} to={page.path}>
            {page.label}
          </Link>
        ))}
        {newsletterUrl && (
          <a href={newsletterUrl} rel="noopener">
            Get Updates
          </a>
        )}
        {socialUrl && (
          <a href={socialUrl} rel="me noopener">
            Follow Assay
          </a>
        )}
      </nav>
      <p>© 2026 Assay. Every number can be assayed.</p>
    </footer>
  )
}
