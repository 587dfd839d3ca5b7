import { matchRoutes, type ServerBuild } from 'react-router'
import { type Body, canonicalSearch } from '../cache/answerCache.ts'
import { isKnownDay, KNOWN } from '../known.ts'
import type { DrawKind } from './drawLimit.ts'
import { routesOf } from './readPage.ts'

/**
 * How a page reads a name of its query: as one that decides what it shows (`own list` with each of its values, otherwise the
 * first alone), as one that has no say in which cards it shows (`aside`), if the page has this HTML or writes the name itself
 * (a card’s name), or not at all.
 */
export type QueryVerdict = 'own' | 'own list' | 'aside' | { readonly html: string } | false

/** Judges the names of a query for a page, by its path in the map of pages (`web/queryNames.server.ts`). */
export type JudgeQuery = (
  page: string,
  query: URLSearchParams,
) => (name: string, value: string) => QueryVerdict

/** What a reader does to set a name: choose from a list, go to another part of the page, or type. */
export type KindOfName = (name: string) => (typeof NARROWEST_FIRST)[number]

/** What is left of a query. */
export type ReadQuery = {
  readonly search: string
  /** The draw limit that this address counts against; undefined for a listed page without a query, of which there are few. */
  readonly kind: DrawKind | undefined
}

export type QueryFilterDeps = {
  readonly routes: ServerBuild['routes']
  readonly judge: JudgeQuery
  readonly kindOfName: KindOfName
  /** A page as readers get it, from the cache where it is there. */
  pageAt(address: string, kind: DrawKind | undefined, caller: string): Promise<Body>
}

/** React Router’s parameter that lists the loaders whose data it wants. */
const LOADERS = '_routes'
/** An address with names of several kinds counts as the first of these. */
const NARROWEST_FIRST = ['text', 'navigation', 'choice'] as const satisfies readonly DrawKind[]
/** How many card marks are remembered. */
const MOST_MARKS = 5_000

/**
 * Returns a filter that removes from a query everything that the page at a path does not read, including repeated names. It
 * leaves the query unchanged where the page reads all of it, and for paths without a page.
 */
export function createQueryFilter({ routes, judge, kindOfName, pageAt }: QueryFilterDeps) {
  const kindOf = (pattern: string | undefined, pairs: readonly { name: string }[]): DrawKind | undefined => {
    const kinds = new Set<DrawKind>(
      pairs.flatMap(({ name }) => (name === LOADERS || name === KNOWN ? [] : [kindOfName(name)])),
    )
    const isOneOfMany = pattern === undefined || /[:*]/.test(pattern)
    return NARROWEST_FIRST.find(kind => kinds.has(kind)) ?? (isOneOfMany ? 'path' : undefined)
  }
  const tree = routesOf(routes)
  const marksOf = createMarks()
  /** Marks that a page has had, so that readers of its cards do not draw it a second time. */
  const seen = new Set<string>()

  return async (path: string, search: string, caller: string): Promise<ReadQuery> => {
    const isData = path.endsWith('.data')
    // The framework asks for `/a.data`, and for `/a/_.data` where the address ends in a slash.
    const plain = isData ? path.replace(/_?\.data$/, '') || '/' : path
    const matches = matchRoutes(tree, plain) ?? []
    const route = routes[matches.at(-1)?.route.id ?? '']
    if (search === '') return { search, kind: kindOf(route?.path ?? (route?.index ? '' : undefined), []) }
    if (route === undefined || route.path === '*') return { search, kind: 'path' }
    const page = `/${route.path ?? ''}`
    const query = new URLSearchParams(search)
    const readBy = judge(page, query)

    const names = new Set<string>()
    let isAsWritten = true
    const judged: { name: string; value: string; verdict: QueryVerdict }[] = []
    for (const [name, value] of query) {
      if (isData && name === LOADERS && !names.has(name)) {
        const ids = loadersIn(
          value,
          matches.map(({ route }) => route.id ?? ''),
        )
        isAsWritten &&= ids === value
        judged.push({ name, value: ids, verdict: ids !== '' && 'aside' })
      } else {
        const verdict = (name !== KNOWN || isKnownDay(value)) && readBy(name, value)
        judged.push({ name, value, verdict: (verdict === 'own list' || !names.has(name)) && verdict })
      }
      names.add(name)
    }

    // Which cards a page shows follows from its own names alone. Most readers come from that page, so it is cached.
    const own = judged.filter(({ verdict }) => verdict === 'own' || verdict === 'own list')
    const ownAddress = () => plain + canonicalSearch(textOf(own))
    let marks: Promise<ReadonlySet<string> | undefined> | undefined
    const hasMark = async (name: string, html: string): Promise<boolean> => {
      const key = `${page} ${html} ${name}`
      if (seen.has(key)) return true
      marks ??= pageAt(ownAddress(), kindOf(route.path ?? '', own), caller).then(marksOf, () => undefined)
      const found = await marks
      // A page that cannot be drawn now may well show it.
      if (found === undefined) return true
      if (!found.has(html) && !found.has(name)) return false
      if (seen.size >= MOST_MARKS) seen.clear()
      seen.add(key)
      return true
    }
    const kept: typeof judged = []
    for (const each of judged) {
      const { name, verdict } = each
      if (typeof verdict === 'object' ? await hasMark(name, verdict.html) : verdict !== false) kept.push(each)
    }
    return {
      search: isAsWritten && kept.length === judged.length ? search : textOf(kept),
      kind: kindOf(route.path ?? '', kept),
    }
  }
}

const textOf = (pairs: readonly { name: string; value: string }[]): string =>
  new URLSearchParams(pairs.map(({ name, value }) => [name, value])).toString()

/** The loaders of a list that the page has, in one order, so that equal questions have one address. */
const loadersIn = (list: string, own: readonly string[]): string => {
  const asked = new Set(list.split(','))
  return own.filter(id => asked.has(id)).join(',')
}

/** Reads the marks of a page once: a search of the whole page for each name of a long query would cost seconds. */
function createMarks(): (body: Body) => ReadonlySet<string> | undefined {
  const read = new WeakMap<Body, ReadonlySet<string>>()
  return body => {
    if ((body.status ?? 200) >= 500) return undefined
    const known = read.get(body)
    if (known) return known
    const html = body.bytes.toString()
    const marks = new Set([...html.matchAll(/<section id="[^"]*"| name="[^"]*"/g)].map(([mark]) => mark))
    // A control writes the names that it sets, also where its card has nothing to show just now.
    for (const [, name = ''] of html.matchAll(/[?;]([\w-]{1,80}\.[\w-]{1,80})=/g)) marks.add(name)
    read.set(body, marks)
    return marks
  }
}
