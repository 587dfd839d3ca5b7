/** What counts as a first step of a reader: from then on all drawings of the page come to life. */
const STEPS = ['pointerdown', 'pointermove', 'keydown', 'focusin', 'scroll', 'popstate'] as const

/** Of the page that the server has drawn: what is drawn at another address waits for nothing, or it would keep the new page back. */
const FIRST = typeof window === 'undefined' ? '' : window.location.href

const { promise: opened, resolve: open } = Promise.withResolvers<void>()
let isOpen = false
let isListening = false

/** A reader does something, or the page gets other figures. */
export function openGate(): void {
  isOpen = true
  open()
  for (const step of STEPS) window.removeEventListener(step, openGate, true)
}

/** Whether a step was taken before anything listened, while the page was still coming. */
const hasStepped = (): boolean =>
  window.scrollY > 0 || (document.activeElement !== null && document.activeElement !== document.body)

/**
 * Settled once a reader has taken a first step: until then the script of a section that the server has drawn would be fetched
 * for nothing. Undefined where nothing is to be waited for.
 */
export function needed(section: string): Promise<void> | undefined {
  if (!isOpen && (window.location.href !== FIRST || hasStepped())) openGate()
  if (isOpen || document.getElementById(section) === null) return undefined
  if (!isListening)
    for (const step of STEPS) window.addEventListener(step, openGate, { capture: true, passive: true })
  isListening = true
  return opened
}
