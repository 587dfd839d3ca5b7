import styles from './TrustGlyph.module.css'

/** One question of trust: its name, the published grade from 1 (little to trust) to 5, null where nobody graded it. */
export type TrustMark = { label: string; grade: number | null; word: string | null }

const HEIGHT = 16
const STEP = 3

/** Four grades in the room of a word: a bar each, the higher and redder the more a holder must trust. */
export function TrustGlyph({ marks }: { marks: readonly TrustMark[] }) {
  const said = marks.map(({ label, word }) => `${label}: ${word ?? 'not graded'}`).join(', ')
  return (
    <span className={styles.trust} title={said}>
      <svg viewBox={`0 0 ${marks.length * 8 - 2} ${HEIGHT}`} aria-hidden="true">
        {marks.map(({ label, grade }, index) => {
          const height = grade === null ? 1 : grade * STEP + 1
          return (
            <rect
              key={label}
              x={index * 8}
              y={HEIGHT - height}
              width="6"
              height={height}
              rx="1"
              data-place={grade ?? undefined}
            />
          )
        })}
      </svg>
      <span className="visually-hidden">{said}</span>
    </span>
  )
}
