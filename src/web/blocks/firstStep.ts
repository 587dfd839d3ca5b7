import { use, useEffect, useSyncExternalStore } from 'react'
import { STEPPED, STEPS } from '../shell/calm.ts'
import { PRESSED, pressedEarly } from '../shell/typed.ts'

/** Of the page that the server has drawn: what is drawn at another address waits for nothing, or it would keep the new page back. */
const FIRST = typeof window === 'undefined' ? '' : window.location.href

const { promise: opened, resolve: open } = Promise.withResolvers<void>()
let isOpen = false
let isListening = false

/** A reader does something, or the page gets other figures: all drawings of the page come to life. */
export function openGate(): void {
  if (isOpen) return
  isOpen = true
  open()
  for (const step of STEPS) window.removeEventListener(step, openGate, true)
  // Whoever has come to life goes on to another page soon: what nearly each of them has is there by then.
  for (const part of [import('./Table.tsx'), import('./chart/TimeChart.tsx')]) part.catch(() => {})
}

/** Hears the first step on any page, also on one that keeps nothing back. */
export function listen(): void {
  if (isListening) return
  isListening = true
  if (!isOpen)
    for (const step of STEPS) window.addEventListener(step, openGate, { capture: true, passive: true })
  for (const press of ['pointerdown', 'click']) window.addEventListener(press, keepPress, true)
  // React may have taken the page over within the dispatch of a press: once that is over, a click that it heard is forgotten.
  if (window[PRESSED]?.eventPhase) setTimeout(repeatEarly)
  else repeatEarly()
}

function repeatEarly(): void {
  const early = pressedEarly()
  if (early === undefined || performance.now() - early.timeStamp > EARLY_HOLDS_MS) return
  presses = [early]
  listensSince = performance.now()
  // Its section comes to life by itself, and does it then; all else is alive by now.
  if (early.target instanceof Element && ownSection(early.target) === null) repeatPresses(document.body)
}

/** Whether a step was taken before anything listened, while the page was still coming. */
const hasStepped = (): boolean =>
  window[STEPPED] === true ||
  window.scrollY > 0 ||
  (document.activeElement !== null && document.activeElement !== document.body)

/**
 * Keeps a section that the server has drawn as it is until a reader has taken a first step: until then its script would be fetched
 * and run for nothing, and a phone has other things to do. To be called within a Suspense boundary; `section` is the id of an
 * element inside it.
 */
export function useFirstStep(section: string): void {
  const isHydrating = useSyncExternalStore(neverChanges, isNot, isSo)
  useEffect(() => {
    waiting.delete(section)
    alive.add(section)
    repeatPresses(document.getElementById(section))
  }, [section])
  if (typeof document === 'undefined' || !isHydrating) return
  waiting.add(section)
  const step = firstStep(section)
  if (step !== undefined) use(step)
}

/** Sections that the server has drawn and that are not alive yet. */
const waiting = new Set<string>()
/** Sections that hear what is pressed in them. */
const alive = new Set<string>()
/** The innermost section around an element that may come to life by itself: around it others may be alive already. */
const ownSection = (element: Element): Element | null => element.closest('section[id]')
const isHeard = (element: Element): boolean => {
  const own = ownSection(element)
  return own === null ? isWithin(alive, element) : alive.has(own.id)
}
const isWithin = (sections: ReadonlySet<string>, element: Element): boolean =>
  [...sections].some(section => document.getElementById(section)?.contains(element))

/** What was pressed last, while the script of its section may still have been on its way; a press of long ago is no longer meant. */
let presses: readonly Event[] = []
const PRESS_HOLDS_MS = 3_000
/** Longer before the page’s scripts had come: whoever pressed still waits for them. */
const EARLY_HOLDS_MS = 15_000
let listensSince = 0

/** The press of a link that was not let through. */
let held: Event | undefined

function keepPress(event: Event): void {
  // What is done again here is heard.
  if (!event.isTrusted) return
  if (event.target instanceof Element && isHeard(event.target)) {
    presses = []
    return
  }
  presses = event.type === 'pointerdown' ? [event] : [...presses.slice(0, 1), event]
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || !(event instanceof MouseEvent) || !isOwnChoice(link, event)) return
  // The browser would load the page anew, and whoever goes by keys would begin at its top again.
  event.preventDefault()
  held = event
  setTimeout(() => {
    if (!presses.includes(event)) return
    presses = []
    window.location.assign(link.href)
  }, PRESS_HOLDS_MS)
}

/** A choice within a section that comes to life in a moment: another state of this page, in this window. */
const isOwnChoice = (link: HTMLAnchorElement, event: MouseEvent): boolean =>
  event.type === 'click' &&
  event.button === 0 &&
  !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) &&
  link.origin === window.location.origin &&
  link.pathname === window.location.pathname &&
  link.hash === '' &&
  link.target === '' &&
  !link.hasAttribute('download') &&
  isWithin(waiting, link)

/** Does again what this part of the page could not hear. A field has done its own by itself, what opens a sheet too, and a link that was let through. */
function repeatPresses(element: Element | null): void {
  const heard = presses
  for (const event of heard) {
    const { target } = event
    // What is still under way reaches the section anyway.
    const age = performance.now() - Math.max(event.timeStamp, listensSince)
    if (event.eventPhase !== Event.NONE || age > PRESS_HOLDS_MS) continue
    if (!(target instanceof Element && element?.contains(target))) continue
    const own = ownSection(target)
    // Another section within this one comes to life later.
    const isOfInner = own !== null && own !== element && element.contains(own)
    if (
      isOfInner ||
      target.closest('summary, label, input, select, [popovertarget]') ||
      (target.closest('a') !== null && event !== held)
    )
      continue
    presses = []
    target.dispatchEvent(
      event instanceof PointerEvent
        ? new PointerEvent(event.type, event)
        : event instanceof KeyboardEvent
          ? new KeyboardEvent(event.type, event)
          : new MouseEvent(event.type, { bubbles: true, cancelable: true }),
    )
  }
}

/** What React reads while it takes over what the server has drawn differs from what it reads when it draws by itself. */
const neverChanges = () => () => {}
const isNot = () => false
const isSo = () => true

function firstStep(section: string): Promise<void> | undefined {
  if (!isOpen && (window.location.href !== FIRST || hasStepped())) openGate()
  if (isOpen || document.getElementById(section) === null) return undefined
  listen()
  return opened
}
