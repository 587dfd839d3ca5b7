import { type CSSProperties, Fragment } from 'react'
import { Link, useLocation } from 'react-router'
import type { ApplicationTable } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { downloadCsv } from '../../blocks/downloadCsv.ts'
import { figureText } from '../../format/figure.ts'
import { IconButton, iconClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import styles from './OverlapMatrix.module.css'

type Row = ApplicationTable['rows'][number]

/** Depth of a cell in which all people of the row would be. */
const FULL = 3

/** Who builds in two ecosystems: a row and a column for each that shares anybody, the deeper the larger the share of the row. */
export function OverlapMatrix({ table }: { table: ApplicationTable }) {
  const { pathname } = useLocation()
  const cells = new Map(table.rows.map(row => [`${row.name} ${row.other}`, row]))
  const all = new Map(table.rows.map(row => [String(row.name), row]))
  const names = [...all.keys()].sort(
    (a, b) => Number(all.get(b)?.all_people) - Number(all.get(a)?.all_people) || (a < b ? -1 : 1),
  )
  const handleCsv = () =>
    downloadCsv(
      `assay-${table.id}`,
      table.columns.map(({ label }) => label),
      table.rows.map(row => table.columns.map(({ key }) => row[key] ?? null)),
    )
  return (
    <Card
      title={table.title}
      sub={`${table.sub}. Diagonal: all developers of the ecosystem. Ecosystems without shared developers are left out`}
      tools={
        <>
          <Link
            className={iconClass}
            to={`/assay/run?${new URLSearchParams({ table: `developers/${table.id}`, page: pathname })}`}
            aria-label={`SQL of ${table.title}`}
            title="SQL"
          >
            <Icon name="code" />
          </Link>
          <IconButton icon="download" label="CSV" onClick={handleCsv} />
        </>
      }
    >
      {names.length === 0 ? (
        <p className={styles.empty}>{table.empty}</p>
      ) : (
        <ScrollRegion label={`${table.title}: matrix`} className={styles.scroll}>
          <table className={styles.matrix} id={table.id}>
            <thead>
              <tr>
                <td />
                {names.map(name => (
                  <th key={name} scope="col">
                    <span>{name}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {names.map(name => (
                <tr key={name}>
                  <th scope="row">{linked(name, all.get(name)?.name_href)}</th>
                  {names.map(other => (
                    <Fragment key={other}>
                      {name === other ? (
                        <td className={styles.own}>{String(all.get(name)?.all_people)}</td>
                      ) : (
                        <Shared row={cells.get(`${name} ${other}`)} of={name} in={other} />
                      )}
                    </Fragment>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Card>
  )
}

const linked = (name: string, href: unknown) =>
  typeof href === 'string' && href !== '' ? <Link to={href}>{name}</Link> : name

function Shared({ row, of, in: other }: { row: Row | undefined; of: string; in: string }) {
  if (row === undefined) return <td className={styles.none}>·</td>
  const share = Number(row.share)
  const depth = `${Math.round(Math.min(1, share * FULL) * 70) + 8}%`
  const words = `${figureText(share, 'ratio').text} of those of ${of} commit in ${other} too`
  return (
    <td className={styles.cell} style={{ '--depth': depth } as CSSProperties} title={words}>
      {String(row.people)}
      <span className="visually-hidden">, {words}</span>
    </td>
  )
}
