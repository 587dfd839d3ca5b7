import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { checkVersion } from './checkVersion.ts'
import { createPeople, type People } from './createPeople.ts'
import styles from './PeopleRoot.module.css'
import { toastStore } from './toasts.ts'
import { createLoadsPlace, LoadsContext, type LoadsPlace } from './useLoads.ts'
import { AuthContext, usePeople } from './usePeople.ts'

const UpgradeOverlay = lazy(async () => ({
  default: (await import('./UpgradeOverlay.tsx')).UpgradeOverlay,
}))
const Toasts = lazy(async () => ({ default: (await import('./Toasts.tsx')).Toasts }))
const WalletDialog = lazy(async () => ({ default: (await import('./WalletDialog.tsx')).WalletDialog }))
const PageViews = lazy(async () => ({ default: (await import('./analytics/PageViews.tsx')).PageViews }))

type Props = {
  /** Where views are told to; undefined: nobody is asked. */
  analyticsUrl: string | undefined
  children: ReactNode
}

/** Around the whole page: who reads it, how much of it, and what is said beside it. */
export function PeopleRoot({ analyticsUrl, children }: Props) {
  const [people] = useState(createPeople)
  const { pathname } = useLocation()
  useEffect(() => people.start(), [people])
  useEffect(() => people.visit(pathname), [people, pathname])
  const [loads] = useState(createLoadsPlace)
  useEffect(() => whenIdle(people, loads), [people, loads])
  useEffect(() => void checkVersion(import.meta.env.ASSAY_VERSION), [])
  return (
    <AuthContext value={people}>
      <LoadsContext value={loads}>
        <Watched analyticsUrl={analyticsUrl}>{children}</Watched>
      </LoadsContext>
    </AuthContext>
  )
}

/** Lists beside the page come once it stands: nothing of it waits for them. */
function whenIdle(people: People, place: LoadsPlace): () => void {
  let stop: (() => void) | undefined
  let isGone = false
  const begin = async () => {
    const { createLoads } = await import('./createLoads.ts')
    if (isGone) return
    const loads = createLoads(people)
    stop = loads.start()
    place.fill(loads)
  }
  const idle = globalThis.requestIdleCallback?.(() => void begin()) ?? setTimeout(begin, 1)
  return () => {
    isGone = true
    globalThis.cancelIdleCallback?.(idle as number)
    stop?.()
  }
}

function Watched({ analyticsUrl, children }: Props) {
  const { state, people } = usePeople()
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.read)
  return (
    <>
      <div className={styles.page} inert={state.isBlocked}>
        {children}
      </div>
      <Suspense>
        {state.isBlocked ? (
          <UpgradeOverlay />
        ) : (
          state.isUpgradeAsked && <UpgradeOverlay onLeave={() => people?.askToUpgrade(false)} />
        )}
        {state.modal !== undefined && <WalletDialog />}
        {toasts.length > 0 && <Toasts />}
        {analyticsUrl !== undefined && <PageViews url={analyticsUrl} />}
      </Suspense>
    </>
  )
}
