import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Locator } from 'playwright-core'

/** Parts of a page come after its head, so a check asks again until the page is as expected, this long at most. */
const PATIENCE_MS = 30_000
const BETWEEN_MS = 50

async function soon<T>(read: () => Promise<T>, expected: T, message: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  let found = await read()
  while (found !== expected && Date.now() < end) {
    await wait(BETWEEN_MS)
    found = await read()
  }
  assert.equal(found, expected, message)
}

/** Passes as soon as exactly `expected` elements match; fails with the count found last. */
export const counts = (place: Locator, expected: number, message?: string): Promise<void> =>
  soon(() => place.count(), expected, message ?? `elements of ${place}`)

/** Passes as soon as the text of the one element is `expected`; fails with the text found last. */
export const reads = (place: Locator, expected: string | null | undefined, message?: string): Promise<void> =>
  soon<string | null | undefined>(() => place.textContent(), expected, message ?? `text of ${place}`)
