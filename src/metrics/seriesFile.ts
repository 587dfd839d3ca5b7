import { type FileFormat, fileSettings } from '#warehouse/index.ts'
import type { Series } from './answers.ts'
import type { MetricsDeps } from './deps.ts'

/** The rows of a series' statement as a file that the engine writes, all of them. */
export async function readSeriesFile(
  { warehouse: { reader } }: MetricsDeps,
  { sql, parameters }: Pick<Series, 'sql' | 'parameters'>,
  format: FileFormat,
  signal?: AbortSignal,
): Promise<Buffer> {
  const { stream } = await reader.exec({
    query: sql,
    query_params: parameters,
    clickhouse_settings: fileSettings(format),
    ...(signal && { abort_signal: signal }),
  })
  return Buffer.concat(await stream.toArray())
}
