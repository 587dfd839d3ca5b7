import { type Schema, type Warehouse, whenThereIsRoom } from '#warehouse/index.ts'
import { createTurns } from '../turns.ts'
import type { Input, RowsDigest } from './bundle.ts'
import { createInputs, type Inputs } from './inputs.ts'
import { relationsOf } from './relations.ts'
import { rowsHashSql } from './rowsHash.ts'

export type Grounds = {
  readonly tables: readonly { readonly name: string; readonly version: string }[]
  readonly inputs: readonly Input[]
}

/** What provenance files are made of. */
export type Provenance = {
  readonly inputs: Inputs
  /** Hashing all blocks of a chain takes seconds: a few reads run at a time. Throws `sql.too_many_at_once`. */
  inTurn<T>(caller: string, read: () => Promise<T>): Promise<T>
  /** As `Warehouse.changeMark`. */
  changeMark(): Promise<string | undefined>
  /** Current inputs of a query. `isOurs`: the SQL of a metric. */
  grounds(sql: string, isOurs: boolean): Promise<Grounds>
  /** The rows of a statement of ours, hashed in the engine. `columns`: those that count; all unless given. */
  rowsOf(
    sql: string,
    parameters: Readonly<Record<string, string>>,
    columns: readonly string[],
    signal?: AbortSignal,
  ): Promise<Pick<RowsDigest, 'columns' | 'rowCount' | 'hash' | 'roundedHash'>>
}

/** A check asks one question after the other. */
const TURNS = { perAsker: 4, inAll: 2, ofMembers: 0, sharedFrom: 100, waitMs: 60_000 } as const

export function createProvenance(
  warehouse: Pick<Warehouse, 'reader' | 'changeMark'>,
  schema: Schema,
): Provenance {
  const { reader } = warehouse
  const turns = createTurns(TURNS)
  const inputs = createInputs(warehouse, schema)
  const read = async <Row>(
    query: string,
    parameters: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<Row[]> => {
    const answer = await whenThereIsRoom(
      () =>
        reader.query({
          query,
          query_params: parameters,
          format: 'JSONEachRow',
          ...(signal && { abort_signal: signal }),
        }),
      signal,
    )
    return await answer.json<Row>()
  }
  return {
    inputs,
    async inTurn(caller, read) {
      const release = await turns.take(caller)
      try {
        return await read()
      } finally {
        release()
      }
    },
    changeMark: () => warehouse.changeMark(),
    async grounds(sql, isOurs) {
      const relations = relationsOf(sql, schema, isOurs)
      return { tables: relations.tables, inputs: await inputs.of(relations) }
    },
    async rowsOf(sql, parameters, wanted, signal) {
      const described = await read<{ name: string; type: string }>(
        `DESCRIBE (\n${sql}\n)`,
        parameters,
        signal,
      )
      const columns = described
        .map(({ name, type }) => ({ name, type }))
        .filter(({ name }) => wanted.length === 0 || wanted.includes(name))
      const [found] = await read<{ __exact: string; __rounded: string; __row_count: string }>(
        rowsHashSql(columns, `(\n${sql}\n)`),
        parameters,
        signal,
      )
      return {
        columns,
        rowCount: Number(found!.__row_count),
        hash: found!.__exact,
        roundedHash: found!.__rounded,
      }
    },
  }
}
