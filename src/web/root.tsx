import interUrl from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import type { ReactNode } from 'react'
import {
  Links,
  type LoaderFunctionArgs,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useRouteLoaderData,
} from 'react-router'
import { siteContext } from '#http/context.ts'
import './ui/tokens.css'
import './ui/base.css'
import { earlyScript } from './shell/earlyScript.ts'
import { FatalError } from './shell/FatalError.tsx'
import { EntitiesContext } from './shell/layers.ts'
import type { loader as shellLoader } from './shell/Shell.tsx'

/** What menus and footer are made of and where the API is, on pages that could not be drawn too. */
export function loader({ context }: LoaderFunctionArgs) {
  const { apiUrl, signUpUrl, newsletterUrl, socialUrl, sqlToken, layers, applications } =
    context.get(siteContext)
  return { apiUrl, signUpUrl, newsletterUrl, socialUrl, sqlToken, named: { layers, applications } }
}

/** It stays the same for as long as the server runs. */
export const shouldRevalidate = () => false

export function Layout({ children }: { children: ReactNode }) {
  const shell = useRouteLoaderData<typeof shellLoader>('shell/Shell')
  const site = useRouteLoaderData<typeof loader>('root')
  return (
    <html lang="en" data-theme="light" data-ads={shell?.ads} data-api={site?.apiUrl} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <script
          // Has run long before scripts take the page over: they do not bring it again.
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant, and it must run before the first paint
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? earlyScript : '' }}
        />
        <link rel="preload" href={interUrl} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration getKey={location => location.pathname + location.search} />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root() {
  const { named } = useLoaderData<typeof loader>()
  return (
    <EntitiesContext value={named}>
      <Outlet />
    </EntitiesContext>
  )
}

/** The last resort: the shell itself failed. */
export const ErrorBoundary = FatalError
