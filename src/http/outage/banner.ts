import { OUTAGE_ID } from '#kernel/outage.ts'
import { outageText } from '#kernel/outageText.ts'

const EMPTY = new RegExp(`<p id="${OUTAGE_ID}"([^>]*?) hidden=""([^>]*)></p>`)

/** The HTML of a page with its banner shown. */
export const withOutage = (html: string, asOfMs: number): string =>
  html.replace(
    EMPTY,
    (_, before: string, after: string) => `<p id="${OUTAGE_ID}"${before}${after}>${outageText(asOfMs)}</p>`,
  )
