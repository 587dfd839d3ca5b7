/** Text pages would load scripts too early or never. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import fc from 'fast-check'
import { readRecord, type VisitRecord, visitsAfter } from '../people/states/visits.ts'
import { COUNTED, NEWS, STEPPED } from './calm.ts'
import { countScript, waitScript } from './waitScript.ts'

const NOW = 1_800_000_000_000
const DAY_MS = 86_400_000

/** A window as far as the early script touches it. */
function openWindow({
  kept = {},
  waits = 'waits',
  person,
  userAgent = 'Mozilla/5.0 Chrome/156',
}: {
  kept?: Record<string, string>
  waits?: string
  person?: string
  userAgent?: string
} = {}) {
  const heard = new Map<string, () => void>()
  const storage = new Map(Object.entries(kept))
  const localStorage = new Proxy(
    {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, text: string) => storage.set(key, text),
    },
    {
      ownKeys: () => [...storage.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  )
  const body = {}
  const window: Record<string, unknown> = {
    scrollY: 0,
    location: { pathname: '/reports', search: '?topic=Fees' },
    addEventListener: (name: string, hear: () => void) => heard.set(name, hear),
    removeEventListener: (name: string) => heard.delete(name),
  }
  let begun = 0
  const document = {
    hidden: false,
    documentElement: { dataset: { person } },
    body,
    activeElement: body,
    addEventListener: (name: string, hear: () => void) => heard.set(name, hear),
    removeEventListener: (name: string) => heard.delete(name),
  }
  const element = { dataset: { waits } }
  const timers: (() => void)[] = []
  const sources: { url: string; isOpen: boolean; tell: () => void }[] = []
  const context = createContext({
    window,
    localStorage,
    navigator: { userAgent },
    setTimeout: (run: () => void) => timers.push(run),
    clearTimeout: (timer: number) => timers.splice(timer - 1, 1),
    EventSource: class {
      readonly #source: (typeof sources)[number]
      constructor(url: string) {
        this.#source = { url, isOpen: true, tell: () => {} }
        sources.push(this.#source)
      }
      addEventListener(_name: string, hear: () => void) {
        this.#source.tell = hear
      }
      close() {
        this.#source.isOpen = false
      }
    },
    element,
    document,
    Date: { now: () => NOW },
    go() {
      begun += 1
    },
  })
  return {
    window,
    document,
    heard,
    timers,
    sources,
    storage,
    run: (script: string): unknown => runInContext(script, context),
    begun: () => begun,
  }
}

test('a visit is counted early as the limiter counts it, or left to it whole', () => {
  const record = fc.record({
    activities: fc.integer({ min: -1, max: 12 }),
    lastUpdated: fc.oneof(
      fc.integer({ min: NOW - DAY_MS, max: NOW }),
      fc.integer({ min: NOW - 6 * DAY_MS, max: NOW + DAY_MS }),
    ),
    lastUrl: fc.constantFrom('/reports', '/tvl'),
  })
  const text = fc.oneof(
    { weight: 6, arbitrary: record.map(each => JSON.stringify(each)) },
    fc.constantFrom(undefined, '', 'null', '[]', '{', '7', '{"activities":"3"}', '{"activities":1.5}'),
  )
  let early = 0
  fc.assert(
    fc.property(text, kept => {
      const { run, storage, window } = openWindow({ kept: kept === undefined ? {} : { 'track-key': kept } })
      let isCounted: unknown = false
      try {
        isCounted = run(`(${countScript})('/reports', ${NOW})`)
      } catch {}
      if (isCounted !== true) {
        assert.equal(storage.get('track-key'), kept)
        assert.equal(window[COUNTED], undefined)
        return
      }
      early += 1
      const before: VisitRecord | undefined = readRecord(kept ?? null)
      const after = visitsAfter(before, { type: 'visit', path: '/reports', now: NOW, hasFeatures: false })
      assert.deepEqual(readRecord(storage.get('track-key') ?? null), after.record)
      assert.equal(after.isBlocked, false)
      assert.equal(window[COUNTED], '/reports')
    }),
    { numRuns: 500 },
  )
  assert.ok(early > 100, `${early} were counted early`)
})

test('a search engine is not counted, and its page waits', () => {
  const opened = openWindow({ waits: 'waits counts', userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' })
  opened.run(`(${waitScript})(element, go)`)
  assert.equal(opened.begun(), 0)
  assert.equal(opened.storage.size, 0)
})

test('the scripts of a page of text begin with the first step, and once', () => {
  const { run, heard, window, begun } = openWindow()
  run(`(${waitScript})(element, go)`)
  assert.equal(begun(), 0)
  heard.get('pointermove')?.()
  assert.equal(begun(), 1)
  assert.equal(heard.size, 0)
  assert.equal(window[STEPPED], true)
})

test('they begin at once where somebody may be signed in, the limit is near, storage is closed, or the page may not wait', () => {
  const at = (opened: ReturnType<typeof openWindow>) => {
    opened.run(`(${waitScript})(element, go)`)
    return opened.begun()
  }
  const near = JSON.stringify({ activities: 9, lastUpdated: NOW, lastUrl: '/tvl' })
  const few = JSON.stringify({ activities: 3, lastUpdated: NOW, lastUrl: '/tvl' })
  assert.equal(at(openWindow({ waits: '' })), 1)
  assert.equal(at(openWindow({ person: 'wallet' })), 1)
  assert.equal(at(openWindow({ kept: { 'blockstack-session': '{}' } })), 1)
  assert.equal(at(openWindow({ kept: { '@@auth0spajs@@::x': '{}' } })), 1)
  assert.equal(at(openWindow({ kept: { 'track-key': near }, waits: 'waits counts' })), 1)
  assert.equal(at(openWindow({ kept: { 'track-key': '{' }, waits: 'waits counts' })), 1)
  assert.equal(at(openWindow({ kept: { 'track-key': near } })), 0)
  assert.equal(at(openWindow({ kept: { 'track-key': few }, waits: 'waits counts' })), 0)
  const closed = openWindow()
  closed.run('Object.keys = () => { throw new Error("closed") }')
  assert.equal(at(closed), 1)
})

test('news of the figures of a calm page begin its scripts, which are told of it; text has none', () => {
  const text = openWindow()
  text.run(`(${waitScript})(element, go)`)
  assert.equal(text.timers.length, 0)

  const told = openWindow({ waits: 'waits news' })
  told.run(`(${waitScript})(element, go)`)
  told.timers[0]?.()
  assert.equal(told.sources[0]?.url, '/api/v1/changes?page=%2Freports')
  assert.equal(told.begun(), 0)
  told.sources[0]?.tell()
  assert.deepEqual(
    [told.begun(), told.window[NEWS], told.sources[0]?.isOpen, told.heard.size],
    [1, true, false, 0],
  )

  const stepped = openWindow({ waits: 'waits news' })
  stepped.run(`(${waitScript})(element, go)`)
  stepped.heard.get('pointermove')?.()
  // What listens from now on are the scripts.
  assert.deepEqual([stepped.begun(), stepped.window[NEWS], stepped.timers.length], [1, undefined, 0])
})

test('a calm page listens to nothing while it is out of sight, and asks anew when it is back', () => {
  const { run, timers, sources, document, heard, begun, window } = openWindow({ waits: 'waits news' })
  run(`(${waitScript})(element, go)`)
  timers[0]?.()
  document.hidden = true
  heard.get('visibilitychange')?.()
  assert.deepEqual([sources[0]?.isOpen, begun()], [false, 0])
  document.hidden = false
  heard.get('visibilitychange')?.()
  assert.deepEqual([begun(), window[NEWS]], [1, true])
})
