import { CronExpressionParser } from 'cron-parser'
import { QueryError } from '../errors.ts'

/** Digits and names alone: random (H), last (L) and other extensions are not cron as everybody reads it. */
const FIELD = /^(?:[\d*,/-]|SUN|MON|TUE|WED|THU|FRI|SAT|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)+$/i
const FIELDS = 5
/** A date such as 29 February comes every four years, seldom only every eight. */
const YEARS_AHEAD_MS = 8.1 * 365.25 * 24 * 3600_000

/** The next `count` times of a cron expression in UTC, after `from`. Throws `sql.schedule_form`. */
export function nextTimes(cron: string, from: Date, count: number): Date[] {
  const expression = parsed(cron, from)
  const times: Date[] = []
  try {
    while (times.length < count) times.push(expression.next().toDate())
  } catch {
    // No further time within the years that the parser looks at.
  }
  const [first] = times
  if (first === undefined || first.getTime() - from.getTime() > YEARS_AHEAD_MS)
    throw refused('has no time in the next eight years')
  return times
}

function parsed(cron: string, from: Date) {
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== FIELDS || !fields.every(field => field.length <= 100 && FIELD.test(field)))
    throw refused('does not have five fields: minute, hour, day of month, month and day of week')
  // One minute keeps any two runs at least an hour apart.
  if (!/^\d{1,2}$/.test(fields[0] ?? '')) throw refused('must have one minute from 0 to 59: hourly at most')
  try {
    return CronExpressionParser.parse(fields.join(' '), { currentDate: from, tz: 'UTC' })
  } catch {
    throw refused('has a field that is out of range, or a date that never comes')
  }
}

const refused = (what: string): QueryError =>
  new QueryError('sql.schedule_form', `The cron expression ${what}.`, {
    parameter: 'cron',
    hint: 'Write it as in `15 6 * * 1`: Mondays at 06:15 UTC.',
  })
