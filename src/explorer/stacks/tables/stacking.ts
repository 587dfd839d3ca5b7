import { type StacksTable, stx } from './table.ts'

/** Members of the pool whose lists are recorded, to begin with. */
export const membersTable: StacksTable = {
  title: 'Largest members of Fast Pool',
  sub: 'By amount stacked in the latest recorded cycle, 127, with their first cycle',
  empty: 'The lists come with the bundled snapshot, which was not loaded here.',
  columns: [
    { key: 'member', label: 'Member', form: 'principal' },
    { key: 'stacked', label: 'Stacked in cycle 127', form: 'amount' },
    { key: 'share', label: 'Of the pool', form: 'figure', unit: 'ratio' },
    { key: 'first_cycle', label: 'Since cycle', form: 'count' },
    { key: 'cycles', label: 'Cycles', form: 'count' },
  ],
  sql: `SELECT
  member, ${stx('sumIf(amount_ustx, to_cycle = 127)', 'stacked')}, stacked / sum(stacked) OVER () AS share,
  min(from_cycle) AS first_cycle, sum(to_cycle - from_cycle + 1) AS cycles
FROM pool_members
GROUP BY member
HAVING stacked > 0
ORDER BY stacked DESC, member
LIMIT 50`,
}
