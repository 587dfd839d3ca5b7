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
export const ESTIMATE_CLOSED =
  'EXPLAIN ESTIMATE is not open to queries: it counts rows that are not committed yet.'
export const EXPLAIN_SETTINGS_CLOSED =
  'EXPLAIN takes these settings, as 0 or 1 before a SELECT: actions, description, header, indexes, json, optimize, projections and sorting of a plan, graph and header of PIPELINE, oneline of SYNTAX, run_passes, dump_tree and dump_ast of QUERY TREE.'
export const FORMAT_CLOSED = 'FORMAT is not open to queries: the caller chooses the format of the result.'
