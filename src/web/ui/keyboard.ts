const APPLE = 'apple'

/** Part of the early script: marks devices whose keyboards have ⌘. */
export const keyboardScript = `if(/^(Mac|iP)/.test(navigator.platform))document.documentElement.classList.add('${APPLE}')`

/** A shortcut as text, for a title. Only in the browser. */
export const shortcutText = (apple: string, other: string): string =>
  document.documentElement.classList.contains(APPLE) ? apple : other
