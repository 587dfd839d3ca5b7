import { useLocation } from 'react-router'
import { entityColour } from '../blocks/chart/entityColour.ts'
import { Sparkline } from '../blocks/Sparkline.tsx'
import { KNOWN } from '../blocks/view.ts'
import { coverageText, listText } from '../format/coverage.ts'
import { dayText, timeText } from '../format/day.ts'
import { changeText, figureText, grouped } from '../format/figure.ts'
import { lacksOf } from '../format/lacks.ts'
import { useSite } from '../shell/layers.ts'
import { Icon } from '../ui/Icon.tsx'
import styles from './AssayView.module.css'
import { ComparisonList, RestatementList, SourceList, WatchList } from './Evidence.tsx'
import type { KnownAssay, LoadedAssay } from './loadAssay.server.ts'
import { ShareAssay } from './ShareAssay.tsx'
import { SqlPanel } from './SqlPanel.tsx'

type Props = {
  assay: LoadedAssay
  /** The run page has its own h1; over a page the view brings an h2. */
  level?: 1 | 2
}

/** Where a figure comes from, all of it. */
export function AssayView({ assay, level = 2 }: Props) {
  const Title = level === 1 ? 'h1' : 'h2'
  if (assay.state === 'unknown') {
    return (
      <div className={styles.view}>
        <p className={styles.kicker}>Assay</p>
        <Title id="assay-title" className={styles.title} tabIndex={-1}>
          No such figure
        </Title>
        <p className={styles.prose}>
          <code>{assay.ref}</code> cannot be assayed. {assay.reason}
        </p>
      </div>
    )
  }
  return <Known assay={assay} Title={Title} />
}

