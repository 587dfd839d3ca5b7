import { keepLocal, readLocal } from './local.ts'
import { readRecord, TRACK_KEY, type VisitsEvent, visitsAfter } from './states/visits.ts'

/** Search engines and those who draw previews of links: they are shown what a reader sees first. */
export const BOT =
  /bot\b|bot\/|crawl|spider|slurp|preview|facebookexternalhit|embedly|whatsapp|telegram|pinterest|lighthouse|google-inspectiontool|ia_archiver/i

export const isBot = (userAgent: string): boolean => BOT.test(userAgent)

/** Takes an event into the record of this browser. Returns whether its reader is blocked. */
export function logVisit(event: VisitsEvent): boolean {
  const kept = readLocal(TRACK_KEY)
  const { record, isBlocked } = visitsAfter(readRecord(kept), event)
  const text = record && JSON.stringify(record)
  if (text !== (kept ?? undefined)) keepLocal(TRACK_KEY, text)
  return isBlocked
}
