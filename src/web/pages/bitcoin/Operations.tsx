import { Link } from 'react-router'
import type { LayerOpView } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { shortened } from '../../blocks/CopyText.tsx'
import { exactBtc } from '../../format/figure.ts'
import styles from './Operations.module.css'
import { fieldText, layerOf, operationText } from './words.ts'

type Props = { operations: readonly LayerOpView[]; withTx?: boolean }

/** What layers do here, in words, with the rule that recognised it. */
export function Operations({ operations, withTx = false }: Props) {
  return (
    <Card title="Operations of layers" sub="Recognized by published rules; each names its own">
      <ul className={styles.list}>
        {operations.map(operation => (
          <li key={`${operation.txid} ${operation.vout} ${operation.op}`}>
            <p className={styles.what}>
              <i style={{ background: `var(--series-${layerOf(operation.op) ?? 'rest'})` }} />
              <strong>{operationText(operation.op)}</strong>
              {operation.valueSat !== '0' && <span>{exactBtc(operation.valueSat)}</span>}
              {withTx && (
                <Link to={`/bitcoin/tx/${operation.txid}`}>
                  <code>{shortened(operation.txid, 6)}</code>
                </Link>
              )}
            </p>
            <dl className={styles.details}>
              {Object.entries(operation.details).map(([name, value]) => (
                <div key={name}>
                  <dt>{fieldText(name)}</dt>
                  <dd>{value === null ? '–' : String(value)}</dd>
                </div>
              ))}
              <div>
                <dt>output</dt>
                <dd>{operation.vout}</dd>
              </div>
              <div>
                <dt>rule</dt>
                <dd>
                  <code>{operation.rule}</code>
                </dd>
              </div>
            </dl>
          </li>
        ))}
      </ul>
    </Card>
  )
}
