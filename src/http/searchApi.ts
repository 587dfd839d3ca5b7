import type { Catalog } from '#catalog/index.ts'
import type { Content } from '#content/index.ts'
import {
  createSearch,
  type Entry,
  entriesOf,
  type Found,
  type Hit,
  type NamedPage,
  type NamedTable,
  type Search,
} from '#search/index.ts'
import type { Api, MetricEntry, SearchResult } from './contract.ts'
import { findIds, isId } from './findIds.ts'

/** The index of names, made with the first question and again once what it was made of has changed. */
export type SearchIndex = {
  get(metrics: readonly MetricEntry[], readTables: () => Promise<readonly NamedTable[]>): Promise<Search>
}

type IndexDeps = {
  readonly catalog: Catalog
  readonly content: () => Content
  readonly pages: readonly NamedPage[]
}

/** Keeps one index for all askers. */
export function createSearchIndex({ catalog, content, pages }: IndexDeps): SearchIndex {
  let list: readonly MetricEntry[] | undefined
  let names = ''
  let texts: Content | undefined
  let kept: Promise<Search> | undefined
  return {
    get(metrics, readTables) {
      const written = content()
      if (kept !== undefined && list === metrics && texts === written) return kept
      list = metrics
      // The list is another with each change of the data; its names seldom are.
      const now = metrics
        .map(({ id, entityKind, entities }) => [id, entityKind, ...entities].join())
        .join('\n')
      if (kept !== undefined && now === names && texts === written) return kept
      names = now
      texts = written
      const making = readTables().then(
        tables => ({ tables, isWhole: true }),
        () => ({ tables: [], isWhole: false }),
      )
      const made: Promise<Search> = making.then(({ tables, isWhole }) => {
        // Without the tables it serves this once.
        if (!isWhole && kept === made) kept = undefined
        return createSearch(entriesOf({ catalog, content: written, pages, metrics, tables }))
      })
      kept = made
      return made
    },
  }
}

type Deps = {
  readonly index: SearchIndex
  readonly layers: readonly { readonly id: string; readonly name: string }[]
  readonly api: Pick<Api, 'metrics' | 'block' | 'tx' | 'stacks' | 'layer'>
  readonly blocksAt: (height: number) => Promise<readonly string[]>
  readonly tables: () => Promise<readonly NamedTable[]>
}

const resultOf = ({ entry: { kind, label, detail, path }, marks }: Hit): SearchResult => ({
  kind,
  label,
  detail,
  path,
  marks: [...marks],
})

const NOTHING: Found = { hits: [], total: 0, nearest: [] }

const placeOf = ({ label, path }: Entry) => ({ label, path })

/** Answers what was typed: what is held under it as an id first, then all that has such a name. */
export const createSearchApi =
  ({ index, layers, api, blocksAt, tables }: Deps): Api['search'] =>
  async ({ q, limit }) => {
    const [search, ids] = await Promise.all([
      api.metrics().then(metrics => index.get(metrics, tables)),
      findIds({ api, layers, blocksAt }, q),
    ])
    const { hits, total, nearest } = isId(q) ? NOTHING : search.find(q, limit)
    const [only, ...others] = ids
    return {
      asked: q,
      items: [...ids, ...hits.map(resultOf)].slice(0, limit),
      total: ids.length + total,
      opens: only !== undefined && others.length === 0 ? only.path : null,
      nearest: ids.length > 0 ? [] : nearest.map(placeOf),
    }
  }
