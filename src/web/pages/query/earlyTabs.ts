/** Where the editor keeps its tabs. */
export const TABS_KEY = 'query-tabs'
/** Where the names of stored tabs are drawn until the page comes to life. */
export const EARLY_TABS = 'query-tabs-early'
/** Id of the editor, whichever stands there. */
export const EDITOR = 'query-sql'

/**
 * Part of the page as the server sends it: shows the names of stored tabs and the text of the one in front, which the server
 * cannot know. The field remembers in `data-front` whose text it shows.
 */
export const earlyTabsScript = `(function(d){try{var t=JSON.parse(localStorage.getItem('${TABS_KEY}')),q=new URLSearchParams(location.search),id=q.get('id'),sql=q.get('sql'),hash=q.get('result'),place=d.getElementById('${EARLY_TABS}'),field=d.getElementById('${EDITOR}'),drawn=place.nextElementSibling,other=id!==null||sql!==null||hash!==null||q.has('example');var front=t.tabs.find(function(x){return id!==null?x.saved&&x.saved.id===id:hash!==null?x.result===hash:sql!==null?x.sql===sql:other?false:x.id===t.current});if(!other&&!front)front=t.tabs[0];var list=drawn.cloneNode(false),item=drawn.firstElementChild;t.tabs.concat(front?[]:[null]).forEach(function(x){var c=x?item.cloneNode(true):item.cloneNode(true),b=c.querySelector('button');b.removeAttribute('id');if(x){b.lastElementChild.textContent=x.name;b.title=x.name}if(x!==(front||null)){c.removeAttribute('data-current');b.removeAttribute('aria-current')}list.append(c)});place.append(list);if(front&&field.dataset.typed===undefined){field.value=front.sql;field.dataset.front=front.id}}catch(e){}})(document)`
