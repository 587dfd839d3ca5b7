import type { TxDetail } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { grouped } from '../../format/figure.ts'
import styles from './Inscriptions.module.css'

/** What is inscribed here. Only text is shown, and only as text. */
export function Inscriptions({ inscriptions }: { inscriptions: TxDetail['inscriptions'] }) {
  return (
    <Card title="Inscriptions" sub="Ord envelopes in the witnesses of this transaction">
      <ul className={styles.list}>
        {inscriptions.map(inscription => (
          <li key={`${inscription.vin} ${inscription.envelope}`}>
            <p>
              <strong>
                {inscription.isBrc20 ? 'BRC-20 operation' : inscription.contentType || 'no content type'}
              </strong>{' '}
              <span>
                {grouped(String(inscription.bodyBytes))} bytes in input {inscription.vin}
                {inscription.isBrc20 && ` · ${inscription.contentType}`}
              </span>
            </p>
            {inscription.text && <pre className={styles.text}>{inscription.text}</pre>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
