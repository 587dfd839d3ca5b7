import type { LayerProfile } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { dayText } from '../../format/day.ts'
import { Grade } from './Grade.tsx'
import styles from './TrustTable.module.css'
import { CATEGORIES, CATEGORY_KEYS, capitalised } from './words.ts'

/** The four questions of trust: our words, the published grade, its evidence and its day; then each bitcoin token’s grade. */
export function TrustTable({ layer }: { layer: LayerProfile }) {
  const { trust, grades, assessments } = layer
  const assessment = assessments.find(({ day }) => day === layer.gradesAsOf)
  const pegs = assessments.flatMap(({ pegs: graded }) => graded)
  if (trust === null && assessment === undefined)
    return (
      <Card title="Whom a holder trusts">
        <p className={styles.none}>
          Nobody has published a review of {layer.name}, and we know too little of it to say. That is no good
          grade and no bad one.
        </p>
      </Card>
    )
  return (
    <Card
      title="Whom a holder trusts"
      sub="Our summary of each answer, with the published grade"
      foot={
        assessment && (
          <span>
            Grades: {assessment.by},{' '}
            <a href={assessment.url} rel="noopener noreferrer">
              its review
            </a>{' '}
            of {dayText(assessment.day)}
            {assessment.isReviewed ? '' : ', under review'}. Ours beside it are words, never a grade.
          </span>
        )
      }
    >
      <table className={styles.trust}>
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col">In our words</th>
            <th scope="col">Published grade</th>
            <th scope="col">Evidence</th>
          </tr>
        </thead>
        <tbody>
          {CATEGORY_KEYS.map(category => (
            <tr key={category}>
              <th scope="row">
                {CATEGORIES[category].label}
                <span>{CATEGORIES[category].asks}</span>
              </th>
              <td data-label="In our words">{capitalised(trust?.[category] ?? 'not described')}</td>
              <td data-label="Published grade">
                <Grade grade={grades[category]} />
              </td>
              <td data-label="Evidence">
                {assessment && grades[category] !== null ? (
                  <a
                    href={assessment.url}
                    rel="noopener noreferrer"
                    aria-label={`${assessment.by} on ${CATEGORIES[category].label.toLowerCase()}, ${dayText(assessment.day)}`}
                  >
                    {dayText(assessment.day)}
                  </a>
                ) : (
                  'none'
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {pegs.length > 0 && (
        <div className={styles.pegs}>
          <h3>Bitcoin tokens on it</h3>
          <ul>
            {pegs.map(({ name, slug, grade }) => (
              <li key={slug}>
                <span>{name}</span>
                <Grade grade={grade} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}
