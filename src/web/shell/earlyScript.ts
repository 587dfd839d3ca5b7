import { themeScript } from './theme.ts'

/** Attribute that keeps what a reader typed into a field before the scripts of the page had come. */
const TYPED = 'typed'

/** `rel` of the links and `type` of the script that wait for the first paint. */
export const LATER = 'later'

/** A frame is drawn only once the style sheet is there; what is set to run after it runs after the first paint. */
const afterPaint = `(function(d){function go(){d.querySelectorAll('link[rel=${LATER}]').forEach(function(l){l.rel='modulepreload'});var s=d.querySelector('script[type=${LATER}]');if(s){var n=d.createElement('script');n.type='module';n.nonce=s.nonce;n.text=s.text;s.replaceWith(n)}}requestAnimationFrame(function(){setTimeout(function(){if(d.readyState==='loading')d.addEventListener('DOMContentLoaded',go);else go()})})})(document)`

/**
 * Stands in the head of every page, word for word: sets the theme, marks that scripts run, keeps what is typed, since
 * hydration sets fields back to what the server drew, and lets the other scripts come after the first paint.
 */
export const earlyScript = `${themeScript};(function(d){d.classList.add('js');d.addEventListener('input',function(e){e.target.dataset.${TYPED}=e.target.value},true)})(document.documentElement);${afterPaint}`

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
