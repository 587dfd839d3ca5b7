import { fallenCollateral, fallenDebt, isLiquidated, positionsSql } from '#metrics/apps/positions.ts'
import type { AppTable } from './table.ts'

/** The deepest fall that the ladder tells of, in hundredths. */
const DEEPEST = 60

const EMPTY =
  'No position can be valued: it takes the blocks in which accounts last moved, terms that the contract answers, and a price.'

/** What is liquidated when the collateral falls so far, step by step. */
export const ladderTable: AppTable = {
  title: 'What a fall of the price liquidates',
  sub: 'Positions of accounts with activity in indexed blocks, at the latest close',
  empty: EMPTY,
  columns: [
    { key: 'fall', label: 'Fall', form: 'figure', unit: 'ratio' },
    { key: 'positions', label: 'Positions', form: 'count' },
    { key: 'collateral', label: 'Collateral, at the fallen price', form: 'figure', unit: 'USD' },
    { key: 'debt', label: 'Debt', form: 'figure', unit: 'USD' },
    { key: 'short', label: 'Debt beyond collateral', form: 'figure', unit: 'USD' },
    { key: 'all_positions', label: 'Of positions', form: 'count', isOptional: true },
  ],
  sql: ({ declared }) => `WITH
  ${positionsSql(declared)}
SELECT
  f.step / 100 AS fall,
  countIf(${isLiquidated('fall')}) AS positions,
  ifNull(sumIf(${fallenCollateral('fall')}, ${isLiquidated('fall')}), 0) AS collateral,
  ifNull(sumIf(${fallenDebt('fall')}, ${isLiquidated('fall')}), 0) AS debt,
  ifNull(sumIf(${fallenDebt('fall')} - ${fallenCollateral('fall')}, ${fallenCollateral('fall')} < ${fallenDebt('fall')}), 0) AS short,
  count() AS all_positions
FROM positions AS p
CROSS JOIN (SELECT number AS step FROM numbers(${DEEPEST + 1})) AS f
GROUP BY f.step
ORDER BY f.step`,
}

/** Positions by how far they are from their liquidation. */
export const healthTable: AppTable = {
  title: 'Health of positions',
  sub: 'How far the price can fall before each is liquidated, at the latest close',
  empty: EMPTY,
  columns: [
    { key: 'band', label: 'May fall by', form: 'text' },
    { key: 'positions', label: 'Positions', form: 'count' },
    { key: 'collateral', label: 'Collateral', form: 'figure', unit: 'USD' },
    { key: 'debt', label: 'Debt', form: 'figure', unit: 'USD' },
    { key: 'ratio', label: 'Collateral over debt', form: 'figure', unit: 'ratio' },
  ],
  sql: ({ declared }) => `WITH
  ${positionsSql(declared)},
  held AS (
    SELECT
      ${fallenCollateral('0')} AS collateral, ${fallenDebt('0')} AS debt,
      -- Where debt moves with prices as collateral does, no fall may be deep enough.
      ${fallenCollateral('0')} - debt * p.needs AS spare, p.moving_collateral - p.moving_debt * p.needs AS lost,
      multiIf(spare < 0, -1, lost <= 0, 1, least(spare / lost, 1)) AS room
    FROM positions AS p
  )
SELECT
  multiIf(h.room < 0, 'nothing: it may be liquidated', h.room < 0.1, 'less than 10 %', h.room < 0.2, '10 to 20 %', h.room < 0.3, '20 to 30 %', h.room < 0.5, '30 to 50 %', 'more than 50 %') AS band,
  count() AS positions, sum(h.collateral) AS collateral, sum(h.debt) AS debt, sum(h.collateral) / sum(h.debt) AS ratio
FROM held AS h
GROUP BY band
ORDER BY min(h.room)`,
}
