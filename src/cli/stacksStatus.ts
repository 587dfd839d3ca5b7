import type { Warehouse } from '#warehouse/index.ts'

type Held = { readonly burnTip: number; readonly parts: number; readonly strangers: number }

/** What else there is to say of Stacks, a line each: Bitcoin under it, and what no rule reads. */
export async function stacksLines({ reader }: Pick<Warehouse, 'reader'>): Promise<string[]> {
  const answer = await reader.query({
    query: `SELECT
  (SELECT max(height) FROM stx_burn_blocks) AS burnTip,
  (SELECT count() FROM stx_unknowns) AS parts,
  (SELECT count() FROM stx_kept_messages WHERE reason = 'unknown path') AS strangers`,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  const [{ burnTip, parts, strangers } = { burnTip: 0, parts: 0, strangers: 0 }] = await answer.json<Held>()
  return [
    `  bitcoin       ${burnTip > 0 ? burnTip : 'none'}`,
    `  unknown       ${parts} parts of blocks, ${strangers} messages, stored raw`,
  ]
}
