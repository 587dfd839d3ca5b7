import type { ClickHouseSettings, DataFormat } from '@clickhouse/client'

/** The files that the engine writes for people. */
const FILE_FORMATS = { arrow: 'Arrow', parquet: 'Parquet' } as const
export type FileFormat = keyof typeof FILE_FORMATS

/**
 * Settings under which a statement answers as such a file, packed so that every reader can unpack it: those of browsers
 * know no LZ4 within Arrow and little but Snappy within Parquet.
 */
export const fileSettings = (format: FileFormat): ClickHouseSettings => ({
  // The client's list of formats is shorter than the engine's.
  default_format: FILE_FORMATS[format] as DataFormat,
  output_format_arrow_compression_method: 'none',
  output_format_parquet_compression_method: 'snappy',
})
