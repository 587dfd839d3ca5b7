/** Closed sets of the API, as values: the schemas and the pages share them. */
export const GRAINS = ['block', 'hour', 'day', 'week', 'month', 'cycle'] as const
export const UNITS = ['native', 'btc', 'usd'] as const
export const RANGES = ['7d', '30d', '90d', '1y', 'max'] as const
export const SQL_FORMATS = ['json', 'csv', 'arrow', 'parquet'] as const
export const INDEX_WEIGHTINGS = ['equal', 'cap', 'inverse-volatility', 'fees'] as const
export const INDEX_REBALANCES = ['monthly', 'quarterly', 'weekly', 'daily', 'never'] as const
/** What the index builder may be asked: least, most, and what it takes unless asked. */
export const BACKTEST_NUMBERS = {
  /** Largest weight, percent. */
  cap: { least: 1, most: 100, first: 40 },
  /** Days for which a token must have had a price. */
  age: { least: 1, most: 1000, first: 60 },
  /** Least median of daily volumes, US dollars. */
  floor: { least: 0, most: 1e12, first: 0 },
  /** Cost of a trade, hundredths of a percent of the amount. */
  cost: { least: 0, most: 1000, first: 30 },
} as const
