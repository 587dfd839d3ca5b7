import type { ClickHouseClient } from '@clickhouse/client'
import { snake, type Table } from '#kernel/table.ts'
import { BASE_DATABASE } from './ddl.ts'
import type { Schema } from './schema.ts'

/**
 * The layers of a warehouse in the order of their codes: those that it knows already, as it knows them, then those of the
 * catalogue that are new to it. So a code never changes, whatever files the catalogue gains or loses, and nobody has to
 * hand codes out. Columns of one warehouse know the same layers, some fewer where an earlier migration was cut short.
 */
export async function layersOfHere(client: ClickHouseClient, schema: Schema): Promise<string[]> {
  const result = await client.query({
    query: `SELECT table, name, type FROM system.columns WHERE database = '${BASE_DATABASE}' AND type LIKE 'Enum8(%'`,
    format: 'JSONEachRow',
  })
  const types = new Map<string, string>()
  for (const { table, name, type } of await result.json<{ table: string; name: string; type: string }>())
    types.set(`${table}.${name}`, type)
  const known = schema.tables.flatMap(table =>
    Object.entries(table.columns).flatMap(([key, { kind, values = [] }]) => {
      const type = kind === 'layer' ? types.get(`${table.name}.${snake(key)}`) : undefined
      return type === undefined ? [] : [namesOf(type).slice(values.length)]
    }),
  )
  const held = known.reduce<string[]>((most, names) => (names.length > most.length ? names : most), [])
  return [...held, ...(schema.layers ?? []).filter(layer => !held.includes(layer))]
}

/** The names of a closed set, in the order of their codes. */
const namesOf = (type: string): string[] =>
  [...type.matchAll(/'([^']*)' = (\d+)/g)]
    .sort(([, , a], [, , b]) => Number(a) - Number(b))
    .map(([, name]) => name!)

/** The tables that are declared, with the layers of a warehouse where a column names one. */
export const tablesOfHere = ({ tables }: Schema, layers: readonly string[]): readonly Table[] =>
  tables.map(table => ({
    ...table,
    columns: Object.fromEntries(
      Object.entries(table.columns).map(([key, column]) => [
        key,
        column.kind === 'layer'
          ? { ...column, kind: 'enum' as const, values: [...(column.values ?? []), ...layers] }
          : column,
      ]),
    ),
  }))
