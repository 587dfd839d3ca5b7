import type { CSSProperties, ReactNode } from 'react'
import styles from './SceneView.module.css'
import type { Scene } from './scene.ts'
import { WIDTH } from './shape.ts'

type Props = { scene: Scene; children?: ReactNode }

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`

/** A scene on the page: flat shapes are stretched to the width at hand, words and round marks keep their size. */
export function SceneView({ scene, children }: Props) {
  const { height, gutter, feet } = scene
  const rules = [
    ...scene.rules.ys.map(y => `M0 ${Math.round(y) + 0.5}H${WIDTH}`),
    ...scene.rules.xs.map(x => `M${(x * WIDTH).toFixed(1)} 0V${height}`),
  ].join('')
  return (
    <div className={styles.scene} style={{ blockSize: height + (feet.length > 0 ? 28 : 4) }}>
      {gutter > 0 && (
        <div
          className={styles.sides}
          style={{ '--gutter': `${gutter}px` } as CSSProperties}
          aria-hidden="true"
        >
          {scene.sides.map(side => (
            <span key={`${side.y}${side.text}`} style={{ insetBlockStart: side.y }} title={side.text}>
              {side.text}
            </span>
          ))}
        </div>
      )}
      <div className={styles.ground}>
        <svg
          className={styles.drawing}
          viewBox={`0 0 ${WIDTH} ${height}`}
          preserveAspectRatio="none"
          style={{ blockSize: height }}
          aria-hidden="true"
        >
          {rules !== '' && <path className={styles.rule} d={rules} />}
          {scene.grounds.map(ground => (
            <path
              key={ground.key}
              className={styles[ground.look]}
              d={ground.path}
              style={{ color: `var(--${ground.colour})`, opacity: ground.depth }}
            />
          ))}
        </svg>
        <div className={styles.over} style={{ blockSize: height }} aria-hidden="true">
          {scene.dots.map(dot => (
            <i
              key={dot.key}
              className={dot.isHollow ? `${styles.dot} ${styles.hollowDot}` : styles.dot}
              style={{
                insetInlineStart: percent(dot.x),
                insetBlockStart: dot.y,
                inlineSize: dot.radius * 2,
                blockSize: dot.radius * 2,
                color: `var(--${dot.colour})`,
              }}
            />
          ))}
          {scene.texts.map(text => (
            <span
              key={text.key}
              className={`${styles.text} ${styles[text.anchor]} ${styles[text.look] ?? ''}`}
              data-from={text.from}
              data-until={text.until}
              style={{
                insetInlineStart: percent(text.x),
                insetBlockStart: text.y,
                marginInline: text.shift,
                maxInlineSize:
                  text.room === undefined
                    ? undefined
                    : `calc(${percent(text.room)} - ${Math.abs(text.shift ?? 0) * 1.5}px)`,
              }}
            >
              {text.text}
            </span>
          ))}
        </div>
        {feet.length > 0 && (
          <div className={styles.feet} aria-hidden="true">
            {feet.map(foot => (
              <span
                key={`${foot.x}${foot.text}`}
                data-strong={foot.isStrong || undefined}
                data-last={foot.isLast || undefined}
                data-minor={foot.isMinor || undefined}
                style={{ insetInlineStart: percent(foot.x) }}
              >
                {foot.text}
              </span>
            ))}
          </div>
        )}
        {children}
      </div>
    </div>
  )
}
