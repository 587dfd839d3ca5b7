import type { IngestProgress } from '#ingest/index.ts'
import type { SnapshotProgress } from '#metrics/index.ts'

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')

/** Seconds as a person says them: `42 s`, `7 min`, `3.5 h`. */
export const span = (seconds: number): string =>
  seconds < 90
    ? `${Math.round(seconds)} s`
    : seconds < 5400
      ? `${Math.round(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`

/** Where ingest stands, in one line. */
export const ingestLine = ({ height, aimHeight, rowsPerS, etaS }: IngestProgress): string =>
  `block ${whole(height)} of ${whole(aimHeight)} · ${whole(rowsPerS)} rows/s${etaS === null ? '' : ` · ${span(etaS)} left`}`

const STEPS = { series: 'recorded series', blocks: 'blocks', rollups: 'daily rollups' } as const

/** Where the loading of the snapshot stands, in one line. */
export const snapshotLine = ({ step, done, total }: SnapshotProgress): string =>
  `Loading the bundled snapshot: ${STEPS[step]} ${done} of ${total}`
