import type { ReactNode } from 'react'
import { dashOf } from './dashes.ts'
import type { Drawing } from './drawing.ts'
import styles from './Plot.module.css'
import { WIDTH } from './shape.ts'

/** Letters that the room beside the ground takes; longer ones get more. */
const USUAL_TICK = 5

type Props = { drawing: Drawing; children?: ReactNode }

/**
 * The drawing on the page. Only the ground is stretched to the width at hand; strokes and words keep their size, so one
 * drawing from the server is right at every width, in both themes, with no script.
 */
export function Plot({ drawing, children }: Props) {
  const longest = Math.max(0, ...drawing.yTicks.map(({ text }) => text.length))
  const grid = drawing.yTicks.map(tick => `M0 ${Math.round(tick.top) + 0.5}H${WIDTH}`).join('')
  return (
    <div className={styles.plot} style={{ blockSize: drawing.height + 28 }}>
      <div
        className={styles.ys}
        style={longest > USUAL_TICK ? { inlineSize: `calc(${longest}ch + var(--s2))` } : undefined}
        aria-hidden="true"
      >
        {drawing.yTicks.map(tick => (
          <span key={tick.top} style={{ insetBlockStart: tick.top }}>
            {tick.text}
          </span>
        ))}
      </div>
      <div className={styles.ground}>
        <svg
          className={styles.drawing}
          viewBox={`0 0 ${WIDTH} ${drawing.height}`}
          preserveAspectRatio="none"
          style={{ blockSize: drawing.height }}
          aria-hidden="true"
        >
          <path className={styles.grid} d={grid} />
          {drawing.marks.map(mark => (
            <path
              key={mark.key}
              className={styles[mark.look]}
              d={mark.path}
              style={{
                color: `var(--${mark.colour})`,
                strokeDasharray: mark.look === 'line' ? dashOf(mark.dash) : undefined,
                strokeWidth: mark.across,
              }}
            />
          ))}
        </svg>
        <div className={styles.xs} aria-hidden="true">
          {drawing.xTicks.map(tick => (
            <span
              key={tick.index}
              className={tick.minor ? styles.minor : undefined}
              data-strong={tick.strong || undefined}
              data-last={tick.isLast || undefined}
              style={{ insetInlineStart: `${(tick.left * 100).toFixed(2)}%` }}
            >
              {tick.text}
            </span>
          ))}
        </div>
        {drawing.flags.map(flag => (
          <span
            key={flag.day + flag.label}
            className={styles.flag}
            style={{ insetInlineStart: `${(flag.left * 100).toFixed(2)}%` }}
          >
            <span
              className={flag.toLeft ? `${styles.flagText} ${styles.toLeft}` : styles.flagText}
              title={`${flag.label}: ${flag.note}`}
            >
              {flag.text ? flag.label : '•'}
            </span>
          </span>
        ))}
        {children}
      </div>
      {drawing.ends.length > 0 && (
        <div className={styles.ends} style={{ inlineSize: drawing.endsWidth }} aria-hidden="true">
          {drawing.ends.map(end => (
            <span key={end.key} style={{ insetBlockStart: end.top }}>
              <i style={{ background: `var(--${end.colour})` }} />
              <bdi>{end.label}</bdi> <b>{end.value}</b>
            </span>
          ))}
        </div>
      )}
      {drawing.isZero && <p className={styles.empty}>All reported values are zero.</p>}
      {drawing.isEmpty && <p className={styles.empty}>No figure in this range. Take a wider one.</p>}
    </div>
  )
}
