import type { QueryEstimate } from '#http/contract.ts'
import { timeText } from './day.ts'
import { figureText, grouped } from './figure.ts'

type Usage = NonNullable<QueryEstimate['usage']>

const UNITS = { seconds: 'execution time', rows: 'rows read', bytes: 'data read' } as const
/** From this share on, a part of the quota is worth a word. */
const NEAR = 0.5

/** What is used of the day: queries always, everything else once half of it is used. */
export function usageText({ runs, resetsAt, ...parts }: Usage): string {
  const near = Object.entries(parts)
    .filter(([, { used, limit }]) => used >= limit * NEAR)
    .map(([name, { used, limit }]) => {
      const share = Math.min(100, Math.floor((100 * used) / limit))
      return `, ${share}% of ${UNITS[name as keyof typeof UNITS]}`
    })
  return `Today: ${grouped(String(runs.used))} of ${grouped(String(runs.limit))} queries${near.join('')}. Resets ${timeText(resetsAt)}.`
}

/** The later of two answers: usage of a day only grows. */
export function laterUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b
  if (a.resetsAt !== b.resetsAt) return a.resetsAt > b.resetsAt ? a : b
  return a.runs.used >= b.runs.used ? a : b
}

/** All parts of the quota, for a list. */
export const usageParts = ({ runs, seconds, rows, bytes }: Usage): { name: string; text: string }[] => [
  { name: 'Queries', text: `${grouped(String(runs.used))} of ${grouped(String(runs.limit))}` },
  {
    name: 'Execution time',
    text: `${Math.round(seconds.used / 60)} of ${Math.round(seconds.limit / 60)} minutes`,
  },
  { name: 'Rows read', text: `${figureText(rows.used, 'n').text} of ${figureText(rows.limit, 'n').text}` },
  {
    name: 'Data read',
    text: `${figureText(bytes.used, 'bytes').text} of ${figureText(bytes.limit, 'bytes').text}`,
  },
]
