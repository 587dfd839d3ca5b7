import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Button } from '../../ui/Button.tsx'
import { type Consent, consentOf, keepConsent, tellView } from './consent.ts'
import styles from './PageViews.module.css'

/** Asks once whether views of pages may be told, and tells them if so. Drawn only where the operator has set it up. */
export function PageViews({ url }: { url: string }) {
  const [consent, setConsent] = useState<Consent>(consentOf)
  const { pathname } = useLocation()
  useEffect(() => {
    if (consent === 'yes') tellView(url, pathname)
  }, [url, pathname, consent])
  if (consent !== 'unasked') return null
  const answer = (given: 'yes' | 'no') => {
    keepConsent(given)
    setConsent(given)
  }
  return (
    <section className={styles.bar} aria-label="Counting views">
      <p>
        May this site count which pages are read? It would record the path of each page, and nothing about
        you. <Link to="/Privacy">Privacy Policy</Link>
      </p>
      <div className={styles.ways}>
        <Button small onClick={() => answer('no')}>
          No
        </Button>
        <Button small onClick={() => answer('yes')}>
          Yes
        </Button>
      </div>
    </section>
  )
}
