import { lazy, Suspense, useEffect } from 'react'
import {
  data,
  type LoaderFunctionArgs,
  type Location,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
} from 'react-router'
import { siteContext } from '#http/context.ts'
import { changedKeys, LOADED_KEYS } from '../assay/address.ts'
import { loadAssay } from '../assay/loadAssay.server.ts'
import { listen } from '../blocks/firstStep.ts'
import { KNOWN } from '../blocks/view.ts'
import { isDay } from '../format/day.ts'
import type { Failure } from '../pages/failure.ts'
import { Footer } from './Footer.tsx'
import { EntitiesContext } from './layers.ts'
import { PageError } from './PageError.tsx'
import { Progress } from './Progress.tsx'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'
import { useChanges } from './useChanges.ts'
import { useDetailsDismissal } from './useDetailsDismissal.ts'

/** Loaded with the first figure that is opened. */
const AssaySheet = lazy(async () => ({ default: (await import('../assay/AssaySheet.tsx')).AssaySheet }))

/** The shell around every page, and the assay sheet that any figure of any page may open over it. */
export async function loader({ url, context }: LoaderFunctionArgs) {
  const known = url.searchParams.get(KNOWN)
  if (known !== null && !(isDay(known) && Date.parse(known) <= Date.now()))
    throw data(noSuchDay, { status: 400 })
  const { version, newsletterUrl, socialUrl, layers, applications } = context.get(siteContext)
  return {
    version,
    newsletterUrl,
    socialUrl,
    named: { layers, applications },
    assay: await loadAssay(url, context),
  }
}

const noSuchDay: Failure = {
  title: 'No such day',
  detail: 'What was known on a day can be shown of UTC days up to today, named like 2026-01-31.',
  hint: 'Take `known` out of the address to see what is known today.',
  code: undefined,
  nearest: [],
}

/** The shell’s own data hangs on the assay part of the address and on nothing else. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return (
    currentUrl.href === nextUrl.href ||
    changedKeys(currentUrl, nextUrl).some(key => key === KNOWN || LOADED_KEYS.some(loaded => loaded === key))
  )
}

export default function Shell() {
  const { assay, named, newsletterUrl, socialUrl } = useLoaderData<typeof loader>()
  const of = addressOf(useLocation())
  useDetailsDismissal()
  useChanges()
  useEffect(listen, [])
  return (
    <EntitiesContext value={named}>
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      <Progress />
      <TopBar newsletterUrl={newsletterUrl} />
      <div className={styles.frame}>
        <Sidebar />
        <div className={styles.column}>
          {/* Of which address the page is: the browser’s own changes before the page does. */}
          <main id="page" tabIndex={-1} className={styles.page} data-of={of}>
            <Outlet />
          </main>
          <Footer newsletterUrl={newsletterUrl} socialUrl={socialUrl} />
        </div>
      </div>
      <Suspense>{assay && <AssaySheet assay={assay} />}</Suspense>
    </EntitiesContext>
  )
}

/** An address as the server has it too, which puts keys in order. */
function addressOf({ pathname, search }: Location): string {
  const query = new URLSearchParams(search)
  query.sort()
  return `${pathname}?${query}`
}

/** The shell stands even when the sheet’s loader fails; pages bring their own boundary. */
export function ErrorBoundary() {
  return (
    <>
      <TopBar newsletterUrl={undefined} />
      <div className={styles.frame}>
        <Sidebar />
        <div className={styles.column}>
          <main id="page" tabIndex={-1} className={styles.page}>
            <PageError />
          </main>
          <Footer newsletterUrl={undefined} socialUrl={undefined} />
        </div>
      </div>
    </>
  )
}
