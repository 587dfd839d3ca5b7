import { type AppTable, contractsSql } from './table.ts'

const DAYS = 30
const NEWEST = '(SELECT max(bucket) FROM stx_block_days)'
/** SQL: whether every block of the days before the newest one is indexed, and how its calls ended. */
const COVERS_DAYS = `(SELECT count() = ${DAYS - 1} FROM stx_whole_days WHERE day > ${NEWEST} - ${DAYS} AND day < ${NEWEST})
    AND (SELECT count() = 0 FROM stx_untold_days WHERE part = 'receipts' AND day > ${NEWEST} - ${DAYS})`

/** What users call, and how often it fails. */
export const functionsTable: AppTable = {
  title: 'Calls by function',
  sub: 'Transactions that call a cataloged contract, over the latest 30 days with blocks',
  empty: 'No indexed calls to its contracts.',
  columns: [
    { key: 'function_name', label: 'Function', form: 'text' },
    { key: 'contract', label: 'Contract', form: 'principal' },
    { key: 'calls', label: 'Calls', form: 'count' },
    {
      key: 'failed_share',
      label: 'Failed',
      form: 'figure',
      unit: 'ratio',
      title: 'Only where every block of the 30 days is indexed with its receipts',
    },
    {
      key: 'callers',
      label: 'Callers, best day',
      form: 'count',
      title: 'Most distinct callers of one day: those of several days do not add up',
    },
    { key: 'newest', label: 'Latest day', form: 'day' },
  ],
  sql: app => `SELECT
  function_name, contract, sum(call_count) AS calls,
  if(${COVERS_DAYS}, sum(failed_call_count) / sum(call_count), NULL) AS failed_share,
  max(caller_count) AS callers, max(bucket) AS newest
FROM stx_call_days
WHERE contract IN (${contractsSql(app)})
  AND bucket > ${NEWEST} - ${DAYS}
GROUP BY contract, function_name
ORDER BY calls DESC, contract, function_name
LIMIT 200`,
}
