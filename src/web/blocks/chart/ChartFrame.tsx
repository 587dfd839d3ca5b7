import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigation } from 'react-router'
import type { AsOf } from '#http/contract.ts'
import { changedKeys } from '../../assay/address.ts'
import { dayText } from '../../format/day.ts'
import { FileLink, IconButton, IconLink } from '../../ui/Button.tsx'
import card from '../Card.module.css'
import { addressWith, type ChartView, needsFigures } from '../view.ts'
import styles from './ChartFrame.module.css'
import type { ShownChart } from './chartSpec.ts'
import { ChartChoices } from './choices.ts'
import { AssayLink, EmbedContext } from './embed.tsx'
import { ShareMenu } from './ShareMenu.tsx'

export type FrameProps = {
  spec: ShownChart
  view: ChartView
  /** Unit, grain and whatever else the drawing counts in. */
  subtitle: string
  /** Figures that it rests on; each opens its assay view. */
  assays: readonly { assay: string; label: string }[]
  asOf: AsOf
  /** What the drawing covers: `1 Feb 2025 to 31 Jan 2026`, `365 days`. */
  facts: readonly string[]
  /** Lines that belong here and have no figure in the range. */
  missing: readonly string[]
  csvHref: string
  controls: ReactNode
  options: ReactNode
  legend?: ReactNode
  /** What the drawing shows, in sentences: for those who do not see it. */
  summary: string
  onPicture: () => Promise<void>
  /** Height of the drawing with its axis, px, where it is known: until it is near it keeps that much room and is not laid out. */
  tall?: number
}

/** More of them would be a list of links under a drawing: the table has them all. */
const MOST_ASSAYS = 6

type Props = FrameProps & {
  section: RefObject<HTMLElement | null>
  children: ReactNode
}

/** What stands around every chart: title, tools, legend, what it rests on. Its state is the address. */
export function ChartFrame({ spec, view, section, children, ...rest }: Props) {
  const {
    subtitle,
    assays,
    asOf,
    facts,
    missing,
    csvHref,
    controls,
    options,
    legend,
    summary,
    onPicture,
    tall,
  } = rest
  const { search } = useLocation()
  const titleId = useId()
  const isWaiting = useWaiting(spec.id)
  const isFramed = useContext(EmbedContext) !== undefined
  const isTable = view.form === 'table'
  const choices = useContext(ChartChoices)
  const handleFullScreen = () => {
    if (document.fullscreenElement) void document.exitFullscreen()
    else void section.current?.requestFullscreen()
  }
  return (
    <section
      ref={section}
      id={spec.id}
      className={`${card.card} ${styles.chart}`}
      aria-labelledby={titleId}
      aria-busy={isWaiting || undefined}
    >
      <header className={card.head}>
        <div className={card.words}>
          <h2 id={titleId} className={card.title}>
            {spec.title}
          </h2>
          <p className={card.sub}>{subtitle}</p>
        </div>
        <div className={card.tools} data-screen>
          {options}
          <IconLink
            icon={isTable ? 'chart' : 'table'}
            label={isTable ? 'Show as a chart' : 'Show as a table'}
            to={addressWith(search, { [`${spec.id}.form`]: isTable ? undefined : 'table' })}
            preventScrollReset
            replace
          />
          <FileLink icon="download" label="Download as CSV" href={csvHref} />
          <IconButton icon="image" label="Save as a picture" onClick={onPicture} data-needs-script />
          {!isFramed && (
            <ShareMenu
              chart={spec.id}
              title={spec.title}
              canFrame={!spec.isFixed}
              csvHref={csvHref}
              held={spec.held}
            />
          )}
          <IconButton icon="full" label="Full screen" onClick={handleFullScreen} data-needs-script />
        </div>
        {choices && !isFramed && (
          <div className={styles.controls} data-screen>
            {choices}
          </div>
        )}
        {controls && (
          <div className={styles.controls} data-screen>
            {controls}
          </div>
        )}
      </header>
      {legend}
      <figure
        className={styles.figure}
        {...(tall && !isTable && { 'data-tall': true, style: { '--tall': `${tall}px` } as CSSProperties })}
      >
        {children}
        <figcaption className="visually-hidden">{summary}</figcaption>
      </figure>
      <footer className={card.foot}>
        {assays.slice(0, MOST_ASSAYS).map(({ assay, label }) => (
          <AssayLink key={assay} className={card.assay} assay={assay} data-screen>
            {assays.length === 1 ? 'Assay this chart' : `Assay ${label}`}
          </AssayLink>
        ))}
        {assays.length > MOST_ASSAYS && <span>the other {assays.length - MOST_ASSAYS} in the table</span>}
        {(asOf.state === 'stale' || asOf.state === 'overdue') && (
          <span className={styles.late} data-state={asOf.state}>
            {asOf.state === 'stale' ? 'Stale' : 'Overdue'}: as of {dayText(asOf.time)}
          </span>
        )}
        {facts.map(fact => (
          <span key={fact}>{fact}</span>
        ))}
        {missing.length > 0 && (
          <span className={styles.note}>No data in this range: {missing.join(', ')}.</span>
        )}
        {spec.note && <span className={styles.note}>{spec.note}</span>}
      </footer>
    </section>
  )
}

/** Whether other figures for this chart are on their way: it keeps those that it has, and says so. */
function useWaiting(chart: string): boolean {
  const { location } = useNavigation()
  const here = useLocation()
  if (!location || location.pathname !== here.pathname) return false
  const base = 'http://local'
  return changedKeys(
    new URL(here.pathname + here.search, base),
    new URL(location.pathname + location.search, base),
  ).some(key => needsFigures(key) && (!key.includes('.') || key.startsWith(`${chart}.`)))
}

/** What stands around the drawing in full screen, px. */
const FULL_SCREEN_FRAME = 260

/** Height for the drawing: what its card has room for while it fills the screen. */
export function useDrawingHeight(section: RefObject<HTMLElement | null>, height: number): number {
  const [fullHeight, setFullHeight] = useState<number>()
  useEffect(() => {
    const handleChange = () => {
      const isFull = section.current !== null && document.fullscreenElement === section.current
      setFullHeight(isFull ? Math.max(height, window.innerHeight - FULL_SCREEN_FRAME) : undefined)
    }
    document.addEventListener('fullscreenchange', handleChange)
    return () => document.removeEventListener('fullscreenchange', handleChange)
  }, [section, height])
  return fullHeight ?? height
}

export const useSection = (): RefObject<HTMLElement | null> => useRef<HTMLElement>(null)
