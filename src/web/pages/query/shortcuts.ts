import type { KeyboardEvent } from 'react'

/** What keys do in the editor and beside it. */
export type Shortcuts = Readonly<
  Record<'run' | 'runAll' | 'runAnew' | 'format' | 'save' | 'open', () => void>
> & {
  /** Undefined while nothing runs. */
  readonly cancel: (() => void) | undefined
}

/** Keys that have no sign of their own are named by their place: with Alt they write other signs on some keyboards. */
function actionOf({
  key,
  code,
  metaKey,
  ctrlKey,
  shiftKey,
  altKey,
}: KeyboardEvent): keyof Shortcuts | undefined {
  const hasMod = metaKey || ctrlKey
  if (key === 'Enter' && hasMod) return altKey ? 'runAnew' : shiftKey ? 'runAll' : 'run'
  if (key === 's' && hasMod && !shiftKey && !altKey) return 'save'
  if (key === 'Escape' && !hasMod && !shiftKey && !altKey) return 'cancel'
  if (!shiftKey || !altKey || hasMod) return undefined
  return code === 'KeyF' ? 'format' : code === 'KeyN' ? 'open' : undefined
}

/** Does what a key means, unless the editor took it: Escape closes its completions first. */
export function handleShortcut(event: KeyboardEvent, shortcuts: Shortcuts): void {
  if (event.defaultPrevented) return
  const action = actionOf(event)
  const act = action && shortcuts[action]
  if (act === undefined) return
  event.preventDefault()
  act()
}
