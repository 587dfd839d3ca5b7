import { Form, Link, useLocation } from 'react-router'
import { isDay } from '#kernel/days.ts'
import { dayText } from '../format/day.ts'
import { Button, iconClass } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { OtherFields } from '../ui/OtherFields.tsx'
import styles from './KnownOn.module.css'
import { addressWith, KNOWN } from './view.ts'

/** Shows the page as it was known on a day that the reader names. */
export function KnownOnChoice() {
  const { pathname, search } = useLocation()
  const on = new URLSearchParams(search).get(KNOWN) ?? ''
  return (
    <details className={styles.choice} name="page-controls">
      <summary className={iconClass} aria-label="As it was known on a day" title="As it was known on a day">
        <Icon name="past" />
      </summary>
      <Form action={pathname} className={styles.panel} preventScrollReset>
        <OtherFields search={search} except={[KNOWN]} />
        <label>
          As it was known on
          <input type="date" name={KNOWN} required defaultValue={on} min="2009-01-03" />
        </label>
        <Button type="submit" look="primary" small>
          Show
        </Button>
      </Form>
    </details>
  )
}

/** Says that a page is not of today, and leads back. */
export function KnownOnNote() {
  const { search } = useLocation()
  const on = new URLSearchParams(search).get(KNOWN)
  if (on === null || !isDay(on)) return null
  return (
    <p className={styles.note} role="note">
      As of {dayText(on)}: blocks, prices and source data available by the end of that UTC day. A series
      recorded later counts on each of its days.{' '}
      <Link to={addressWith(search, { [KNOWN]: undefined })} preventScrollReset>
        Show current data
      </Link>
    </p>
  )
}
