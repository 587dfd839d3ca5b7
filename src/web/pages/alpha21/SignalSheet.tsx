import { useLocation } from 'react-router'
import type { SignalDetail } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import type { ChartGround } from '../../blocks/chart/drawing.ts'
import { Facts } from '../../blocks/Facts.tsx'
import { TableCard } from '../../blocks/TableCard.tsx'
import { addressWith } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import { FileLink } from '../../ui/Button.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { FactTable } from '../apps/FactTable.tsx'
import { ChartGrid } from '../chain/ChartGrid.tsx'
import styles from './Alpha21.module.css'
import type { OpenSignal } from './loadAlpha21.server.ts'
import { StabilityGrid } from './StabilityGrid.tsx'
import { StateMark } from './StateMark.tsx'
import {
  daysText,
  recordAt,
  recordText,
  STATE_MARKS,
  sideText,
  sinceText,
  thresholdText,
  transformText,
  VERDICT_WORDS,
} from './words.ts'

/** One signal whole: its rule, where it stood under the price, what followed, and how it hangs on its parameters. */
export function SignalSheet({ open }: { open: OpenSignal }) {
  const { pathname, search } = useLocation()
  const { signal, record, specs, charts } = open
  const { id, name, state, since, day, isCurrent, absent, history, verdict } = signal
  const grounds: Readonly<Record<string, ChartGround>> = {
    price: { bands: bandsOf(signal) },
    reading: { bands: bandsOf(signal), levels: levelsOf(signal) },
  }
  return (
    <Sheet
      away={pathname + addressWith(search, { signal: undefined })}
      titleId="signal-title"
      closeLabel="Close the signal"
      isWide
    >
      <div className={styles.sheet}>
        <header className={styles.sheetHead}>
          <p className={styles.kicker}>Signal</p>
          <h2 id="signal-title" tabIndex={-1}>
            {name}
          </h2>
          <p className={styles.sheetState}>
            <StateMark state={isCurrent ? state : null} />{' '}
            {day === null
              ? absent
              : isCurrent && since
                ? sinceText(since, day)
                : `No reading since ${dayText(day)}`}
          </p>
          {day !== null && (
            <p className={styles.record}>
              30 days ahead, in sample: {recordText(recordAt(history))}:{' '}
              <b data-verdict={verdict}>{VERDICT_WORDS[verdict]}</b>. Out of sample:{' '}
              {recordText(recordAt(signal.sinceFixed)).toLowerCase()}.
            </p>
          )}
          <div className={styles.files} data-screen>
            <FileLink icon="code" label="SQL of reading and price" href={open.sqlHref} />
            <FileLink icon="download" label="Reading and price as CSV" href={open.csvHref} />
            <a href={`/api/v1/signals/${id}`}>JSON</a>
          </div>
        </header>
        <Rule signal={signal} />
        <ChartGrid
          specs={specs}
          charts={charts}
          events={[]}
          grounds={grounds}
          remedy="Its figures come from the bundled snapshot, sources and indexed blocks."
        />
        {day !== null && (
          <>
            <FactTable table={record} of="signals" />
            <StabilityGrid signal={signal} />
            <Steps signal={signal} />
            <Events signal={signal} />
          </>
        )}
        <Words signal={signal} />
      </div>
    </Sheet>
  )
}

const bandsOf = ({ spans }: SignalDetail): NonNullable<ChartGround['bands']> =>
  spans.flatMap(({ from, to, state }) =>
    state === 'neutral'
      ? []
      : [{ from, to, side: state === 'bullish' ? ('up' as const) : ('down' as const) }],
  )

const levelsOf = ({ rules }: SignalDetail): number[] => {
  const rule = rules.at(-1)
  return [rule?.bullish, rule?.bearish].flatMap(side =>
    side == null ? [] : ['above' in side ? side.above : side.below],
  )
}

