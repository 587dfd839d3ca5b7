/** Pages would jump while they load on a slow line. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { newPage, skipWithoutChromium } from './chromium.ts'
import { SHIFT_LIMIT, WATCH_SHIFTS } from './pageFaults.ts'
import { type SharedSite, sharedSite } from './sharedSite.ts'

/** Pages that begin with a strip of key figures. */
const PATHS = ['/', '/stacks', '/bitcoin']
/** Small enough that a browser draws between two of them, within a strip too. */
const CHUNK_BYTES = 1500
/** The slow line is what is tested. A pause that is too short for a busy machine shows less, and fails nothing. */
const CHUNK_PAUSE_MS = 20

describe('a page that comes slowly', skipWithoutChromium, () => {
  let site: SharedSite
  let browser: Browser
  let slow: Server
  let url: string

  before(async () => {
    site = await sharedSite()
    browser = site.browser
    slow = createServer(async ({ url: path = '/' }, answer) => {
      // Only what decides where things stand: the page, its styles and letters.
      if (!/\.(?:css|woff2)$/.test(path) && !PATHS.includes(path)) {
        answer.writeHead(204).end()
        return
      }
      const got = await fetch(site.url + path, { headers: { accept: 'text/html,*/*' } })
      const type = got.headers.get('content-type') ?? ''
      answer.writeHead(got.status, { 'content-type': type })
      const bytes = Buffer.from(await got.arrayBuffer())
      const step = type.startsWith('text/html') ? CHUNK_BYTES : bytes.length
      for (let at = 0; at < bytes.length; at += step) {
        answer.write(bytes.subarray(at, at + step))
        if (step < bytes.length) await pause(CHUNK_PAUSE_MS)
      }
      answer.end()
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => slow.once('listening', resolve))
    url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
  })
  after(() => {
    slow?.closeAllConnections()
    slow?.close()
  })

  test('what is drawn keeps its place while the rest comes', async () => {
    const faults: string[] = []
    for (const width of [1440, 390]) {
      await using opened = await newPage(browser, {
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
      })
      const { page } = opened
      await page.addInitScript(WATCH_SHIFTS)
      // Never answered: a script that fails loads the page again.
      await page.route(/\.js$/, () => {})
      for (const path of PATHS) {
        await page.goto(url + path, { waitUntil: 'domcontentloaded' })
        await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
        const shift = Number(await page.evaluate('globalThis.shifted'))
        if (shift >= SHIFT_LIMIT)
          faults.push(`${path} at ${width} px moved by ${shift}: ${await page.evaluate('movers')}`)
      }
    }
    assert.deepEqual(faults, [])
  })
})
