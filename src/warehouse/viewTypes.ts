import { createHash } from 'node:crypto'
import { withLayers } from './types.ts'
import type { View } from './view.ts'
import noted from './viewTypes.json' with { type: 'json' }

/** Types of the columns of a view, and the statement that they were asked for. */
export type NotedTypes = { readonly of: string; readonly types: Readonly<Record<string, string>> }

/** Tells one statement from another. */
export const markOf = ({ sql }: View): string => createHash('sha256').update(sql).digest('hex').slice(0, 16)

/**
 * Types of a view's columns in their order, where its declaration or `viewTypes.json` knows them: asking the engine for all
 * of them would take as long as making them. Undefined where the statement has changed since they were noted. `layers` are
 * those of the warehouse.
 */
export function knownTypes(
  view: View,
  layers: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const found = (noted as Readonly<Record<string, NotedTypes>>)[view.name]
  const types = view.types ?? (found?.of === markOf(view) ? found.types : undefined)
  if (types === undefined) return undefined
  return Object.fromEntries(Object.entries(types).map(([name, type]) => [name, withLayers(type, layers)]))
}
