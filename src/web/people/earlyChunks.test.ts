/** A page whose scripts fail to load would stay dead. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import fc from 'fast-check'
import { chunkScript } from './earlyChunks.ts'
import { CHUNK_ERROR, CHUNK_FAILED, CHUNK_TIMEOUT_MS, CSS_CHUNK_ERROR, SCRIPTS_BEGIN } from './loadChunk.ts'
import { cacheAfter, type Reloads, SAME_FAILURE_MS } from './states/cacheBuster.ts'

/** A window as far as the early script touches it. */
function openWindow(kept: Reloads, now: number) {
  const heard = new Map<string, (event: object) => void>()
  const timers: { run: () => void; ms: number }[] = []
  const said: string[] = []
  const sheets: { sheet: object | null; disabled?: boolean }[] = []
  let reloads = 0
  let stored: string | null = JSON.stringify(kept)
  const element = () => ({ setAttribute() {}, append() {}, textContent: '', style: {} })
  const window = {
    location: {
      href: '/',
      reload() {
        reloads += 1
      },
    },
    addEventListener: (name: string, hear: (event: object) => void) => heard.set(name, hear),
  }
  const context = createContext({
    window,
    document: {
      body: { append: (added: { textContent: string }) => said.push(added.textContent) },
      createElement: element,
      getElementById: () => null,
      querySelectorAll: () => sheets,
    },
    sessionStorage: {
      getItem: () => stored,
      setItem(_key: string, text: string) {
        stored = text
      },
    },
    Date: { now: () => now },
    setTimeout: (run: () => void, ms: number) => timers.push({ run, ms }),
  })
  runInContext(chunkScript, context)
  return {
    fire: (name: string, event: object = {}) => heard.get(name)?.({ preventDefault() {}, ...event }),
    timers,
    sheets,
    said,
    outcome: () => ({
      name: reloads > 0 ? 'reloading' : said.length > 0 ? 'told' : 'fresh',
      reloads: JSON.parse(stored ?? '{}') as Reloads,
    }),
  }
}

test('the early script decides as the reducer does', () => {
  const now = 1_800_000_000_000
  const earlier = fc.oneof(
    fc.constant({}),
    fc.nat(2 * SAME_FAILURE_MS).map(ms => ({ chunkAt: now - ms })),
  )
  fc.assert(
    fc.property(earlier, fc.boolean(), (chunk, isNoted) => {
      const kept: Reloads = { ...chunk, ...(isNoted && { version: '0.1.13' }) }
      const window = openWindow(kept, now)
      let isPrevented = false
      const preventDefault = () => {
        isPrevented = true
      }
      window.fire(CHUNK_FAILED, { preventDefault })
      assert.equal(isPrevented, window.outcome().name === 'reloading')
      // What fails while the page is about to be loaded again is the same failure.
      window.fire(CHUNK_FAILED)
      assert.deepEqual(window.outcome(), cacheAfter(kept, { type: 'chunk', now }))
    }),
  )
})

test('a script or style sheet that fails is heard of, a picture is not', () => {
  for (const [target, name] of [
    [{ tagName: 'SCRIPT' }, 'reloading'],
    [{ tagName: 'LINK', rel: 'stylesheet' }, 'reloading'],
    [{ tagName: 'LINK', rel: 'icon' }, 'fresh'],
    [{ tagName: 'IMG' }, 'fresh'],
  ] as const) {
    const window = openWindow({}, 1)
    window.fire('error', { target })
    assert.equal(window.outcome().name, name)
  }
})

test('what did not help is said with the name of the failure, and a sheet that fails has another than a script', () => {
  const [now, kept] = [1_800_000_000_000, { chunkAt: 1_800_000_000_000 - 1 }]
  for (const [target, name] of [
    [{ tagName: 'SCRIPT' }, CHUNK_ERROR],
    [{ tagName: 'LINK', rel: 'stylesheet' }, CSS_CHUNK_ERROR],
  ] as const) {
    const window = openWindow(kept, now)
    window.fire('error', { target })
    assert.match(window.said.join(), new RegExp(`could not be loaded.*\\(${name}\\)`))
  }
})

test('a style sheet that has not come in time is given up, one that has is left alone', () => {
  const window = openWindow({}, 1)
  const [late, there] = [{ sheet: null }, { sheet: {} }]
  window.sheets.push(late, there)
  assert.deepEqual(
    window.timers.map(({ ms }) => ms),
    [CHUNK_TIMEOUT_MS],
  )
  window.timers[0]?.run()
  assert.deepEqual([late, there], [{ sheet: null, disabled: true }, { sheet: {} }])
  assert.equal(window.outcome().name, 'reloading')
})

test('a page that has not come to life in time, once its scripts were asked for, is loaded again', () => {
  const window = openWindow({}, 1)
  // A page in a tab that was never looked at, or of text, has asked for none: the one there is looks after the style sheet.
  assert.equal(window.timers.length, 1)
  window.fire(SCRIPTS_BEGIN)
  assert.deepEqual(
    window.timers.map(({ ms }) => ms),
    [CHUNK_TIMEOUT_MS, CHUNK_TIMEOUT_MS],
  )
  window.timers[1]?.run()
  assert.equal(window.outcome().name, 'reloading')
})
