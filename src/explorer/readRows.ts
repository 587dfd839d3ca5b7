import type { ClickHouseClient } from '@clickhouse/client'

/** What the explorer reads with: a client that sees the public views. */
export type Reader = Pick<ClickHouseClient, 'query'>

/** Rows of a statement of ours. 64-bit integers come as decimal strings. */
export async function readRows<Row>(
  reader: Reader,
  sql: string,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<Row[]> {
  const answer = await reader.query({
    query: sql,
    query_params: { ...parameters },
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
  })
  return answer.json<Row>()
}

/** ISO-8601 of seconds since 1970. */
export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

export const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
