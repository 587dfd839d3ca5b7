import { Card } from '../Card.tsx'
import { AssayLink } from '../chart/embed.tsx'
import styles from './Diagram.module.css'

/** Steps that follow one another, as data. */
export type DiagramSpec = {
  id: string
  title: string
  sub?: string
  note?: string
  steps: readonly StepSpec[]
}

export type StepSpec = {
  title: string
  text: string
  /** What goes on to the next step: the word on the arrow. */
  passes?: string
  /** The figure that measures this step, by its assay view: `miners.bid@stacks`. */
  assay?: string
}

/** Boxes and arrows: in a row where there is room, else one below the other. It is a list, and is read as one. */
export function Diagram({ diagram }: { diagram: DiagramSpec }) {
  const { id, title, sub, note, steps } = diagram
  return (
    <Card title={title} sub={sub} foot={note}>
      <div className={styles.frame} id={id}>
        <ol className={styles.steps}>
          {steps.map((step, index) => (
            <li key={step.title} className={styles.step}>
              <div className={styles.box}>
                <h3 className={styles.title}>{step.title}</h3>
                <p>{step.text}</p>
                {step.assay && (
                  <AssayLink className={styles.assay} assay={step.assay}>
                    The figure behind it
                  </AssayLink>
                )}
              </div>
              {index < steps.length - 1 && (
                <div className={styles.arrow}>
                  <span>{step.passes}</span>
                  <svg viewBox="0 0 24 12" aria-hidden="true">
                    <path d="M1 6h21M17 1l5 5l-5 5" />
                  </svg>
                </div>
              )}
            </li>
          ))}
        </ol>
      </div>
    </Card>
  )
}
