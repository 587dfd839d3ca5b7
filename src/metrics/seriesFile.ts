import type { DataFormat } from '@clickhouse/client'
import type { Series } from './answers.ts'
import type { MetricsDeps } from './deps.ts'

const FORMATS = { arrow: 'Arrow', parquet: 'Parquet' } as const
export type SeriesFileFormat = keyof typeof FORMATS

/** The rows of a series' statement as a file that the engine writes, all of them. */
export async function readSeriesFile(
  { warehouse: { reader } }: MetricsDeps,
  { sql, parameters }: Pick<Series, 'sql' | 'parameters'>,
  format: SeriesFileFormat,
  signal?: AbortSignal,
): Promise<Buffer> {
  const { stream } = await reader.exec({
    query: sql,
    query_params: parameters,
    // The client's list of formats is shorter than the engine's.
    clickhouse_settings: { default_format: FORMATS[format] as DataFormat },
    ...(signal && { abort_signal: signal }),
  })
  return Buffer.concat(await stream.toArray())
}
