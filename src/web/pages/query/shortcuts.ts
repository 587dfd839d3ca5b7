import type { KeyboardEvent } from 'react'

/** Actions of keyboard shortcuts. */
export type Shortcuts = Readonly<
  Record<'run' | 'runAll' | 'runAnew' | 'format' | 'save' | 'open', () => void>
> & {
  /** Undefined unless a query is running. */
  readonly cancel: (() => void) | undefined
}

/** Letters with Alt are matched by their physical key, because Alt changes the character on some keyboards. */
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

/** Runs the action of a key unless the editor handled it. Escape closes completions first. */
export function handleShortcut(event: KeyboardEvent, shortcuts: Shortcuts): void {
  if (event.defaultPrevented) return
  const action = actionOf(event)
  const act = action && shortcuts[action]
  if (act === undefined) return
  event.preventDefault()
  act()
}
