import { type FormEvent, useEffect, useMemo, useState } from 'react'
import type { QuerySchedule, SavedQuery } from '#http/contract.ts'
import { directivesOf } from '#kernel/sqlDirectives.ts'
import { ownOf, parametersOf } from '#kernel/sqlParameters.ts'
import { ApiRefusal } from '../../../api.ts'
import { timeText } from '../../../format/day.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { Button } from '../../../ui/Button.tsx'
import { firstFault, ParameterFields } from '../ParameterFields.tsx'
import type { QueryClient } from '../queryClient.ts'
import { LatestResult } from './LatestResult.tsx'
import { Failure, PanelDialog } from './QueryDialog.tsx'
import styles from './Saved.module.css'
import { cronOf, type Rhythm, rhythmOf, WEEKDAY_LABEL, WEEKDAYS } from './scheduleForm.ts'

/** Same format as `timeText`, in the user’s time zone. */
const localTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

type Props = {
  query: SavedQuery
  client: QueryClient
  onClose: () => void
}

/** Avoids duplicate ids with the editor’s parameter fields. */
const PREFIX = 'schedule-'

/** Server errors by parameter name. */
const faultsIn = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiRefusal
    ? Object.fromEntries((error.problem.errors ?? []).map(({ parameter, message }) => [parameter, message]))
    : {}

/** Schedule of a saved query with its latest result. Only the owner can change it. */
export function ScheduleDialog({ query, client, onClose }: Props) {
  const [found, setFound] = useState<QuerySchedule>()
  const [rhythm, setRhythm] = useState<Rhythm>(rhythmOf('0 6 * * *'))
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({})
  const [isChecked, setChecked] = useState(false)
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  useEffect(() => {
    client.schedule(query.id).then(
      state => {
        setFound(state)
        if (state.schedule !== null) setRhythm(rhythmOf(state.schedule.cron))
      },
      error => setFailure(wordsOf(error)),
    )
  }, [client, query.id])
  const run = async (work: () => Promise<QuerySchedule>) => {
    setBusy(true)
    setFailure(undefined)
    setFaults({})
    try {
      setFound(await work())
    } catch (error) {
      const fields = faultsIn(error)
      if (Object.keys(fields).length > 0) setFaults(fields)
      else setFailure(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  const schedule = found?.schedule ?? undefined
  const directives = useMemo(() => directivesOf(query.sql), [query.sql])
  const parameters = parametersOf(query.sql, { ...schedule?.types, ...directives.types })
  const values = { ...directives.defaults, ...query.parameters, ...schedule?.parameters, ...changed }
  const isOwner = query.access === 'owner'
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const faulty = firstFault(parameters, values)
    setChecked(faulty !== undefined)
    if (faulty !== undefined) {
      document.getElementById(`${PREFIX}parameter-${faulty}`)?.focus()
      return
    }
    const given = parameters.flatMap(({ name }) => {
      const value = ownOf(values, name)
      return value === undefined ? [] : [[name, value] as const]
    })
    void run(() =>
      client.setSchedule(query.id, {
        cron: cronOf(rhythm),
        parameters: Object.fromEntries(given),
        types: schedule?.types ?? {},
      }),
    )
  }
  const change = (by: Partial<Rhythm>) => setRhythm(known => ({ ...known, ...by }))
  return (
    <PanelDialog title={`Schedule of ${query.name}`} closeLabel="Close schedule" onClose={onClose}>
      {found === undefined && failure === undefined && <p role="status">Loading…</p>}
      {found?.latest && (
        <LatestResult key={found.latest.result} latest={found.latest} name={query.name} client={client} />
      )}
      {found !== undefined && schedule === undefined && <p className={styles.note}>Not scheduled.</p>}
      {schedule?.isPaused && (
        <p role="status">
          Paused{schedule.failures > 0 && ` after ${schedule.failures} failed runs in a row`}. Save the
          schedule to resume it.
        </p>
      )}
      {schedule !== undefined && schedule.next.length > 0 && (
        <section aria-label="Next runs">
          <h3 className={styles.part}>Next runs</h3>
          <ul className={styles.times}>
            {schedule.next.map(time => (
              <li key={time}>
                {timeText(time)}{' '}
                {new Date(time).getTimezoneOffset() !== 0 && (
                  <span className={styles.note}>{localTime.format(new Date(time))} your time</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {found !== undefined && isOwner && (
        <form key={schedule?.cron} className={styles.fields} onSubmit={handleSubmit}>
          <div className={styles.when}>
            <label>
              Runs
              <select
                value={rhythm.every}
                onChange={event =>
                  change({ cron: cronOf(rhythm), every: event.currentTarget.value as Rhythm['every'] })
                }
              >
                <option value="hour">Every hour</option>
                <option value="day">Every day</option>
                <option value="week">Every week</option>
                <option value="cron">By a cron expression</option>
              </select>
            </label>
            {rhythm.every === 'cron' ? (
              <label>
                Cron expression (UTC)
                <input
                  required
                  maxLength={200}
                  spellCheck={false}
                  value={rhythm.cron}
                  onChange={event => change({ cron: event.currentTarget.value })}
                />
              </label>
            ) : (
              <>
                {rhythm.every === 'week' && (
                  <label>
                    Day
                    <select
                      value={rhythm.weekday}
                      onChange={event => change({ weekday: event.currentTarget.value })}
                    >
                      {WEEKDAYS.map(day => (
                        <option key={day} value={day}>
                          {WEEKDAY_LABEL[day]}
                        </option>
                      ))}
                    </select>
                  </label>
                )}
                {rhythm.every !== 'hour' && (
                  <label>
                    Hour (UTC)
                    <input
                      type="number"
                      required
                      min={0}
                      max={23}
                      value={rhythm.hour}
                      onChange={event => change({ hour: Number(event.currentTarget.value) })}
                    />
                  </label>
                )}
                <label>
                  Minute
                  <input
                    type="number"
                    required
                    min={0}
                    max={59}
                    value={rhythm.minute}
                    onChange={event => change({ minute: Number(event.currentTarget.value) })}
                  />
                </label>
              </>
            )}
          </div>
          {parameters.length > 0 && (
            <ParameterFields
              parameters={parameters}
              values={values}
              choices={directives.choices}
              client={client}
              isChecked={isChecked}
              faults={faults}
              prefix={PREFIX}
              onValues={more => setChanged(known => ({ ...known, ...more }))}
            />
          )}
          <p className={styles.note}>
            Runs the newest saved version, once an hour at most. You can have {found.limits.schedules}{' '}
            schedules. A schedule pauses after {found.limits.failures} failed runs in a row.
          </p>
          <div className={styles.buttons}>
            {schedule !== undefined && (
              <Button
                small
                disabled={isBusy}
                onClick={() =>
                  void run(async () => {
                    await client.removeSchedule(query.id)
                    return client.schedule(query.id)
                  })
                }
              >
                Delete schedule
              </Button>
            )}
            {schedule !== undefined && !schedule.isPaused && (
              <Button
                small
                disabled={isBusy}
                onClick={() =>
                  void run(() =>
                    client.setSchedule(query.id, {
                      cron: schedule.cron,
                      parameters: schedule.parameters,
                      types: schedule.types,
                      isPaused: true,
                    }),
                  )
                }
              >
                Pause
              </Button>
            )}
            <Button small look="primary" type="submit" disabled={isBusy}>
              Save schedule
            </Button>
          </div>
        </form>
      )}
      <Failure text={failure} />
    </PanelDialog>
  )
}
