import { btcCell, grouped } from '../../format/figure.ts'
import styles from './OutputTypes.module.css'
import { scriptTypeText } from './words.ts'

type Types = readonly { type: string; count: number; valueSat: string }[]

/** How many outputs of each type, with their value. */
export function OutputTypes({ types }: { types: Types }) {
  const top = Math.max(...types.map(part => part.count), 1)
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Type</th>
          <th scope="col">Outputs</th>
          <th scope="col">BTC</th>
        </tr>
      </thead>
      <tbody>
        {types
          .toSorted((a, b) => b.count - a.count)
          .map(part => (
            <tr key={part.type}>
              <th scope="row">
                {scriptTypeText(part.type)} <code>{part.type}</code>
                <i style={{ inlineSize: `${(part.count / top) * 100}%` }} />
              </th>
              <td>{grouped(String(part.count))}</td>
              <td>{btcCell(part.valueSat)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
