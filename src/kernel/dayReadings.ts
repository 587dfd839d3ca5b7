import { isDay } from './days.ts'

const NUMERIC = /^\s*(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/

/** Possible dates (YYYY-MM-DD) for a text such as `03/04/2026`: month first, day first. Empty for other formats. */
export function dayReadings(text: string): string[] {
  const [, first = '', , second = '', year = ''] = NUMERIC.exec(text) ?? []
  if (year === '') return []
  const day = (month: string, dayOfMonth: string) =>
    `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
  return [...new Set([day(first, second), day(second, first)])].filter(isDay)
}

/** Both readings of an ambiguous date as text. Undefined for any other text. */
export function ambiguousDay(text: string): string | undefined {
  const [monthFirst, dayFirst] = dayReadings(text)
  return dayFirst === undefined ? undefined : `${monthFirst} or ${dayFirst}`
}
