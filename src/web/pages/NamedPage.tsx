import { lazy, Suspense } from 'react'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { siteContext } from '#http/context.ts'
import { asksAnew } from '../assay/address.ts'
import { needsFigures } from '../blocks/view.ts'
import { PageError } from '../shell/PageError.tsx'
import { appMeta } from './apps/appMeta.ts'
import { appAt } from './apps/apps.ts'
import { loadApp } from './apps/loadApp.server.ts'
import { LayerView, layerMeta } from './layers/LayerView.tsx'
import { loadLayer } from './layers/loadLayer.server.ts'

/** Most addresses here are those of layers. */
const AppView = lazy(async () => ({ default: (await import('./apps/AppView.tsx')).AppView }))

/** What the catalogue names by itself: an EVM layer, or an application of Stacks that this build has no page of its own for. */
export async function loader({ url, context }: LoaderFunctionArgs) {
  const app = appAt(url, context.get(siteContext).applications)
  return app === undefined
    ? { layer: await loadLayer(url, context) }
    : { application: await loadApp(app, url, context) }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  return loaderData.layer === undefined ? appMeta(loaderData.application) : layerMeta(loaderData.layer)
}

export default function NamedPage() {
  const { layer, application } = useLoaderData<typeof loader>()
  return layer === undefined ? (
    <Suspense>
      <AppView key={application.app.slug} loaded={application} />
    </Suspense>
  ) : (
    <LayerView key={layer.layer.id} loaded={layer} />
  )
}

export const ErrorBoundary = PageError
