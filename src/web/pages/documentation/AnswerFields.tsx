import type { AnswerField } from '#http/context.ts'
import { Card } from '../../blocks/Card.tsx'
import { Coded } from '../../ui/Coded.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import styles from './Console.module.css'

/** What an answer holds, field by field, as the document of the API states it. */
export function AnswerFields({ fields }: { fields: readonly AnswerField[] }) {
  if (fields.length === 0) return null
  return (
    <Card
      title="What an answer holds"
      sub={`${fields.length} ${fields.length === 1 ? 'field' : 'fields'}, as the document of the API states them`}
      foot={<a href="/api/openapi.json">The whole document, OpenAPI 3.1</a>}
    >
      <ScrollRegion label="Fields of the answer" className={styles.shape}>
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Type</th>
              <th scope="col">What it is</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ path, type, about, isAlways }) => (
              <tr key={path}>
                <th scope="row">
                  <code>{path}</code>
                </th>
                <td>
                  {type}
                  {!isAlways && ', may be absent'}
                </td>
                <td>{about !== null && <Coded text={about} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Card>
  )
}
