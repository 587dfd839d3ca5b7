import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { IconButton } from '../../ui/Button.tsx'
import { useHydrated } from '../../ui/useHydrated.ts'
import { addressWith } from '../view.ts'
import styles from './MomentSlider.module.css'
import { bucketDay, bucketText, type PlotData } from './plotData.ts'

type Props = {
  chart: string
  title: string
  grid: Pick<PlotData, 'start' | 'grain' | 'count'>
  index: number
  /** Told of each moment while it runs; undefined once the address has it. */
  onRun: (index: number | undefined) => void
}

const STEP_MS = 450
/** Moments that stand as links where no script runs. */
const LINKS = 5

/** Which moment a chart shows: a slider that plays, or a row of links where no script runs. */
export function MomentSlider({ chart, title, grid, index, onRun }: Props) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const isHydrated = useHydrated()
  const [isPlaying, setPlaying] = useState(false)
  const last = grid.count - 1
  const addressOf = (at: number) => addressWith(search, { [`${chart}.at`]: bucketDay(grid, at) })
  const settle = (at: number) => {
    setPlaying(false)
    onRun(undefined)
    navigate(addressOf(at), { replace: true, preventScrollReset: true })
  }
  useEffect(() => {
    if (!isPlaying) return
    const timer = setTimeout(() => {
      if (index >= last) settle(last)
      else onRun(index + 1)
    }, STEP_MS)
    return () => clearTimeout(timer)
  })
  if (!isHydrated) {
    const links = Math.min(LINKS, grid.count)
    return (
      <nav className={styles.row} aria-label={`${title}: moment`}>
        {Array.from({ length: links }, (_, step) => Math.round((step * last) / Math.max(1, links - 1))).map(
          at => (
            <Link
              key={at}
              className={styles.link}
              to={addressOf(at)}
              aria-current={at === index ? 'true' : undefined}
              preventScrollReset
              replace
            >
              {bucketText(grid, at)}
            </Link>
          ),
        )}
      </nav>
    )
  }
  const handlePlay = () => {
    if (isPlaying) return settle(index)
    onRun(index >= last ? 0 : index)
    setPlaying(true)
  }
  return (
    <div className={styles.row} data-screen>
      <span className={styles.play}>
        <IconButton
          icon={isPlaying ? 'stop' : 'play'}
          label={isPlaying ? 'Pause' : 'Play'}
          onClick={handlePlay}
        />
      </span>
      <input
        type="range"
        className={styles.slider}
        min={0}
        max={last}
        value={index}
        aria-label={`${title}: moment`}
        aria-valuetext={bucketText(grid, index)}
        onChange={event => {
          setPlaying(false)
          onRun(Number(event.target.value))
        }}
        onPointerUp={() => settle(index)}
        onKeyUp={() => settle(index)}
      />
      <output className={styles.moment}>{bucketText(grid, index)}</output>
    </div>
  )
}
