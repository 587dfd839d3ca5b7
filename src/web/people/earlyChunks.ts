import { CHUNK_ERROR, CHUNK_FAILED, CHUNK_TIMEOUT_MS, CSS_CHUNK_ERROR, SCRIPTS_BEGIN } from './loadChunk.ts'
import { SAME_FAILURE_MS } from './states/cacheBuster.ts'
import { RELOADS_KEY } from './takeVersion.ts'

const WORDS =
  'A part of this page could not be loaded, and loading it again did not help. What you see may not react. Check the connection, then load the page again.'

/** Where no style sheet puts the words in sight. */
const BARE = 'position:fixed;bottom:0;background:Canvas'

/**
 * Part of the early script, since it must work where no other script has come: a script or style sheet of the page that fails,
 * or that has not come in time since it was asked for, clears caches and loads the page again, once; the next time it says so, by the name of
 * the failure too. A sheet that does not come is given up, since nothing is painted before it. It decides as `cacheAfter` does, and a test holds
 * both to each other.
 */
export const chunkScript = `(function(w,d){var on;function fail(c){if(on)return on;var n=Date.now(),r={};try{r=JSON.parse(sessionStorage.getItem('${RELOADS_KEY}'))||{};if(!(n-r.chunkAt<${SAME_FAILURE_MS})){r.chunkAt=n;sessionStorage.setItem('${RELOADS_KEY}',JSON.stringify(r));var go=function(){w.location.reload()};on=1;if(w.caches)caches.keys().then(function(k){return Promise.all(k.map(function(x){return caches.delete(x)}))}).then(go,go);else go();return on}}catch(e){}tell(c)}function tell(c){if(!d.body)return d.addEventListener('DOMContentLoaded',function(){tell(c)});if(d.getElementById('chunk-failed'))return;var p=d.createElement('div'),a=d.createElement('a');p.id='chunk-failed';p.setAttribute('role','alert');p.textContent=${JSON.stringify(WORDS)}+' ('+c+') ';a.href=w.location.href;a.textContent='Load again';p.append(a);if(c==='${CSS_CHUNK_ERROR}')p.style.cssText='${BARE}';d.body.append(p)}w.addEventListener('${CHUNK_FAILED}',function(e){if(fail('${CHUNK_ERROR}'))e.preventDefault()});w.addEventListener('error',function(e){var t=e.target;if(t.tagName==='SCRIPT')fail('${CHUNK_ERROR}');if(t.rel==='stylesheet')fail('${CSS_CHUNK_ERROR}')},true);w.addEventListener('${SCRIPTS_BEGIN}',function(){setTimeout(function(){if(!w.__reactRouterDataRouter)fail('${CHUNK_ERROR}')},${CHUNK_TIMEOUT_MS})});setTimeout(function(){d.querySelectorAll('link[rel=stylesheet]').forEach(function(l){if(!l.sheet){l.disabled=true;fail('${CSS_CHUNK_ERROR}')}})},${CHUNK_TIMEOUT_MS})})(window,document)`
