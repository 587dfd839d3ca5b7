import type { AvailabilityEvent } from '#http/outage/schema.ts'
import { OUTAGE_ID } from '#kernel/outage.ts'
import { outageText } from '#kernel/outageText.ts'

/**
 * Shows or hides the banner as an event `availability` says. Returns whether the page must load its figures again: it showed an
 * outage that is over.
 */
export function showAvailability(data: string): boolean {
  // Sent by our own server, in the form of its schema.
  const { isUp, asOf } = JSON.parse(data) as AvailabilityEvent
  const banner = document.getElementById(OUTAGE_ID)
  if (banner === null) return false
  const wasShown = !banner.hidden
  // A page sent during the outage knows its own time.
  if (!isUp && !wasShown && asOf !== null) banner.textContent = outageText(Date.parse(asOf))
  banner.hidden = isUp
  return isUp && wasShown
}
