import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { siteContext } from '#http/context.ts'
import { asksAnew } from '../../assay/address.ts'
import { needsFigures } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { AppView } from './AppView.tsx'
import { appMeta } from './appMeta.ts'
import { appAt } from './apps.ts'
import { loadApp } from './loadApp.server.ts'

/** The server tells by it that an application of the catalogue may have this address. */
export const handle = { page: 'application' }

export function loader({ url, context }: LoaderFunctionArgs) {
  const app = appAt(url, context.get(siteContext).applications)
  if (app === undefined) throw new Error(`${url.pathname} is the address of no application`)
  return loadApp(app, url, context)
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) => (loaderData ? appMeta(loaderData) : [])

export default function AppPage() {
  return <AppView loaded={useLoaderData<typeof loader>()} />
}

export const ErrorBoundary = PageError
