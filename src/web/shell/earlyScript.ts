import { themeScript } from './theme.ts'

/** Attribute that keeps what a reader typed into a field before the scripts of the page had come. */
const TYPED = 'typed'

/**
 * Stands in the head of every page, word for word: sets the theme, marks that scripts run, and keeps what is typed, since
 * hydration sets fields back to what the server drew.
 */
export const earlyScript = `${themeScript};(function(d){d.classList.add('js');d.addEventListener('input',function(e){e.target.dataset.${TYPED}=e.target.value},true)})(document.documentElement)`

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
