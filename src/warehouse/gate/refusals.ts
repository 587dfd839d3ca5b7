/** What users are told when a query is no read at all. */
export const READ_ONLY =
  'Queries can only read, and results go to the caller alone: send SELECT, EXPLAIN, DESCRIBE or SHOW TABLES.'

export const UNCHECKED = 'The query has parts that cannot be checked.'
export const SETTINGS_CLOSED = 'SETTINGS is not open to queries: settings are fixed.'
export const CONTROL_CHARACTERS = 'Names in a query may not hold control characters.'
export const PLAIN_TYPES =
  "A type must be a plain text such as 'UInt64', and no state of an aggregate function."
export const PLAIN_AGGREGATE =
  "Write an aggregate function out as a text with plain numbers, such as 'sum' or 'quantile(0.9)'."
export const PLAIN_COLUMNS =
  "The column list of values() may hold names and types only, such as 'day Date, price Float64'."
