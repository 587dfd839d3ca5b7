import { grouped } from './figure.ts'

/** Days are `YYYY-MM-DD` in UTC, as everywhere; this file counts and writes them. */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const DAY_MS = 86_400_000

export const monthName = (monthIndex: number): string => MONTHS[monthIndex] ?? ''
export const dayNumber = (day: string): number =>
  Math.floor(Date.parse(`${day.slice(0, 10)}T00:00:00Z`) / DAY_MS)
const dayOf = (dayNo: number): string => new Date(dayNo * DAY_MS).toISOString().slice(0, 10)
export const addDays = (day: string, days: number): string => dayOf(dayNumber(day) + days)

/** `2026-01-31` → `31 Jan 2026`. */
export function dayText(day: string): string {
  const [year, month, date] = day.slice(0, 10).split('-').map(Number)
  return `${date} ${monthName((month ?? 1) - 1)} ${year}`
}

/** An ISO time → `31 Jan 2026, 14:05 UTC`. */
export const timeText = (iso: string): string => `${dayText(iso)}, ${iso.slice(11, 16)} UTC`

/** How long ago something was: days beyond two, else `3 h ago`. A "now" told in whole days may lie before it. */
export function agoText(iso: string, nowIso: string): string {
  const seconds = (Date.parse(nowIso) - Date.parse(iso)) / 1000
  if (seconds < 0) return 'today'
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)} h ago`
  return `${grouped(String(Math.floor(seconds / 86_400)))} days ago`
}

/** Seconds in the largest two units that say something: `9 min 41 s`, `2 h 5 min`, `3 days`. */
export function durationText(seconds: number): string {
  const whole = Math.round(Math.abs(seconds))
  const days = Math.floor(whole / 86_400)
  const hours = Math.floor((whole % 86_400) / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  if (days >= 3 || (days > 0 && hours === 0)) return `${days} ${days === 1 ? 'day' : 'days'}`
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
  if (minutes > 0) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`
  return `${whole} s`
}
