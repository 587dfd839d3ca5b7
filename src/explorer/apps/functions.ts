import { type AppTable, contractsSql } from './table.ts'

/** What users call, and how often it fails. */
export const functionsTable: AppTable = {
  title: 'Calls by function',
  sub: 'Transactions that call a cataloged contract, over the latest 30 days with blocks',
  empty: 'No indexed calls to its contracts.',
  columns: [
    { key: 'function_name', label: 'Function', form: 'text' },
    { key: 'contract', label: 'Contract', form: 'principal' },
    { key: 'calls', label: 'Calls', form: 'count' },
    { key: 'failed_share', label: 'Failed', form: 'figure', unit: 'ratio' },
    {
      key: 'callers',
      label: 'Callers, best day',
      form: 'count',
      title: 'Most distinct callers of one day: those of several days do not add up',
    },
    { key: 'newest', label: 'Latest day', form: 'day' },
  ],
  sql: app => `SELECT
  function_name, contract, sum(call_count) AS calls, sum(failed_call_count) / sum(call_count) AS failed_share,
  max(caller_count) AS callers, max(bucket) AS newest
FROM stx_call_days
WHERE contract IN (${contractsSql(app)})
  AND bucket > (SELECT max(bucket) FROM stx_block_days) - 30
GROUP BY contract, function_name
ORDER BY calls DESC, contract, function_name
LIMIT 200`,
}
