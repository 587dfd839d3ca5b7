import { Link, useLocation } from 'react-router'
import type { LayerProfile } from '#http/contract.ts'
import { addressOfAssay } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import styles from './Source.module.css'
import { Source } from './Source.tsx'

/** How the layer’s operations are told on Bitcoin, what each rule was tried on and what it leaves out. */
export function Rules({ layer }: { layer: Pick<LayerProfile, 'slug' | 'name' | 'rules'> }) {
  const { search } = useLocation()
  return layer.rules.map(rule => (
    <Card
      key={rule.id}
      title={`On Bitcoin: ${rule.name}`}
      sub={rule.recognises}
      foot={<Source origin={rule.origin} label="After" />}
    >
      <Facts
        facts={[
          { label: 'Mark', value: <code>{rule.tag}</code> },
          { label: 'Where', value: rule.place },
          { label: 'Recognized', value: rule.positive },
          { label: 'Not recognized', value: rule.negative },
          { label: 'Not covered', value: rule.notCovered, isWide: true },
          {
            label: 'Figures that rest on it',
            isWide: true,
            value: (
              <span className={styles.links}>
                {rule.metrics.map(metric => (
                  <Link
                    key={metric}
                    to={addressOfAssay(search, `${metric}@${layer.slug}`)}
                    preventScrollReset
                  >
                    <code>{metric}</code>
                  </Link>
                ))}
              </span>
            ),
          },
        ]}
      />
    </Card>
  ))
}