function Known({ assay, Title }: { assay: KnownAssay; Title: 'h1' | 'h2' }) {
  const { entry, figure, sources } = assay
  const name = useSite().find(page => page.entity === assay.entity)?.label ?? assay.entity
  const { pathname, search } = useLocation()
  const written = figureText(figure.point?.value, figure.unit)
  const lacks = lacksOf({ missing: figure.missing, coverage: null })
  return (
    <div className={styles.view}>
      <p className={styles.kicker}>
        Assay · <code>{assay.ref}</code>
      </p>
      <Title id="assay-title" className={styles.title} tabIndex={-1}>
        {entry.name} · {name}
      </Title>
      <div className={styles.figureRow}>
        <div>
          <p className={styles.figure} title={written.full}>
            {written.number}
            {written.tail && <small> {written.tail}</small>}
          </p>
          <p className={styles.when}>
            {figure.point ? (
              <>
                {figure.point.key && `${figure.point.key}, `}on {dayText(figure.point.day)} (UTC)
                {figure.point.state === 'partial'
                  ? ', day not over'
                  : lacks
                    ? `, ${lacks[0]}. ${lacks[1]}`
                    : figure.point.state === 'incomplete'
                      ? ', with gaps in its blocks'
                      : ''}
                {figure.change !== null && `, ${changeText(figure.change)} in 30 d`}
              </>
            ) : (
              (figure.absent ?? 'No data yet')
            )}
          </p>
          {figure.coverage && (
            <p className={styles.when}>
              {coverageText(figure.coverage)}
              {figure.coverage.missing.length > 0 && `. Not included: ${listText(figure.coverage.missing)}`}
            </p>
          )}
        </div>
        <Sparkline values={figure.spark} colour={entityColour(assay.entity)} />
      </div>
      <SharedAt assay={assay} />
      <div className={styles.actions} data-screen>
        <ShareAssay assay={assay} />
        {assay.window && (
          <a
            className={styles.csv}
            href={`/api/v1/metrics/${entry.id}?${new URLSearchParams({ entity: assay.entity, from: assay.window.from, to: assay.window.to, format: 'csv' })}`}
            download
          >
            <Icon name="download" /> CSV
          </a>
        )}
        {figure.point && !new URLSearchParams(search).has(KNOWN) && (
          <a
            className={styles.csv}
            href={provenanceHref(assay, figure.point.day.slice(0, 10))}
            title="Data and hashes behind this figure, to check it on any Assay server"
            download
          >
            <Icon name="download" /> Provenance file
          </a>
        )}
      </div>

      <dl className={styles.facts}>
        <dt>Definition</dt>
        <dd>{entry.definition}</dd>
        <dt>Why it matters</dt>
        <dd>{entry.why}</dd>
        <dt>How it is computed</dt>
        <dd>{entry.how}</dd>
        <dt>How it can mislead</dt>
        <dd>{entry.misleads}</dd>
      </dl>
      <dl className={styles.grid}>
        <div>
          <dt>Unit</dt>
          <dd>{entry.unit}</dd>
        </div>
        <div>
          <dt>Cadence</dt>
          <dd>{entry.cadence}</dd>
        </div>
        <div>
          <dt>Grain</dt>
          <dd>
            {entry.grain}, longer ones by {AGGREGATE_WORD[entry.aggregate]}
          </dd>
        </div>
        <div>
          <dt>Known since</dt>
          <dd>{sinceText(entry.since)}</dd>
        </div>
        {figure.point && (
          <div>
            <dt>As of</dt>
            <dd data-state={figure.asOf.state}>
              {timeText(figure.asOf.time)}
              {figure.asOf.height !== null && `, block ${grouped(String(figure.asOf.height))}`},{' '}
              {figure.asOf.state}
            </dd>
          </div>
        )}
      </dl>

      <SqlPanel assay={assay} page={pathname} />

      <section className={styles.section} aria-labelledby="assay-sources">
        <h3 id="assay-sources">Sources</h3>
        <SourceList sources={sources} now={assay.now} />
      </section>
      <section className={styles.section} aria-labelledby="assay-heights">
        <h3 id="assay-heights">Blocks it rests on</h3>
        <p>{heightsText(assay)}</p>
      </section>
      <section className={styles.section} aria-labelledby="assay-restated">
        <h3 id="assay-restated">Restated</h3>
        <RestatementList rows={assay.restatements} unit={figure.unit} hasBlocks={assay.heights.length > 0} />
      </section>
      <section className={styles.section} aria-labelledby="assay-differences">
        <h3 id="assay-differences">What others say</h3>
        <ComparisonList comparisons={assay.comparisons} unit={figure.unit} />
      </section>
      {assay.watches.length > 0 && (
        <section className={styles.section} aria-labelledby="assay-watches">
          <h3 id="assay-watches">Worth an alert</h3>
          <WatchList watches={assay.watches} unit={figure.unit} />
        </section>
      )}
      {entry.references.length > 0 && (
        <section className={styles.section} aria-labelledby="assay-references">
          <h3 id="assay-references">References</h3>
          <ul className={styles.references}>
            {entry.references.map(reference => (
              <li key={reference.title}>
                {reference.url ? (
                  <a href={reference.url} rel="noopener noreferrer">
                    {reference.title}
                  </a>
                ) : (
                  reference.title
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** The figure of one day with the data that it rests on, for `assay check`. */
const provenanceHref = ({ entry, entity }: KnownAssay, day: string): string =>
  `/api/v1/metrics/${entry.id}/provenance?${new URLSearchParams({ entity, from: day, to: day })}`

const AGGREGATE_WORD: Record<KnownAssay['entry']['aggregate'], string> = {
  sum: 'their sum',
  last: 'their last value',
  mean: 'their mean',
  distinct: 'counting again',
  recompute: 'computing again from the base rows',
}

/** A link says on which data it was made, so that it never drifts unseen. */
function SharedAt({ assay }: { assay: KnownAssay }) {
  const { shared, figure } = assay
  if (shared.day === undefined) return null
  const now = figure.asOf.height
  const made = shared.height === undefined ? '' : ` on data up to block ${grouped(String(shared.height))}`
  const rest =
    now !== null && shared.height !== undefined && now !== shared.height
      ? ` Data is now indexed to block ${grouped(String(now))}.`
      : ''
  return (
    <p className={styles.shared}>
      This link was made for {dayText(shared.day)}
      {made}.{rest}{' '}
      {assay.restatements.some(row => row.day === shared.day)
        ? 'The figure of that day was restated since or before: see below.'
        : ''}
    </p>
  )
}

function sinceText(since: { height?: number; day?: string }): string {
  if (since.height !== undefined) return `block ${grouped(String(since.height))}`
  return since.day ? dayText(since.day) : 'the first block'
}

function heightsText({ heights }: KnownAssay): string {
  if (heights.length === 0) return 'None: this figure comes from an outside publisher, not from blocks.'
  const count = heights.reduce((sum, range) => sum + range.to - range.from + 1, 0)
  const ranges = heights
    .slice(-6)
    .map(range =>
      range.from === range.to
        ? grouped(String(range.from))
        : `${grouped(String(range.from))} to ${grouped(String(range.to))}`,
    )
  const more = heights.length > 6 ? `${heights.length - 6} earlier ranges, then ` : ''
  return `${more}${ranges.join('; ')}: ${grouped(String(count))} blocks of the best chain.`
}
