import { type DeveloperTable, NOT_READ } from './table.ts'

/** From all commits to those that count, by ecosystem. */
export const excludedTable: DeveloperTable = {
  title: 'What is left out',
  sub: 'Commits by the first reason that fits, all days together; addresses, and the people that they come down to. What forks have from the projects they began from was never counted',
  empty: NOT_READ,
  columns: [
    { key: 'name', label: 'Ecosystem', form: 'page' },
    { key: 'total', label: 'Commits read', form: 'count' },
    { key: 'merges', label: 'Merges', form: 'count', title: 'They join branches and write nothing' },
    { key: 'bots', label: 'Programs', form: 'count', title: 'By the rules below' },
    { key: 'off_clock', label: 'Wrong clocks', form: 'count', title: 'Before git, or in the future' },
    { key: 'copies', label: 'Copies', form: 'count', title: 'In another repository, or rewritten' },
    { key: 'commits', label: 'Counted', form: 'count' },
    { key: 'share', label: 'Left out', form: 'figure', unit: 'ratio' },
    {
      key: 'inherited',
      label: 'Of upstreams',
      form: 'count',
      title: 'History that forks have from elsewhere',
    },
    { key: 'addresses', label: 'Addresses', form: 'count', title: 'Raw: of all commits' },
    { key: 'people', label: 'People', form: 'count', title: 'Cleaned: who ever made a commit that counts' },
  ],
  sql: () => `WITH
  named AS (
    SELECT ecosystem, name, page, 1 AS rank FROM dev_ecosystems
    UNION ALL
    SELECT 'ecosystems', 'All, each once', '', 0
  ),
  parents AS (
    SELECT c.ecosystem AS ecosystem, sum(d.inherited) AS inherited
    FROM dev_coverage AS c
    INNER JOIN dev_readings AS d ON d.repository = c.repository
    WHERE c.is_counted
    GROUP BY c.ecosystem
  )
SELECT
  e.name AS name, e.page AS name_href,
  sumIf(d.commits + d.merges + d.bots + d.off_clock + d.copies, NOT d.is_raw) AS total, sumIf(d.merges, NOT d.is_raw) AS merges,
  sumIf(d.bots, NOT d.is_raw) AS bots, sumIf(d.off_clock, NOT d.is_raw) AS off_clock, sumIf(d.copies, NOT d.is_raw) AS copies,
  sumIf(d.commits, NOT d.is_raw) AS commits, 1 - commits / nullIf(total, 0) AS share, any(p.inherited) AS inherited,
  sumIf(d.newcomers, d.is_raw) AS addresses, sumIf(d.newcomers, NOT d.is_raw) AS people
FROM named AS e
INNER JOIN dev_days AS d ON d.ecosystem = e.ecosystem
LEFT JOIN parents AS p ON p.ecosystem = e.ecosystem
GROUP BY e.name, e.page, e.rank
ORDER BY e.rank, total DESC`,
}

/** Programs, by the rule that tells them. */
export const botsTable: DeveloperTable = {
  title: 'How bots are identified',
  sub: 'Rules in `catalog/bots.json`. `recorded` marks bots flagged in a recording that omits their names',
  empty: NOT_READ,
  columns: [
    { key: 'bot', label: 'Rule', form: 'text' },
    { key: 'addresses', label: 'Addresses', form: 'count' },
    { key: 'commits', label: 'Commits', form: 'count' },
  ],
  sql: () => 'SELECT bot, addresses, commits\nFROM dev_bots\nORDER BY commits DESC, bot',
}
