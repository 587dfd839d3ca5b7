import type { CSSProperties } from 'react'
import { Link, useLocation } from 'react-router'
import type { ApplicationTable } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { Choices } from '../../blocks/Choices.tsx'
import { dayText } from '../../format/day.ts'
import { iconClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import styles from '../developers/OverlapMatrix.module.css'

type Row = ApplicationTable['rows'][number]

/** Key of the window in the address; what is shown without it comes first. */
const WINDOW = 'moves'
const WINDOWS = [
  { value: undefined, label: '1 y', key: 'year_1' },
  { value: '90d', label: '90 d', key: 'month_3' },
] as const

/** Indices, bitcoin and STX against each other: the deeper, the more they move together or against each other. */
export function Correlations({ table }: { table: ApplicationTable }) {
  const { pathname, search } = useLocation()
  const current = new URLSearchParams(search).get(WINDOW) ?? undefined
  const { key, label } = WINDOWS.find(({ value }) => value === current) ?? WINDOWS[0]
  const cells = new Map(table.rows.map(row => [`${row.name} ${row.other}`, row]))
  const names = [...new Set(table.rows.map(({ name }) => String(name)))]
  return (
    <Card
      title={table.title}
      sub={`${table.sub}${lastDays(table.rows)}`}
      tools={
        <Link
          className={iconClass}
          to={`/assay/run?${new URLSearchParams({ table: `indices/${table.id}`, page: pathname })}`}
          aria-label={`SQL of ${table.title}`}
          title="SQL"
        >
          <Icon name="code" />
        </Link>
      }
    >
      {names.length === 0 ? (
        <p className={styles.empty}>{table.empty}</p>
      ) : (
        <>
          <div className={styles.choices}>
            <Choices
              rows={[
                {
                  label: 'Days',
                  name: WINDOW,
                  current,
                  choices: WINDOWS.map(({ value, label: words }) => ({ value, label: words })),
                },
              ]}
            />
          </div>
          <ScrollRegion label={`${table.title}: matrix, ${label}`} className={styles.scroll}>
            <table className={styles.matrix} id={table.id}>
              <thead>
                <tr>
                  <td />
                  {names.map(name => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {names.map(name => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    {names.map(other =>
                      name === other ? (
                        <td key={other} className={styles.own}>
                          1
                        </td>
                      ) : (
                        <Cell key={other} row={cells.get(`${name} ${other}`)} of={key} />
                      ),
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        </>
      )}
    </Card>
  )
}

/** Pairs end on days of their own: an index is suspended while too little is known of its tokens. */
function lastDays(rows: readonly Row[]): string {
  const days = rows.map(({ last }) => String(last)).sort()
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return ''
  return first === last
    ? `. Up to ${dayText(last)}`
    : `. Pairs end between ${dayText(first)} and ${dayText(last)}`
}

function Cell({ row, of }: { row: Row | undefined; of: (typeof WINDOWS)[number]['key'] }) {
  const figure = row?.[of] ?? null
  if (row === undefined || figure === null)
    return (
      <td className={styles.none} title="Too few days that both have">
        –
      </td>
    )
  const value = Number(figure)
  const words = `${row.name} with ${row.other}: ${value.toFixed(4)}, up to ${dayText(String(row.last))}`
  return (
    <td
      className={styles.cell}
      data-against={value < 0 || undefined}
      style={{ '--depth': `${Math.round(Math.abs(value) * 32)}%` } as CSSProperties}
      title={words}
    >
      {value.toFixed(2).replace('-', '−')}
    </td>
  )
}
