/** The day before a UTC day: a figure of its 00:00 is that of the end of the day before. */
export const dayBefore = (day: string): string =>
  new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
