import type { Status } from '#http/contract.ts'
import { TableCard, type TableColumn } from '../blocks/TableCard.tsx'
import { counted } from '../format/counted.ts'
import { agoText, durationText, timeText } from '../format/day.ts'
import { grouped } from '../format/figure.ts'
import {
  type AskedSource,
  askedSources,
  inNeed,
  nameParts,
  reasonOf,
  type SourceRequest,
} from './publishers.ts'
import styles from './StatusPage.module.css'

type Props = { schedule: Status['schedule']; now: string }

/** Who is asked, when, and what came of it; then the requests that brought nothing, each with its reason. */
export function ScheduleCards({ schedule, now }: Props) {
  const sources = askedSources(schedule.requests)
  const needs = inNeed(schedule.requests)
  const asked = schedule.requests.filter(({ state }) => state !== 'not_asked').length
  return (
    <>
      <TableCard
        id="publishers"
        title="Sources polled"
        sub={`${schedule.sentence} ${counted(sources.length, 'source')}, ${counted(schedule.requests.length, 'request')}${asked === schedule.requests.length ? '' : `; ${grouped(String(asked))} polled`}.`}
        rows={sources}
        columns={sourceColumns(now)}
        rowKey={({ id }) => id}
        words={({ id, publisher, what, needs: missing }) => `${id} ${publisher} ${what} ${missing}`}
      />
      {asked > 0 && (
        <TableCard
          id="requests"
          title="Requests with refused answers or values, or answered elsewhere"
          sub={
            needs.length === 0
              ? 'Every request returned a valid response from its first source.'
              : 'Refused values and responses are not used. The last valid values stay, with their age. Refused responses are stored for inspection.'
          }
          rows={needs}
          columns={requestColumns(now)}
          rowKey={({ source, about }) => `${source} ${about}`}
          words={({ source, name, about, reason }) => `${source} ${name} ${about} ${reason ?? ''}`}
          empty="None."
        />
      )}
    </>
  )
}

const STATE_WORDS: Readonly<Record<AskedSource['state'], string>> = {
  answers: 'answers',
  failing: 'in part',
  new: 'not polled yet',
  not_asked: 'not polled',
}

const sourceColumns = (now: string): readonly TableColumn<AskedSource>[] => [
  {
    key: 'publisher',
    label: 'Publisher',
    value: ({ publisher, what }) => (what === publisher ? publisher : `${publisher}: ${what}`),
    cell: ({ publisher, what }) => (
      <>
        {publisher}
        {what !== publisher && <span className={styles.what}>{what}</span>}
      </>
    ),
  },
  {
    key: 'state',
    label: 'State',
    value: source => stateText(source),
    cell: source => (
      <span data-state={source.state === 'failing' ? failingMark(source) : 'live'}>{stateText(source)}</span>
    ),
  },
  {
    key: 'success',
    label: 'Last answer',
    value: ({ lastSuccess }) => lastSuccess,
    cell: ({ lastSuccess }) => <LastAnswer at={lastSuccess} now={now} />,
  },
  {
    key: 'next',
    label: 'Next run',
    value: ({ nextRun }) => nextRun,
    cell: ({ nextRun }) => <NextRun at={nextRun} now={now} />,
  },
  {
    key: 'every',
    label: 'Every',
    isNumber: true,
    value: ({ cadenceSeconds }) => cadenceSeconds,
    cell: ({ cadenceSeconds }) => durationText(cadenceSeconds),
  },
  { key: 'requests', label: 'Requests', isNumber: true, value: ({ requests }) => requests },
  {
    key: 'runs',
    label: 'Runs in 24 h',
    isNumber: true,
    value: ({ runs }) => runs,
    cell: ({ runs, failedRuns }) =>
      failedRuns === 0
        ? grouped(String(runs))
        : `${grouped(String(runs))}, ${grouped(String(failedRuns))} without`,
  },
  { key: 'refused', label: 'Refused, stored', isNumber: true, value: ({ refusals }) => refusals },
  {
    key: 'values',
    label: 'Refused values',
    isNumber: true,
    title: 'Values refused of the last answers that were otherwise used',
    value: ({ refusedValues }) => refusedValues,
  },
  { key: 'id', label: 'Id', value: ({ id }) => id, cell: ({ id }) => <code>{id}</code>, isOptional: true },
]

/** A source of which nothing comes is worse off than one with a few silent requests. */
const failingMark = ({ failing, requests }: AskedSource): string =>
  failing === requests ? 'overdue' : 'stale'

function stateText({ state, needs, failing, requests }: AskedSource): string {
  if (state === 'not_asked') return `not polled. ${needs}`
  if (state !== 'failing') return STATE_WORDS[state]
  return failing === requests
    ? 'nothing comes'
    : `${grouped(String(failing))} of ${grouped(String(requests))} without an answer`
}

const requestColumns = (now: string): readonly TableColumn<SourceRequest>[] => [
  {
    key: 'about',
    label: 'Request',
    value: ({ name, about }) => `${name} ${about}`,
    cell: ({ name, about }) => (
      <>
        {about}
        <span className={styles.what}>
          {nameParts(name)
            .filter((part, i, all) => all.indexOf(part) === i)
            .join(': ')}
        </span>
      </>
    ),
  },
  {
    key: 'reason',
    label: 'Last time',
    value: request => reasonOf(request) ?? null,
    cell: request => (
      <span className={styles.reason}>
        {reasonOf(request) ?? (request.state === 'answers' ? 'It answers again.' : '–')}
      </span>
    ),
  },
  { key: 'failures', label: 'In a row', isNumber: true, value: ({ failures }) => failures },
  { key: 'refused', label: 'Refused, stored', isNumber: true, value: ({ refusals }) => refusals },
  { key: 'values', label: 'Refused values', isNumber: true, value: ({ refusedValues }) => refusedValues },
  {
    key: 'success',
    label: 'Last answer',
    value: ({ lastSuccess }) => lastSuccess,
    cell: ({ lastSuccess }) => <LastAnswer at={lastSuccess} now={now} />,
  },
  {
    key: 'next',
    label: 'Next run',
    value: ({ nextRun }) => nextRun,
    cell: ({ nextRun }) => <NextRun at={nextRun} now={now} />,
  },
]

function LastAnswer({ at, now }: { at: string | null; now: string }) {
  if (at === null) return 'never'
  // A page is drawn for the minute that has begun: what came within it is not ahead of it.
  return <span title={timeText(at)}>{agoText(at > now ? now : at, now)}</span>
}

function NextRun({ at, now }: { at: string | null; now: string }) {
  if (at === null) return '–'
  const seconds = (Date.parse(at) - Date.parse(now)) / 1000
  return (
    <span title={timeText(at)}>
      {seconds < 60 ? 'due' : `in ${durationText(Math.round(seconds / 60) * 60)}`}
    </span>
  )
}
