import { use, useEffect, useSyncExternalStore } from 'react'

/** What counts as a first step of a reader: from then on all drawings of the page come to life. */
const STEPS = ['pointerdown', 'pointermove', 'keydown', 'focusin', 'scroll', 'popstate'] as const

/** Of the page that the server has drawn: what is drawn at another address waits for nothing, or it would keep the new page back. */
const FIRST = typeof window === 'undefined' ? '' : window.location.href

const { promise: opened, resolve: open } = Promise.withResolvers<void>()
let isOpen = false
let isListening = false

/** A reader does something, or the page gets other figures. */
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
  if (isListening || isOpen) return
  isListening = true
  for (const step of STEPS) window.addEventListener(step, openGate, { capture: true, passive: true })
  for (const press of ['pointerdown', 'click'])
    window.addEventListener(press, keepPress, { capture: true, passive: true })
}

/** Whether a step was taken before anything listened, while the page was still coming. */
const hasStepped = (): boolean =>
  window.scrollY > 0 || (document.activeElement !== null && document.activeElement !== document.body)

/**
 * Keeps a section that the server has drawn as it is until a reader has taken a first step: until then its script would be fetched
 * and run for nothing, and a phone has other things to do. To be called within a Suspense boundary; `section` is the id of an
 * element inside it.
 */
export function useFirstStep(section: string): void {
  const isHydrating = useSyncExternalStore(neverChanges, isNot, isSo)
  useEffect(() => repeatPresses(section), [section])
  if (typeof document === 'undefined' || !isHydrating) return
  const step = firstStep(section)
  if (step !== undefined) use(step)
}

/** What was pressed last, while the script of its section may still have been on its way; a press of long ago is no longer meant. */
let presses: readonly Event[] = []
const PRESS_HOLDS_MS = 3_000

function keepPress(event: Event): void {
  presses = event.type === 'pointerdown' ? [event] : [...presses.slice(0, 1), event]
}

/** Does again what the section could not hear. A link or field has done its own by itself. */
function repeatPresses(section: string): void {
  const element = document.getElementById(section)
  const heard = presses
  for (const event of heard) {
    const { target } = event
    // What is still under way reaches the section anyway.
    if (event.eventPhase !== Event.NONE || performance.now() - event.timeStamp > PRESS_HOLDS_MS) continue
    if (
      !(target instanceof Element && element?.contains(target)) ||
      target.closest('a, summary, label, input, select')
    )
      continue
    presses = []
    target.dispatchEvent(
      event instanceof PointerEvent
        ? new PointerEvent(event.type, event)
        : new MouseEvent(event.type, { bubbles: true }),
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
