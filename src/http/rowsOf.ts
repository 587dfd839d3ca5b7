import type { Warehouse } from '#warehouse/index.ts'

/** Rows of a statement as objects. 64-bit integers arrive as numbers: for counts, heights and seconds, not for amounts. */
export async function rowsOf<Row>({ reader }: Pick<Warehouse, 'reader'>, query: string): Promise<Row[]> {
  const answer = await reader.query({
    query,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  return answer.json<Row>()
}
