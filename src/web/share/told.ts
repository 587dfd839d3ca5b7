import type { MetaDescriptor, StaticHandlerContext } from 'react-router'

/** What a page says of itself in its head, and the answers that it was drawn from. */
export type Told = {
  readonly path: string
  readonly query: URLSearchParams
  /** Without the name of the site. */
  readonly title: string
  readonly description: string
  /** Whole address, without what only chooses a view. */
  readonly canonical: string
  /** What the page’s loader gave. */
  readonly page: Readonly<Record<string, unknown>>
  /** What the loader of the shell around it gave. */
  readonly shell: Readonly<Record<string, unknown>>
  readonly publicUrl: string
}

type Module = { readonly meta?: unknown }

type Asked = {
  found: Pick<StaticHandlerContext, 'loaderData' | 'location' | 'matches' | 'statusCode'>
  /** Module of a route by its id. */
  moduleOf: (id: string) => Module | undefined
  publicUrl: string
}

const SUFFIX = / · Assay$/

/** Undefined for whatever is no page of its own: errors, and what search engines are asked to leave out. */
export function toldOf({ found, moduleOf, publicUrl }: Asked): Told | undefined {
  const leaf = found.matches.at(-1)
  if (found.statusCode !== 200 || leaf === undefined) return undefined
  const page = recordIn(found.loaderData[leaf.route.id])
  const meta = metaOf(moduleOf(leaf.route.id), { ...found, page, params: leaf.params })
  const title = meta.flatMap(each => ('title' in each ? [String(each.title)] : []))[0]
  const canonical = meta.flatMap(each => (isCanonical(each) ? [each.href] : []))[0]
  if (title === undefined || canonical === undefined) return undefined
  return {
    path: found.location.pathname,
    query: new URLSearchParams(found.location.search),
    title: title.replace(SUFFIX, ''),
    description: named(meta, 'description') ?? '',
    canonical,
    page,
    shell: recordIn(found.loaderData['shell/Shell']),
    publicUrl,
  }
}

type Met = Pick<Asked['found'], 'location'> & { page: unknown; params: unknown }

/** Pages write their head from what was loaded; one without is left to its error. */
function metaOf(module: Module | undefined, { page, params, location }: Met): readonly MetaDescriptor[] {
  if (typeof module?.meta !== 'function') return []
  const given: unknown = module.meta({ loaderData: page, params, location, matches: [], error: undefined })
  return Array.isArray(given) ? (given as MetaDescriptor[]) : []
}

const isCanonical = (each: MetaDescriptor): each is { rel: 'canonical'; href: string } =>
  'rel' in each && each.rel === 'canonical' && 'href' in each && typeof each.href === 'string'

const named = (meta: readonly MetaDescriptor[], name: string): string | undefined =>
  meta.flatMap(each =>
    'name' in each && each.name === name && 'content' in each ? [String(each.content)] : [],
  )[0]

/** A record, whatever it holds; an empty one for anything else. */
export const recordIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Elements of a list that hold texts under all these names; none where it is no list. */
export const withTexts = <Name extends string>(
  value: unknown,
  ...names: readonly Name[]
): (Readonly<Record<string, unknown>> & Readonly<Record<Name, string>>)[] =>
  Array.isArray(value)
    ? (value as unknown[]).filter(
        (each): each is Record<string, unknown> & Record<Name, string> =>
          typeof each === 'object' &&
          each !== null &&
          names.every(name => typeof (each as Record<string, unknown>)[name] === 'string'),
      )
    : []
