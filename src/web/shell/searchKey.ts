/** Id of the field of the bar’s search. Pages without the bar, such as charts in frames, leave its keys to the browser. */
export const FIND = 'find'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Whether a key leads to the bar’s search: ⌘K, Ctrl+K, or `/` outside of fields. */
export const isSearchKey = (event: KeyboardEvent): boolean =>
  (event.key === 'k' && (event.metaKey || event.ctrlKey)) || (event.key === '/' && !isTyping(event.target))

/** The same as part of the early script. */
export const searchKeyScript = `function(e){var t=e.target;return e.key==='k'&&(e.metaKey||e.ctrlKey)||e.key==='/'&&!(t.isContentEditable||/^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName))}`
