/** How often a query runs, as a form asks for it. Times are UTC. */
export type Rhythm = {
  readonly every: 'hour' | 'day' | 'week' | 'cron'
  readonly minute: number
  readonly hour: number
  readonly weekday: string
  readonly cron: string
}

export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
export const WEEKDAY_LABEL: Readonly<Record<(typeof WEEKDAYS)[number], string>> = {
  MON: 'Monday',
  TUE: 'Tuesday',
  WED: 'Wednesday',
  THU: 'Thursday',
  FRI: 'Friday',
  SAT: 'Saturday',
  SUN: 'Sunday',
}

export function cronOf({ every, minute, hour, weekday, cron }: Rhythm): string {
  switch (every) {
    case 'hour':
      return `${minute} * * * *`
    case 'day':
      return `${minute} ${hour} * * *`
    case 'week':
      return `${minute} ${hour} * * ${weekday}`
    case 'cron':
      return cron
  }
}

/** The form for an expression; whatever the form has no choice for stays an expression. */
export function rhythmOf(cron: string): Rhythm {
  const [, minute = '0', hour = '6', weekday = 'MON'] =
    /^(\d{1,2}) (\d{1,2}|\*) \* \* (\*|MON|TUE|WED|THU|FRI|SAT|SUN)$/.exec(cron) ?? []
  const isKnown = cron === `${minute} ${hour} * * ${weekday}` && !(hour === '*' && weekday !== '*')
  return {
    every: !isKnown ? 'cron' : hour === '*' ? 'hour' : weekday === '*' ? 'day' : 'week',
    minute: Number(minute),
    hour: hour === '*' ? 6 : Number(hour),
    weekday: weekday === '*' ? 'MON' : weekday,
    cron,
  }
}
