import { Link, useLocation } from 'react-router'
import type { DirectoryLayer, PublishedGrade } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { addressWith } from '../../blocks/view.ts'
import { Segmented } from '../../ui/Segmented.tsx'
import type { DirectoryView } from './directoryView.ts'
import { Grade } from './Grade.tsx'
import styles from './TrustMap.module.css'
import { CATEGORIES, CATEGORY_KEYS, FAMILIES, GRADED, placeOf, profilePath } from './words.ts'

type Props = { layers: readonly DirectoryLayer[]; by: DirectoryView['by'] }

/** What a layer is against how much a holder must trust: one cell a family and grade, the layers in it by name. */
export function TrustMap({ layers, by }: Props) {
  const { search } = useLocation()
  const columns: (PublishedGrade | null)[] = [...GRADED, null]
  const families = Object.entries(FAMILIES).filter(([family]) =>
    layers.some(layer => layer.family === family),
  )
  const inCell = (family: string, grade: PublishedGrade | null): DirectoryLayer[] =>
    layers.filter(
      layer =>
        layer.family === family &&
        (grade === null ? placeOf(layer.grades[by]) === null : layer.grades[by] === grade),
    )
  return (
    <Card
      title="What it is, and what you trust"
      sub={`${CATEGORIES[by].asks} Grades published by Bitcoin Layers, from low to high trust required.`}
      tools={
        <Segmented
          label="Question of the map"
          current={by}
          choices={CATEGORY_KEYS.map(category => ({
            value: category,
            label: CATEGORIES[category].label,
            title: CATEGORIES[category].asks,
            to: addressWith(search, { 'map.by': category === 'custody' ? undefined : category }),
          }))}
        />
      }
    >
      {families.length === 0 ? (
        <p className={styles.empty}>No layer passes these filters. Take one of them back.</p>
      ) : (
        <table className={styles.map}>
          <caption className="visually-hidden">
            Layers by type and published grade of {CATEGORIES[by].label.toLowerCase()}
          </caption>
          <thead>
            <tr>
              <td />
              {columns.map(grade => (
                <th key={grade ?? 'none'} scope="col">
                  <Grade grade={grade} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {families.map(([family, label]) => (
              <tr key={family}>
                <th scope="row">{label}</th>
                {columns.map(grade => {
                  const here = inCell(family, grade)
                  return (
                    <td key={grade ?? 'none'} data-none={here.length === 0 || undefined}>
                      {here.length > 0 && (
                        <>
                          <span className={styles.cellGrade} aria-hidden="true">
                            <Grade grade={grade} />
                          </span>
                          <ul className={styles.names} data-place={placeOf(grade) ?? undefined}>
                            {here.map(({ slug, name, status }) => (
                              <li key={slug}>
                                <Link to={profilePath(slug)} data-quiet={status !== 'mainnet' || undefined}>
                                  {name}
                                </Link>
                              </li>
                            ))}
                          </ul>
                        </>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