function Rule({ signal }: { signal: SignalDetail }) {
  const { rules, unit, input, readingText, coverage, retired } = signal
  const rule = rules.at(-1)
  if (rule === undefined) return null
  return (
    <Card
      title="Rule"
      sub={`Fixed on ${dayText(rule.fixed)}. It is never changed. A new rule would follow it, and its record would remain.`}
    >
      <Facts
        facts={[
          { label: 'Reads', value: <code>{input}</code> },
          { label: 'Reading', value: transformText(rule.transform) },
          { label: `${STATE_MARKS.bullish} Bullish`, value: sideText(rule.bullish, unit) },
          { label: `${STATE_MARKS.bearish} Bearish`, value: sideText(rule.bearish, unit) },
          { label: 'Windows need figures of', value: `${figureText(coverage, 'ratio').text} of their days` },
          { label: 'In words', value: `${readingText}.`, isWide: true },
          { label: 'Why so', value: rule.reason, isWide: true },
        ]}
      />
      {retired.length > 0 && (
        <ul className={styles.retired}>
          {retired.map((old, index) => (
            <li key={old.fixed}>
              Before it, from {dayText(old.fixed)} to {dayText(old.until)}:{' '}
              {rules[index] && transformText(rules[index].transform)}, bullish{' '}
              {sideText(rules[index]?.bullish ?? null, unit)}, bearish{' '}
              {sideText(rules[index]?.bearish ?? null, unit)}. Its record out of sample:{' '}
              {recordText(recordAt(old.since)).toLowerCase()}.
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

type Step = SignalDetail['steps'][number]
const parametersOf = ({ days, bullish, bearish }: Step): string => [days, bullish, bearish].join()

function Steps({ signal: { steps, unit } }: { signal: SignalDetail }) {
  const runs: (Step & { from: number })[] = []
  for (const step of steps) {
    const last = runs.at(-1)
    if (step.days === null) continue
    if (last && last.year === step.year - 1 && parametersOf(last) === parametersOf(step))
      last.year = step.year
    else runs.push({ ...step, from: step.year })
  }
  return (
    <TableCard
      id="steps"
      title="Walked forward"
      sub="Grid parameters with the best 30-day record before each year, with at least five events. The walk-forward record uses them"
      rows={runs.toReversed()}
      rowKey={({ year }) => String(year)}
      columns={[
        {
          key: 'year',
          label: 'Years',
          value: ({ from, year }) => (from === year ? String(year) : `${from}–${year}`),
        },
        { key: 'days', label: 'Windows', value: ({ days }) => daysText(days ?? []) },
        {
          key: 'bullish',
          label: 'Bullish',
          value: ({ bullish }) => bullish,
          cell: ({ bullish }) => thresholdText(bullish, unit),
          isNumber: true,
        },
        {
          key: 'bearish',
          label: 'Bearish',
          value: ({ bearish }) => bearish,
          cell: ({ bearish }) => thresholdText(bearish, unit),
          isNumber: true,
        },
      ]}
      empty="No parameters had five events before a year began."
    />
  )
}

function Events({ signal: { entries } }: { signal: SignalDetail }) {
  return (
    <TableCard
      id="events"
      title="Events"
      sub="Every entry into a side, newest first, and the price change from the next day’s close. Records use entries at least one horizon apart"
      rows={entries.toReversed()}
      rowKey={({ day }) => day}
      columns={[
        { key: 'day', label: 'Day', value: ({ day }) => day, cell: ({ day }) => dayText(day) },
        {
          key: 'state',
          label: 'Side',
          value: ({ state }) => state,
          cell: ({ state }) => <StateMark state={state} />,
        },
        ...[7, 30, 90].map((horizon, index) => ({
          key: `after${horizon}`,
          label: `${horizon} days`,
          isNumber: true,
          value: ({ returns }: (typeof entries)[number]) => returns[index] ?? null,
          cell: ({ returns }: (typeof entries)[number]) => figureText(returns[index], 'ratio').text,
        })),
      ]}
      empty="No side changes yet."
    />
  )
}

function Words({ signal: { why, misleads, references } }: { signal: SignalDetail }) {
  return (
    <Card title="Assessment">
      <dl className={styles.words}>
        <dt>Why it is here</dt>
        <dd>{why}</dd>
        <dt>How it can mislead</dt>
        <dd>{misleads}</dd>
        <dt>References</dt>
        <dd>
          <ul>
            {references.map(({ title, url }) => (
              <li key={title}>
                {url ? (
                  <a href={url} rel="noopener noreferrer">
                    {title}
                  </a>
                ) : (
                  title
                )}
              </li>
            ))}
          </ul>
        </dd>
      </dl>
    </Card>
  )
}
