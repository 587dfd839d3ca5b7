import type { RouterContextProvider } from 'react-router'
import { apiContext, type SharedQueries, sharedQueriesContext } from '#http/context.ts'
import type { QueryExample, SavedQuery } from '#http/contract.ts'
import { problemOf } from '../problemOf.server.ts'
import { type DrawnResult, isHash, refusedResult } from './cited/cited.ts'
import type { DrawnLinks, Section } from './DataRail.tsx'
import { isId } from './queryClient.ts'
import { shownText } from './results/grid/cells.ts'

/** What the server shows of the address: a query that it opens, and a section of the rail. */
export type Drawn = {
  /** The example or shared query of the address; undefined where it names none that anybody may read. */
  readonly opened:
    | (Pick<SavedQuery, 'name' | 'sql' | 'parameters' | 'chart'> & {
        /** Of a shared query. */
        readonly saved: { readonly id: string; readonly version: number } | null
      })
    | undefined
  /** The stored result in the address, or why it is unavailable. Null if the address has none. */
  readonly cited: DrawnResult | null
  readonly section: DrawnSection | undefined
  readonly links: DrawnLinks
  /** Examples that are offered before anything ran: the first of each topic. */
  readonly starters: readonly Pick<QueryExample, 'id' | 'title'>[]
}

const MOST_STARTERS = 9
/** Columns rendered by the server. */
const MOST_COLUMNS = 30

type DrawnSection = Extract<Section, 'tables' | 'examples' | 'saved'>
const SECTIONS: readonly DrawnSection[] = ['tables', 'examples', 'saved']

/** `isShared`: some of it belongs to users, who may withdraw it at any time. */
export async function loadDrawn(
  query: URLSearchParams,
  context: Readonly<RouterContextProvider>,
): Promise<Drawn & { readonly isShared: boolean }> {
  const shared = context.get(sharedQueriesContext)
  const examples = (): Promise<readonly QueryExample[]> => context.get(apiContext).content.queryExamples()
  const id = query.get('id')
  const isSaved = id !== null && isId(id)
  const hash = query.get('result')
  const section = SECTIONS.find(each => each === query.get('section'))
  const [opened, cited, links, starters] = await Promise.all([
    isSaved ? shared?.read(id).then(ofSaved, () => undefined) : openedExample(query.get('example'), examples),
    hash !== null && isHash(hash) && shared !== null ? drawnResult(hash, shared) : null,
    section === 'examples'
      ? examples().then(exampleLinks, () => [])
      : section === 'saved'
        ? shared?.list().then(publicLinks, () => [])
        : [],
    examples().then(startersOf, () => []),
  ])
  return {
    opened,
    cited,
    section,
    links: links ?? [],
    starters,
    isShared: isSaved || section === 'saved' || hash !== null,
  }
}

async function drawnResult(hash: string, shared: SharedQueries): Promise<DrawnResult> {
  const readAt = new Date().toISOString()
  try {
    const { rows, ...found } = await shared.result(hash)
    const columns = found.result.columns.slice(0, MOST_COLUMNS)
    const texts = rows.map(row => columns.map(({ type }, at) => shownText(row[at] ?? null, type, false)))
    return { hash, readAt, found, problem: null, query: null, rows: texts }
  } catch (thrown) {
    return { ...refusedResult(hash, readAt, problemOf(thrown) ?? UNREADABLE), rows: [] }
  }
}

const UNREADABLE = {
  type: 'about:blank',
  code: 'web.result',
  detail: 'Couldn’t load this result.',
  hint: 'Reload the page.',
}

const ofSaved = ({ id, version, name, sql, parameters, chart }: SavedQuery): Drawn['opened'] => ({
  name,
  sql,
  parameters,
  chart,
  saved: { id, version },
})

async function openedExample(
  id: string | null,
  examples: () => Promise<readonly QueryExample[]>,
): Promise<Drawn['opened']> {
  if (id === null) return undefined
  const found = (await examples().catch(() => [])).find(each => each.id === id)
  return (
    found && { name: found.title, sql: found.sql, parameters: found.parameters, chart: null, saved: null }
  )
}

const startersOf = (examples: readonly QueryExample[]): Drawn['starters'] =>
  [...Map.groupBy(examples, ({ topic }) => topic).values()]
    .flatMap(([first]) => (first === undefined ? [] : [{ id: first.id, title: first.title }]))
    .slice(0, MOST_STARTERS)

const exampleLinks = (examples: readonly QueryExample[]): DrawnLinks =>
  [...Map.groupBy(examples, ({ topic }) => topic)].map(([topic, of]) => ({
    topic,
    links: of.map(({ id, title, about }) => ({ href: `/Query?example=${id}`, name: title, about })),
  }))

const publicLinks = ({
  public: queries,
}: {
  readonly public: readonly Pick<SavedQuery, 'id' | 'name' | 'about'>[]
}): DrawnLinks => [
  {
    topic: queries.length === 0 ? 'No public queries yet' : 'Public queries',
    links: queries.map(({ id, name, about }) => ({ href: `/Query?id=${id}`, name, about })),
  },
]
