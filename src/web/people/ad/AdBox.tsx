import { lazy, Suspense } from 'react'
import { hasFeatures } from '#kernel/people.ts'
import { usePeople } from '../usePeople.ts'
import styles from './AdBox.module.css'

const AdBanner = lazy(async () => ({ default: (await import('./AdBanner.tsx')).AdBanner }))

/** The place of the ad: reserved by the style sheet where one runs, filled once it is known that its reader has no features. */
export function AdBox({ isBooked }: { isBooked: boolean }) {
  const { features, loading } = usePeople()
  return (
    <aside className={styles.box} aria-label="Advertisement" data-screen>
      {isBooked && !loading && !hasFeatures(features) && (
        <Suspense>
          <AdBanner />
        </Suspense>
      )}
    </aside>
  )
}
