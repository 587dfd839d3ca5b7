/** What counts as a first step of a reader: from then on all drawings of the page come to life. */
const STEPS = [
  'pointerdown',
  'pointermove',
  'keydown',
  'focusin',
  'touchstart',
  'wheel',
  'scroll',
  'popstate',
] as const

type Gate = { readonly opened: Promise<void>; readonly open: () => void }

/** Of the page that the server has drawn: what is drawn at another address waits for nothing, or it would keep the new page back. */
const FIRST = typeof window === 'undefined' ? '' : window.location.href

const gates = new Map<string, Gate>()
let isOpen = false
let isListening = false

/** Opens all gates: a reader does something, or the page gets other figures. */
export function openGates(): void {
  isOpen = true
  for (const { open } of gates.values()) open()
  for (const step of STEPS) window.removeEventListener(step, openGates, true)
}

/**
 * Settled once the drawing of a section that the server has drawn is in sight, or a reader has taken a first step: until then
 * its script would be fetched for nothing. Undefined where nothing is to be waited for.
 */
export function needed(section: string): Promise<void> | undefined {
  if (!isOpen && window.location.href !== FIRST) openGates()
  const known = gates.get(section)
  if (known !== undefined) return known.opened
  const drawn = isOpen ? null : document.getElementById(section)
  if (drawn === null) return undefined
  const { promise: opened, resolve } = Promise.withResolvers<void>()
  const sight = new IntersectionObserver(entries => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) open()
  })
  const open = () => {
    sight.disconnect()
    resolve()
  }
  gates.set(section, { opened, open })
  sight.observe(drawn)
  if (!isListening)
    for (const step of STEPS) window.addEventListener(step, openGates, { capture: true, passive: true })
  isListening = true
  return opened
}
