import { lazy, Suspense } from 'react'
import { hasFeatures } from '#kernel/people.ts'
import { usePeople } from '../usePeople.ts'
import styles from './AdBox.module.css'

const AdBanner = lazy(async () => ({ default: (await import('./AdBanner.tsx')).AdBanner }))

/** The place of the ad: reserved by the style sheet where one runs, filled where its reader has no features. While that is asked anew, what is there stays. */
export function AdBox({ isBooked }: { isBooked: boolean }) {
  const { features, state } = usePeople()
  return (
    <aside className={styles.box} aria-label="Advertisement" data-screen>
      {isBooked && state.auth.name !== 'loading' && !hasFeatures(features) && (
        <Suspense>
          <AdBanner />
        </Suspense>
      )}
    </aside>
  )
}
