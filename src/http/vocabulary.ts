/** Closed sets of the API, as values: the schemas and the pages share them. */
export const GRAINS = ['block', 'hour', 'day', 'week', 'month', 'cycle'] as const
export const UNITS = ['native', 'btc', 'usd'] as const
export const RANGES = ['7d', '30d', '90d', '1y', 'max'] as const
export const SQL_FORMATS = ['json', 'csv', 'arrow', 'parquet'] as const
