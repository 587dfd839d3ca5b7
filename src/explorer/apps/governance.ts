import type { CatalogProtocol } from '#catalog/index.ts'
import { type AppTable, quoted } from './table.ts'

const MOST = 100

/** Contracts of the application that rule the others, by the word that the catalogue has for their role. */
const rulingContracts = ({ contracts }: CatalogProtocol): string[] =>
  contracts
    .filter(
      ({ layer, role }) => layer === 'stacks' && /^(governance\b(?! token)|DAO\b|access control)/i.test(role),
    )
    .map(({ address }) => address)

/** What was proposed, voted on and changed through the contracts that rule an application. */
export const governanceTable: AppTable = {
  title: 'Governance',
  sub: 'Calls to its governance contracts, newest first: proposals, votes and executions, and by whom',
  empty:
    'No indexed call to a governance contract, or the catalog lists none. In that case, no data on who can change it.',
  columns: [
    { key: 'time', label: 'When', form: 'time' },
    { key: 'function_name', label: 'What', form: 'text' },
    { key: 'outcome', label: 'Outcome', form: 'text' },
    { key: 'contract', label: 'Contract', form: 'principal' },
    { key: 'caller', label: 'By', form: 'principal' },
    { key: 'txid', label: 'Transaction', form: 'txid' },
  ],
  sql: app => `SELECT
  formatDateTime(c.block_time, '%Y-%m-%dT%H:%i:%SZ') AS time, replaceAll(c.function_name, '-', ' ') AS function_name,
  multiIf(c.is_success IS NULL, 'not told', c.is_success, 'done', 'failed: nothing changed') AS outcome,
  c.contract AS contract, c.sender AS caller, lower(hex(c.txid)) AS txid
FROM stx_calls AS c
WHERE c.contract IN (${rulingContracts(app).map(quoted).join(', ') || "''"})
ORDER BY c.height DESC, c.tx_index DESC
LIMIT ${MOST}`,
}
