import { ACCOUNT_KEYS } from '../people/account/accountAuth.ts'
import { WALLET_KEY } from '../people/peopleState.ts'
import { MOST_ACTIVITIES, PARTIAL_COOLDOWN_MS, TRACK_KEY } from '../people/states/visits.ts'
import { BOT } from '../people/visitLog.ts'
import { COUNTED, NEWS, OPEN_AFTER_MS, STEPPED, STEPS } from './calm.ts'
import { CHANGES } from './changesOf.ts'
import { PRESSED } from './typed.ts'

/**
 * Part of the early script, `(path, now) => boolean`: counts a visit as `visitsAfter` does, and no visit of a search engine. False, and
 * nothing is done, where there is more to decide than one visit more: a limit that is near, a cooldown, a record that cannot be read.
 */
export const countScript = `function(p,n){if(${BOT}.test(navigator.userAgent))return true;var t=localStorage.getItem('${TRACK_KEY}'),r=t===null?{activities:0,lastUpdated:n,lastUrl:''}:JSON.parse(t),a=r.activities;if(!(Number.isSafeInteger(a)&&a>=0&&a<${MOST_ACTIVITIES - 1}&&typeof r.lastUrl==='string'&&Number.isFinite(r.lastUpdated)&&n>=r.lastUpdated&&n-r.lastUpdated<${PARTIAL_COOLDOWN_MS}))return false;if(r.lastUrl!==p)localStorage.setItem('${TRACK_KEY}',JSON.stringify({activities:a+1,lastUpdated:n,lastUrl:p}));window.${COUNTED}=p;return true}`

/** Part of the early script, `(begin) => end`: listens for changes of the page’s figures until it is ended, as `useChanges` does. */
const newsScript = `function(begin){var w=window,d=document,s;function news(){w.${NEWS}=true;begin()}function sight(){if(!d.hidden)news();else if(s)s.close()}var t=setTimeout(function(){if(!d.hidden){s=new EventSource('${CHANGES}'+encodeURIComponent(w.location.pathname));s.addEventListener('change',news);s.addEventListener('availability',news)}},${OPEN_AFTER_MS});d.addEventListener('visibilitychange',sight);return function(){clearTimeout(t);if(s)s.close();d.removeEventListener('visibilitychange',sight)}}`

/**
 * Part of the early script, `(element, go) => void`: begins the scripts of the page, which `element` holds. On a calm page that nobody is
 * signed in on they begin with its reader’s first step, or when its figures change; elsewhere at once. `data-waits` says that they may wait,
 * and by the words `counts` and `news` whether the visit counts and whether there are figures.
 */
export const waitScript = `function(s,go){var w=window,d=document,o=${JSON.stringify(STEPS)},m=s.dataset.waits,end;function on(){o.forEach(function(n){w.removeEventListener(n,on,true)});if(end)end();w.${STEPPED}=true;go()}try{if(!m||w.${PRESSED}||d.documentElement.dataset.person||Object.keys(localStorage).some(function(k){return k==='${WALLET_KEY}'||k.startsWith('${ACCOUNT_KEYS}')})||w.scrollY>0||d.activeElement&&d.activeElement!==d.body||/counts/.test(m)&&!(${countScript})(w.location.pathname,Date.now()))return go()}catch(x){return go()}o.forEach(function(n){w.addEventListener(n,on,{capture:true,passive:true})});if(/news/.test(m))end=(${newsScript})(on)}`
