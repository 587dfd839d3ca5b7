import { OUTAGE_ID } from '#kernel/outage.ts'
import styles from './OutageBanner.module.css'

/**
 * Says that the page is the last good one while the data engine is away. Hidden as drawn; the server fills it into pages that it
 * has cached, and `showAvailability` into pages that are open, both without React.
 */
export const OutageBanner = () => (
  <p
    id={OUTAGE_ID}
    className={styles.outage}
    role="status"
    hidden
    suppressHydrationWarning
    // biome-ignore lint/security/noDangerouslySetInnerHtml: empty; it keeps React from removing what the server filled in
    dangerouslySetInnerHTML={{ __html: '' }}
  />
)
