import type { ClickHouseClient } from '@clickhouse/client'
import { whenThereIsRoom } from '#warehouse/index.ts'
import type { FigureValue } from './answers.ts'

/**
 * Runs a read and gives its rows as objects by column name. 64-bit integers arrive as text, so none loses a digit. A read
 * that is refused because others take the memory of the engine is tried again.
 */
export const ask = <Row>(
  reader: Pick<ClickHouseClient, 'query'>,
  sql: string,
  parameters: Readonly<Record<string, string | readonly string[]>> = {},
  signal?: AbortSignal,
): Promise<Row[]> => whenThereIsRoom(() => askOnce<Row>(reader, sql, parameters, signal), signal)

async function askOnce<Row>(
  reader: Pick<ClickHouseClient, 'query'>,
  sql: string,
  parameters: Readonly<Record<string, string | readonly string[]>>,
  signal: AbortSignal | undefined,
): Promise<Row[]> {
  const result = await reader.query({
    query: sql,
    query_params: parameters,
    format: 'JSONCompact',
    clickhouse_settings: {
      output_format_json_quote_64bit_integers: 1,
      output_format_json_quote_denormals: 0,
    },
    ...(signal === undefined ? {} : { abort_signal: signal }),
  })
  // The client types JSONCompact rows as unknown; names and rows come from the same answer.
  const { meta, data } = (await result.json()) as unknown as { meta: { name: string }[]; data: unknown[][] }
  const names = meta.map(({ name }) => name)
  return data.map(values => {
    const row: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) row[names[i]!] = values[i]
    return row as Row
  })
}

/** A figure as the API carries it: a number, a decimal text beyond 2^53 − 1, or null. */
export function figureOf(value: number | string | null): FigureValue {
  if (value === null || typeof value === 'number') return value
  const number = Number(value)
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(value) ? number : value
}

/** `2026-01-31 23:59:59` in UTC as ISO-8601. */
export const isoOf = (time: string): string => `${time.replace(' ', 'T')}Z`
