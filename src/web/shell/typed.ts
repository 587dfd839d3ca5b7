/** Attribute that keeps what a reader typed into a field before the scripts of the page had come. */
export const TYPED = 'typed'
/** Where the early script keeps the last click or search key until something listens; undefined from then on. */
export const PRESSED = 'pressedEarly'

/** Attribute of a form whose sending waits for the scripts of the page; set to `sent` once a reader has sent it. */
export const HELD = 'held'
/** Readers whose scripts do not come get what the server makes of the form, after so long. */
export const HELD_MS = 8_000

declare global {
  interface Window {
    [PRESSED]?: Event | null
  }
}

/** What was pressed last before the scripts of the page had come. It is told once. */
export function pressedEarly(): Event | undefined {
  const pressed = window[PRESSED] ?? undefined
  delete window[PRESSED]
  return pressed
}

/**
 * To be called once React listens on the document: it lets a click pass only where it heard it, so one that gets past it is not kept any longer.
 * A key is: what hears the keys of the search may begin to listen later than React.
 */
export function forgetHeardClicks(): void {
  window.addEventListener('click', event => {
    if (window[PRESSED] === event) window[PRESSED] = null
  })
}

/** Fields of a form, by name, with what was typed into them so far. */
export function typedInto(form: HTMLFormElement | null): Map<string, string> {
  const typed = new Map<string, string>()
  for (const field of form?.elements ?? []) {
    const name = field.getAttribute('name')
    const text = field instanceof HTMLElement ? field.dataset[TYPED] : undefined
    if (name !== null && text !== undefined) typed.set(name, text)
  }
  return typed
}

/** From now on the form sends itself. Returns whether a reader has sent it before. */
export function releaseForm(form: HTMLFormElement | null): boolean {
  const wasSent = form?.dataset[HELD] === 'sent'
  if (form) delete form.dataset[HELD]
  return wasSent
}
