import { dotsPath, linePath, loneValues, WIDTH } from '../../blocks/chart/shape.ts'
import styles from './Reports.module.css'

/** Lines of a chart without their axes: values by bucket, each with the name of its colour. */
export type PictureLines = readonly { colour: string; values: readonly (number | null)[] }[]

const HEIGHT = 120
const EDGE = 8

/** The first chart of a report as a shape, on one scale. It says nothing that the report does not say better. */
export function ReportPicture({ lines }: { lines: PictureLines }) {
  const known = lines.flatMap(({ values }) => values.filter(value => value !== null))
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const height = (value: number) => HEIGHT - EDGE - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE)
  const placesOf = (values: PictureLines[number]['values']) => (at: number) =>
    EDGE + (at / Math.max(1, values.length - 1)) * (WIDTH - 2 * EDGE)
  return (
    <svg
      className={styles.picture}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {known.length > 1 &&
        lines.map(({ colour, values }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their places, and two may have one colour
          <g key={index} style={{ color: `var(--${colour})` }}>
            <path d={linePath(values, placesOf(values), height)} />
            <path data-dots d={dotsPath(loneValues(values), placesOf(values), height)} />
          </g>
        ))}
    </svg>
  )
}
