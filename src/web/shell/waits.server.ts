import type { StaticHandlerContext } from 'react-router'
import { isExempt } from '../people/states/visits.ts'
import { calmOf } from './calm.ts'
import type { loader as shellLoader } from './Shell.tsx'

type Found = Pick<StaticHandlerContext, 'loaderData' | 'location' | 'matches' | 'statusCode'>
type Module = { readonly handle?: unknown }

/** What a loader gave, as pages have it. */
type Given<Loader extends (...args: never[]) => Promise<object>> = Awaited<ReturnType<Loader>>

/**
 * How the scripts of a page may wait for its reader’s first step, in the words of `waitScript`; undefined where they may not: on a page that is not
 * calm, and where something comes without being asked for (an ad, a closed piece, the question whether views may be told, a sheet that
 * is open).
 */
export function waitsOf(found: Found, moduleOf: (id: string) => Module | undefined): string | undefined {
  const leaf = found.matches.at(-1)
  const calm = leaf && calmOf(moduleOf(leaf.route.id)?.handle)
  const shell: Given<typeof shellLoader> | undefined = found.loaderData['shell/Shell']
  if (found.statusCode !== 200 || calm === undefined || shell === undefined) return undefined
  const path = found.location.pathname
  const comesByItself =
    shell.ads !== undefined ||
    shell.analyticsUrl !== undefined ||
    shell.assay !== undefined ||
    shell.gated.some(piece => piece.path === path)
  if (comesByItself) return undefined
  return ['waits', !isExempt(path) && 'counts', calm.hasFigures && 'news'].filter(Boolean).join(' ')
}
