import { countColumn } from '#web/blocks/countColumn.ts'
import { StateCard } from '#web/blocks/State.tsx'
import { TableCard, type TableColumn } from '#web/blocks/TableCard.tsx'
import { figureText } from '#web/format/figure.ts'
import { RetryLink } from '#web/ui/RetryLink.tsx'
import { type BookPage, opensDetails } from '../bookPage.ts'
import { HUGE, LONG_NAME, UNBROKEN, wave } from '../made.ts'

type Row = { name: string; users: number | null; held: number | null; about: string }

const money = (value: number | null) => figureText(value, 'USD').text

const COLUMNS: TableColumn<Row>[] = [
  { key: 'name', label: 'Layer', value: ({ name }) => name },
  countColumn('users', 'Users', ({ users }) => users),
  {
    key: 'held',
    label: 'Value held',
    under: '31 Jan 2026',
    isNumber: true,
    value: ({ held }) => held,
    cell: ({ held }) => money(held),
  },
  { key: 'about', label: 'About', value: ({ about }) => about },
]

const rowOf = (index: number): Row => ({
  name: `Layer ${index + 1}`,
  users: Math.round(wave(index) * 90_000),
  held: wave(index, 3) * 4e9,
  about: index % 3 === 0 ? 'a sidechain' : 'a rollup',
})
const ROWS = Array.from({ length: 60 }, (_, index) => rowOf(index))

const EXTREME: Row[] = [
  { name: LONG_NAME, users: 1e21, held: HUGE, about: LONG_NAME },
  { name: UNBROKEN, users: 0, held: -HUGE, about: UNBROKEN },
  { name: 'Not known', users: null, held: null, about: '' },
  { name: 'B²', users: 1, held: 4e-9, about: '–' },
]

const MANY: TableColumn<Row>[] = [
  ...COLUMNS.slice(0, 2),
  ...Array.from(
    { length: 14 },
    (_, index): TableColumn<Row> => ({
      key: `c${index}`,
      label: `Measure ${index + 1}`,
      isNumber: true,
      value: ({ users }) => (users ?? 0) * 10 ** index,
      cell: ({ users }) => money((users ?? 0) * 10 ** index),
    }),
  ),
]

const common = { rowKey: ({ name }: Row) => name, words: ({ name, about }: Row) => `${name} ${about}` }

export const TABLE_PAGES: readonly BookPage[] = [
  {
    name: 'table',
    title: 'Table',
    component: 'src/web/blocks/TableCard.tsx',
    states: [
      {
        name: 'no rows, with the reason and a command',
        draw: () => (
          <TableCard
            id="none"
            title="Made layers"
            rows={[]}
            columns={COLUMNS}
            empty="Nothing is held yet: “assay backfill --chain bitcoin --from 0” brings it in."
            {...common}
          />
        ),
      },
      {
        name: 'one row',
        draw: () => (
          <TableCard id="one" title="Made layers" rows={ROWS.slice(0, 1)} columns={COLUMNS} {...common} />
        ),
      },
      {
        name: 'long names, 1.2 × 10^24, below zero, not known; sorted, with a sum and a foot',
        at: '?extreme.sort=-held',
        draw: () => (
          <TableCard
            id="extreme"
            title={`${LONG_NAME}: who holds what`}
            sub="A sentence below the title that says what is counted, of which day, and what is left out of it and why"
            rows={EXTREME}
            columns={COLUMNS}
            totals={{ name: 'All of them', users: '1,000,000,000,000,000,000,001', held: money(0) }}
            foot={<span>A note below the rows.</span>}
            {...common}
          />
        ),
      },
      {
        name: 'a filter that nothing fits',
        at: '?filtered.filter=atlantis',
        draw: () => <TableCard id="filtered" title="Made layers" rows={ROWS} columns={COLUMNS} {...common} />,
      },
      {
        name: 'choice of columns open',
        room: 420,
        step: opensDetails('summary[aria-label="Columns"]'),
        draw: () => (
          <TableCard
            id="picked"
            title="Made layers"
            rows={ROWS.slice(0, 3)}
            columns={[...COLUMNS, { key: 'more', label: LONG_NAME, value: () => null, isOptional: true }]}
            {...common}
          />
        ),
      },
      {
        name: 'its figures could not be read',
        draw: () => (
          <StateCard kind="failed" title="Made layers">
            These rows could not be read just now. The other figures of the page stand. <RetryLink />
          </StateCard>
        ),
      },
    ],
  },
  {
    name: 'table-long',
    title: 'Table with many rows and columns',
    component: 'src/web/blocks/TableCard.tsx',
    states: [
      {
        name: '60 rows: its own scroll, head and sum stay',
        draw: () => (
          <TableCard
            id="long"
            title="Made layers"
            rows={ROWS}
            columns={COLUMNS}
            totals={{ name: 'All 60', users: '2,699,120', held: '$120.2B' }}
            sort="-held"
            {...common}
          />
        ),
      },
      {
        name: '16 columns: they scroll beneath the first',
        draw: () => (
          <TableCard id="wide" title="Made layers" rows={ROWS.slice(0, 4)} columns={MANY} {...common} />
        ),
      },
    ],
  },
]
