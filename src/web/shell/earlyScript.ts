import { adScript } from '../people/ad/adWindow.ts'
import { chunkScript } from '../people/earlyChunks.ts'
import { hintScript } from '../people/hint.ts'
import { SCRIPTS_BEGIN } from '../people/loadChunk.ts'
import { keyboardScript } from '../ui/keyboard.ts'
import { FIND, searchKeyScript } from './searchKey.ts'
import { themeScript } from './theme.ts'
import { HELD, HELD_MS, PRESSED, TYPED } from './typed.ts'
import { waitScript } from './waitScript.ts'

/** `rel` of the links and `type` of the script that wait for the first paint. */
export const LATER = 'later'

/** A frame is drawn only once the style sheet is there; what is set to run after it runs after the first paint. */
const afterPaint = `(function(d){function held(){return d.querySelector('script[type=${LATER}]')}function go(){d.querySelectorAll('link[rel=${LATER}]').forEach(function(l){l.rel='modulepreload'});var s=held();if(s){var n=d.createElement('script');n.type='module';n.nonce=s.nonce;n.text=s.text;s.replaceWith(n);window.dispatchEvent(new Event('${SCRIPTS_BEGIN}'))}}function begin(){var s=held();if(s)(${waitScript})(s,go)}requestAnimationFrame(function(){setTimeout(function(){if(d.readyState==='loading')d.addEventListener('DOMContentLoaded',begin);else begin()})})})(document)`

/**
 * Keeps what is typed and pressed until the scripts have come: hydration sets fields back to what the server drew, and buttons hear nothing before
 * it. It listens before React, which lets nothing pass to a page that it has begun to take over.
 */
const keepInput = `(function(w){w.addEventListener('input',function(e){e.target.dataset.${TYPED}=e.target.value},true);w.${PRESSED}=null;function keep(e){if(w.${PRESSED}!==undefined)w.${PRESSED}=e}w.addEventListener('click',keep,true);w.addEventListener('keydown',function(e){if(w.${PRESSED}!==undefined&&document.getElementById('${FIND}')&&(${searchKeyScript})(e)){e.preventDefault();keep(e)}},true);w.addEventListener('submit',function(e){var f=e.target;if(f.dataset.${HELD}===undefined)return;e.preventDefault();f.dataset.${HELD}='sent';setTimeout(function(){if(f.dataset.${HELD}!==undefined)f.submit()},${HELD_MS})},true)})(window)`

/**
 * Stands in the head of every page, word for word: sets the theme and whose bar is shown, watches for parts that do not come, marks that scripts
 * run, keeps what is typed and pressed, and lets the other scripts come after the first paint, or with the first step on a page of text.
 */
export const earlyScript = `${themeScript};${hintScript};${adScript};${chunkScript};document.documentElement.classList.add('js');${keyboardScript};${keepInput};${afterPaint}`
