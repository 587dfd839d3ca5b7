import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import type { Built } from './loadIndices.server.ts'

type Answer = NonNullable<Built['answer']>
type Statistic = { key: string; label: string } & Answer['statistics']['level']
type Rebalancing = Answer['rebalancings'][number]
type Token = Answer['tokens'][number]

const ratio = (value: number | null): string => figureText(value, 'ratio').text
const number = (value: number | null): string => figureText(value, '').text

const STATISTIC_COLUMNS: TableColumn<Statistic>[] = [
  { key: 'label', label: 'What', value: row => row.label, cell: row => row.label },
  ...(
    [
      ['total', 'Whole time', 'Last level over the first'],
      ['yearly', 'A year', 'Compounded'],
      ['volatility', 'Volatility', 'Sample deviation of daily log returns × √365'],
      ['drawdown', 'Deepest fall', 'By closes, from a high'],
    ] as const
  ).map(
    ([key, label, title]): TableColumn<Statistic> => ({
      key,
      label,
      title,
      isNumber: true,
      value: row => row[key],
      cell: row => ratio(row[key]),
    }),
  ),
  {
    key: 'sharpe',
    label: 'Sharpe',
    title: 'Risk-free return 0',
    isNumber: true,
    value: row => row.sharpe,
    cell: row => number(row.sharpe),
  },
]

const namesOf = (tokens: readonly Token[]) => new Map(tokens.map(({ token, symbol }) => [token, symbol]))

const rebalancingColumns = (names: ReadonlyMap<string, string>): TableColumn<Rebalancing>[] => {
  const weights = ({ constituents }: Rebalancing) =>
    constituents
      .toSorted((a, b) => b.weight - a.weight)
      .map(({ token, weight, isCapped }) => `${names.get(token)} ${ratio(weight)}${isCapped ? ' (cap)' : ''}`)
      .join(', ')
  const out = (row: Rebalancing) =>
    row.out.map(({ token, reason }) => `${names.get(token)}: ${reason}`).join('; ')
  return [
    { key: 'day', label: 'Day', value: row => row.day, cell: row => dayText(row.day) },
    {
      key: 'weights',
      label: 'Weights after it',
      value: weights,
      cell: row => weights(row) || 'suspended',
    },
    {
      key: 'traded',
      label: 'Turnover',
      title: 'Half of what was bought and sold',
      isNumber: true,
      value: row => row.traded / 2,
      cell: row => ratio(row.traded / 2),
    },
    {
      key: 'divisor',
      label: 'Divisor',
      title: 'Sum of sizes over the level',
      isNumber: true,
      isOptional: true,
      value: row => row.divisor,
      cell: row => number(row.divisor),
    },
    { key: 'out', label: 'Not eligible', value: out, cell: row => out(row) || '–' },
  ]
}

const TOKEN_COLUMNS: TableColumn<Token>[] = [
  { key: 'symbol', label: 'Token', value: row => row.symbol, cell: row => row.symbol },
  {
    key: 'points',
    label: 'Brought, points',
    title: 'They add up to the change of the level',
    isNumber: true,
    value: row => row.points,
    cell: row => number(row.points),
  },
  {
    key: 'months',
    label: 'Rebalancings in',
    isNumber: true,
    value: row => row.months,
    cell: row => String(row.months),
  },
  {
    key: 'first',
    label: 'Prices from',
    value: row => row.firstDay,
    cell: row => (row.firstDay ? dayText(row.firstDay) : 'no prices'),
  },
  {
    key: 'last',
    label: 'to',
    value: row => row.lastDay,
    cell: row => (row.lastDay ? dayText(row.lastDay) : '–'),
  },
]

/** What a backtest tells besides its curve. */
export function BuilderTables({ answer }: { answer: Answer }) {
  const { statistics, tokens, rebalancings, rebalanced, turnoverYearly } = answer
  const rows: Statistic[] = [
    { key: 'level', label: 'Your index', ...statistics.level },
    { key: 'net', label: 'After costs', ...statistics.levelNet },
    { key: 'btc', label: 'Bitcoin', ...statistics.btc },
    { key: 'eth', label: 'Ether', ...statistics.eth },
  ]
  return (
    <>
      <TableCard
        id="statistics"
        title="Return and risk"
        sub={`Over the days of the backtest${turnoverYearly === null ? '' : `; turnover ${ratio(turnoverYearly)} a year`}`}
        rows={rows}
        columns={STATISTIC_COLUMNS}
        rowKey={row => row.key}
        words={row => row.label}
        empty="There is no day."
      />
      <TableCard
        id="brought"
        title="Contribution by token"
        sub="Points of the level since the beginning"
        rows={tokens.filter(({ isAsked }) => isAsked)}
        columns={TOKEN_COLUMNS}
        rowKey={row => row.token}
        words={row => row.symbol}
        empty="No token was chosen."
      />
      <TableCard
        id="built-rebalancings"
        title="Rebalancings"
        sub={
          rebalanced > rebalancings.length
            ? `Latest ${rebalancings.length} of ${rebalanced}. All are in the JSON`
            : 'Newest first'
        }
        rows={rebalancings}
        columns={rebalancingColumns(namesOf(tokens))}
        rowKey={row => row.day}
        words={row => row.day}
        empty="It was never rebalanced."
      />
    </>
  )
}
