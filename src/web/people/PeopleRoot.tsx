import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { checkVersion } from './checkVersion.ts'
import { createLoads } from './createLoads.ts'
import { createPeoplePlace } from './createPeoplePlace.ts'
import styles from './PeopleRoot.module.css'
import { toastStore } from './toasts.ts'
import { LoadsContext } from './useLoads.ts'
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
  const [people] = useState(createPeoplePlace)
  // There from the first: what is handed down to a whole page must not change under it, or React draws anew what it has not taken over yet.
  const [loads] = useState(() => createLoads(people))
  const { pathname } = useLocation()
  useEffect(() => people.start(), [people])
  useEffect(() => people.visit(pathname), [people, pathname])
  useEffect(() => whenIdle(loads.start), [loads])
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
function whenIdle(start: () => () => void): () => void {
  let stop: (() => void) | undefined
  const begin = () => {
    stop = start()
  }
  // Safari has no idle callbacks.
  const isIdle = 'requestIdleCallback' in window
  const waiting = isIdle ? requestIdleCallback(begin) : window.setTimeout(begin, 1)
  return () => {
    if (isIdle) cancelIdleCallback(waiting)
    else clearTimeout(waiting)
    stop?.()
  }
}

function Watched({ analyticsUrl, children }: Props) {
  const { state, people } = usePeople()
  const { key } = useLocation()
  // The entry of the history whose overlay was clicked away: it stays away while the next page loads.
  const [leftAt, setLeftAt] = useState<string>()
  if (leftAt !== undefined && leftAt !== key) setLeftAt(undefined)
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.read)
  return (
    <>
      <div className={styles.page} inert={state.isBlocked}>
        {children}
      </div>
      <Suspense>
        {state.isBlocked
          ? leftAt !== key && <UpgradeOverlay leadsTo="/" onClose={() => setLeftAt(key)} />
          : state.isUpgradeAsked && <UpgradeOverlay onClose={() => people?.askToUpgrade(false)} />}
        {state.modal !== undefined && <WalletDialog />}
        {toasts.length > 0 && <Toasts />}
        {analyticsUrl !== undefined && <PageViews url={analyticsUrl} />}
      </Suspense>
    </>
  )
}
