import {
  createStaticHandler,
  type LoaderFunctionArgs,
  RouterContextProvider,
  type ServerBuild,
  type StaticHandlerContext,
} from 'react-router'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { apiContext, type Site, siteContext } from '../context.ts'
import type { ApiFor } from '../createApi.ts'

/** The answers of a page, without its drawing. */
export type ReadPage = {
  readonly found: StaticHandlerContext
  readonly routes: ServerBuild['routes']
  readonly publicUrl: string
  /** False where a part could not be read just now. */
  readonly isWhole: boolean
}

type Deps = {
  readonly routes: ServerBuild['routes']
  readonly site: Omit<Site, 'nonce'>
  readonly apiFor: ApiFor
  readonly log: Log
}

type Routes = Parameters<typeof createStaticHandler>[0]

/** The build's routes as the router takes them: their loaders are the pages' own. */
export const routesOf = (routes: ServerBuild['routes'], parent = ''): Routes =>
  Object.values(routes).flatMap((route): Routes => {
    if (route === undefined || (route.parentId ?? '') !== parent) return []
    const { loader } = route.module
    const common = {
      id: route.id,
      ...(route.path !== undefined && { path: route.path }),
      ...(loader && { loader: (args: LoaderFunctionArgs) => loader(args as never) }),
      // Whatever fails is told of the page itself.
      hasErrorBoundary: true,
    }
    return [
      route.index
        ? { ...common, index: true }
        : {
            ...common,
            ...(route.caseSensitive && { caseSensitive: true }),
            children: routesOf(routes, route.id),
          },
    ]
  })

/**
 * Asks what a page asks, for what tells of pages without showing them. Undefined where the address leads elsewhere.
 * @param address path and query in canonical spelling
 */
export function createPageReader({ routes, site, apiFor, log }: Deps) {
  const handler = createStaticHandler(routesOf(routes))
  return async (address: string, asker: string): Promise<ReadPage | undefined> => {
    let isWhole = true
    const context = new RouterContextProvider()
    context.set(
      apiContext,
      apiFor({
        address: asker,
        onPassingFailure: error => {
          isWhole = false
          log.warn('a card lacks a part', {
            address,
            code: error.code,
            cause: sentenceOf(error.cause ?? error),
          })
        },
      }),
    )
    context.set(siteContext, { ...site, nonce: '' })
    const found = await handler.query(new Request(new URL(site.publicUrl + address)), {
      requestContext: context,
    })
    if (found instanceof Response) return undefined
    return { found, routes, publicUrl: site.publicUrl, isWhole }
  }
}
