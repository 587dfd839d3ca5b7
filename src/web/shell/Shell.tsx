import { lazy, Suspense, useEffect } from 'react'
import {
  data,
  type LoaderFunctionArgs,
  type Location,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
  useRouteLoaderData,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { isDay } from '#kernel/days.ts'
import { changedKeys, LOADED_KEYS } from '../assay/address.ts'
import { loadAssay } from '../assay/loadAssay.server.ts'
import { listen } from '../blocks/firstStep.ts'
import { KNOWN } from '../blocks/view.ts'
import type { Failure } from '../pages/failure.ts'
import { AdBox } from '../people/ad/AdBox.tsx'
import { windowsText } from '../people/ad/adWindow.ts'
import { PeopleRoot } from '../people/PeopleRoot.tsx'
import type { loader as rootLoader } from '../root.tsx'
import { Footer } from './Footer.tsx'
import { OutageBanner } from './OutageBanner.tsx'
import { PageError } from './PageError.tsx'
import { Progress } from './Progress.tsx'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'
import { useChanges } from './useChanges.ts'
import { useDetailsDismissal } from './useDetailsDismissal.ts'

/** Few pages have one, and its text is no part of what the server draws. */
const GatedPiece = lazy(async () => ({
  default: (await import('../pages/content/GatedPiece.tsx')).GatedPiece,
}))
/** Loaded with the first figure that is opened. */
const AssaySheet = lazy(async () => ({ default: (await import('../assay/AssaySheet.tsx')).AssaySheet }))

/** The shell around every page, and the assay sheet that any figure of any page may open over it. */
export async function loader({ url, context }: LoaderFunctionArgs) {
  const known = url.searchParams.get(KNOWN)
  if (known !== null && !(isDay(known) && Date.parse(known) <= Date.now()))
    throw data(noSuchDay, { status: 400 })
  return {
    analyticsUrl: context.get(siteContext).analyticsUrl,
    ads: windowsText(await context.get(apiContext).content.adWindows()),
    gated: await context.get(apiContext).content.gated(),
    assay: await loadAssay(url, context),
  }
}

const noSuchDay: Failure = {
  title: 'No such day',
  detail: 'Past data is available for UTC days up to today, written like 2026-01-31.',
  hint: 'Remove `known` from the address to see today’s data.',
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
  const { assay, ads, gated, analyticsUrl } = useLoaderData<typeof loader>()
  const links = useLinks()
  const location = useLocation()
  const of = addressOf(location)
  const pieces = gated.filter(({ path }) => path === location.pathname)
  useDetailsDismissal()
  useChanges()
  useEffect(listen, [])
  return (
    <PeopleRoot analyticsUrl={analyticsUrl}>
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      <Progress />
      <TopBar newsletterUrl={links.newsletterUrl} signUpUrl={links.signUpUrl} />
      <div className={styles.frame}>
        <Sidebar newsletterUrl={links.newsletterUrl} />
        <div className={styles.column}>
          <OutageBanner />
          <AdBox isBooked={ads !== undefined} />
          {/* Of which address the page is: the browser’s own changes before the page does. */}
          <main id="page" tabIndex={-1} className={styles.page} data-of={of}>
            <Outlet />
            {pieces.length > 0 && (
              <Suspense>
                {pieces.map(piece => (
                  <GatedPiece key={piece.key} piece={piece} />
                ))}
              </Suspense>
            )}
          </main>
          <Footer newsletterUrl={links.newsletterUrl} socialUrl={links.socialUrl} />
        </div>
      </div>
      <Suspense>{assay && <AssaySheet assay={assay} />}</Suspense>
    </PeopleRoot>
  )
}

const NO_LINKS = { signUpUrl: '/pricing', newsletterUrl: undefined, socialUrl: undefined }

/** Where this server’s configuration leads. */
const useLinks = () => useRouteLoaderData<typeof rootLoader>('root') ?? NO_LINKS

/** An address as the server has it too, which puts keys in order. */
function addressOf({ pathname, search }: Location): string {
  const query = new URLSearchParams(search)
  query.sort()
  return `${pathname}?${query}`
}

/** The shell stands even when the sheet’s loader fails; pages bring their own boundary. */
export function ErrorBoundary() {
  const links = useLinks()
  useEffect(listen, [])
  return (
    <>
      <TopBar newsletterUrl={links.newsletterUrl} signUpUrl={links.signUpUrl} />
      <div className={styles.frame}>
        <Sidebar newsletterUrl={links.newsletterUrl} />
        <div className={styles.column}>
          <main id="page" tabIndex={-1} className={styles.page}>
            <PageError />
          </main>
          <Footer newsletterUrl={links.newsletterUrl} socialUrl={links.socialUrl} />
        </div>
      </div>
    </>
  )
}
