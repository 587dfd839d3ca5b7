import { CHUNK_FAILED, CHUNK_TIMEOUT_MS, SCRIPTS_BEGIN } from './loadChunk.ts'
import { SAME_FAILURE_MS } from './states/cacheBuster.ts'
import { RELOADS_KEY } from './takeVersion.ts'

const WORDS =
  'A part of this page could not be loaded, and loading it again did not help. What you see may not react. Check the connection, then load the page again.'

/**
 * Part of the early script, since it must work where no other script has come: a script or style sheet of the page that fails,
 * or that has not come in time since it was asked for, clears caches and loads the page again, once; the next time it says so. It decides as `cacheAfter`
 * does, and a test holds both to each other.
 */
export const chunkScript = `(function(w,d){function fail(){var n=Date.now(),r={};try{r=JSON.parse(sessionStorage.getItem('${RELOADS_KEY}'))||{};if(!(n-r.chunkAt<${SAME_FAILURE_MS})){r.chunkAt=n;sessionStorage.setItem('${RELOADS_KEY}',JSON.stringify(r));var go=function(){w.location.reload()};if(w.caches)caches.keys().then(function(k){return Promise.all(k.map(function(x){return caches.delete(x)}))}).then(go,go);else go();return}}catch(e){}tell()}function tell(){if(!d.body)return d.addEventListener('DOMContentLoaded',tell);if(d.getElementById('chunk-failed'))return;var p=d.createElement('div'),a=d.createElement('a');p.id='chunk-failed';p.setAttribute('role','alert');p.textContent=${JSON.stringify(WORDS)}+' ';a.href=w.location.href;a.textContent='Load again';p.append(a);d.body.append(p)}w.addEventListener('${CHUNK_FAILED}',fail);w.addEventListener('vite:preloadError',fail);w.addEventListener('error',function(e){var t=e.target;if(t&&(t.tagName==='SCRIPT'||t.tagName==='LINK'&&t.rel==='stylesheet'))fail()},true);w.addEventListener('${SCRIPTS_BEGIN}',function(){setTimeout(function(){if(!w.__reactRouterDataRouter)fail()},${CHUNK_TIMEOUT_MS})})})(window,document)`
