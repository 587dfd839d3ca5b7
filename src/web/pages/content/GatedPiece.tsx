import type { GatedItem, GatedText } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { GateCard } from './GateCard.tsx'
import styles from './Reports.module.css'
import { useGated } from './useGated.ts'
import { Written } from './Written.tsx'

/** A piece below a page: its title and summary for all, its text for who has the feature. */
export function GatedPiece({ piece: { key, title, summary, requires } }: { piece: GatedItem }) {
  const { text, lock } = useGated<GatedText>(`/api/v1/cms/gated/${encodeURIComponent(key)}`, requires)
  if (text === undefined) return <GateCard title={title} summary={summary} requires={requires} lock={lock} />
  return (
    <Card title={title} sub={summary}>
      <div className={styles.gate}>
        <Written blocks={text.blocks} notes={text.notes} />
      </div>
    </Card>
  )
}
