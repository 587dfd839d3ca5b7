/** What the banner says of a page that was right until then, milliseconds since 1970. */
export function outageText(asOfMs: number, nowMs: number = Date.now()): string {
  const asOf = new Date(asOfMs)
  const time = `${asOf.toISOString().slice(11, 16)} UTC`
  const isToday = asOf.toISOString().slice(0, 10) === new Date(nowMs).toISOString().slice(0, 10)
  const day = asOf.toUTCString().slice(5, 16).replace(/^0/, '')
  return `Data engine unavailable. Showing the page as of ${isToday ? time : `${day}, ${time}`}. Retrying.`
}
