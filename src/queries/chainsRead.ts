import type { Schema } from '#warehouse/index.ts'
import { type Origin, originsOf, relationsOf } from './provenance/relations.ts'
import { relationsRead } from './relationsRead.ts'

/**
 * Tells the chains whose rows a user query reads: Bitcoin, Stacks, then the EVM layers, by their ids. Views resolve to the
 * tables beneath them. A view of one EVM layer is named after it; the other tables of layers hold all of them.
 */
export function createChainsRead(schema: Schema): (sql: string) => readonly string[] {
  const { tables, views, layers = [] } = schema
  const byName = new Map(tables.map(table => [table.name, table]))
  const names = new Set(views.map(({ name }) => name))
  const known = new Map<string, readonly string[]>()
  const chainsOf = (view: string): readonly string[] => {
    const found = known.get(view)
    if (found !== undefined) return found
    const own = layers.find(layer => view.startsWith(`${layer}_`))
    const origins = [...relationsOf(view, schema, true).base].flatMap(name => {
      const table = byName.get(name)
      const origins = table === undefined ? [] : originsOf(table)
      return origins.length > 0 ? origins : ofPrefix(name)
    })
    const chains = origins.flatMap((origin): readonly string[] => {
      if (origin === 'bitcoin' || origin === 'statistics') return ['bitcoin']
      if (origin === 'stacks' || origin === 'stacks-burn') return ['stacks']
      if (origin !== 'layers' && origin !== 'headers') return []
      return own === undefined ? layers : [own]
    })
    known.set(view, chains)
    return chains
  }
  const order = ['bitcoin', 'stacks', ...layers]
  return sql => {
    const read = new Set([...relationsRead(sql, name => names.has(name))].flatMap(chainsOf))
    return order.filter(chain => read.has(chain))
  }
}

/** Tables that say how blocks came in, such as stale ones, are of a chain as well. */
const ofPrefix = (table: string): readonly Origin[] =>
  table.startsWith('btc_')
    ? ['bitcoin']
    : table.startsWith('stx_')
      ? ['stacks']
      : table.startsWith('evm_')
        ? ['layers']
        : []
