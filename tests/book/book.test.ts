/** A building block would look broken in one of its states. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openChromium, skipWithoutChromium } from '../browser/chromium.ts'
import { type OpenBook, openBook } from './openBook.ts'
import { openComparer, sameAsKept, whyNotCompared } from './pictures.ts'
import { type Walk, walkBook } from './walkBook.ts'

describe('every building block in every state', skipWithoutChromium, () => {
  let book: OpenBook
  let browser: Browser
  let walk: Walk
  before(async () => {
    book = await openBook()
    browser = await openChromium()
    walk = await walkBook(browser, book.url, sameAsKept())
  })
  after(async () => {
    await browser?.close()
    await book?.[Symbol.asyncDispose]()
  })

  test('looks as in its pictures; `npm run pictures -- --accept` takes them anew', t => {
    const reason = whyNotCompared(browser)
    if (reason !== undefined) return t.skip(reason)
    const { compare, left } = openComparer()
    const faults = [...walk.files].flatMap(([name, file]) => compare(name, file) ?? [])
    assert.deepEqual([...faults, ...left().map(name => `${name}: nothing is drawn that it is of`)], [])
  })

  test('is not cut off, not wider than its room, with no word on another, in colours that can be read', () => {
    assert.ok(walk.files.size > 100)
    assert.deepEqual(walk.faults, [])
  })
})
