/** One line of a tree as it is drawn. Lines come in the order of the screen. */
export type TreeLine = {
  readonly key: string
  /** From 1. */
  readonly level: number
  /** Undefined for a line that cannot be opened. */
  readonly isOpen?: boolean | undefined
  readonly name: string
}

export type TreeMove =
  | { readonly type: 'focus'; readonly key: string }
  | { readonly type: 'open' | 'close'; readonly key: string }

/** What a key does on a line, by the practices for trees of WAI-ARIA; undefined: the browser acts. */
export function treeMove(lines: readonly TreeLine[], at: number, key: string): TreeMove | undefined {
  const line = lines[at]
  if (line === undefined) return undefined
  const focus = (to: TreeLine | undefined): TreeMove | undefined => to && { type: 'focus', key: to.key }
  switch (key) {
    case 'ArrowDown':
      return focus(lines[at + 1])
    case 'ArrowUp':
      return focus(lines[at - 1])
    case 'Home':
      return focus(lines[0])
    case 'End':
      return focus(lines.at(-1))
    case 'ArrowRight':
      if (line.isOpen === undefined) return undefined
      if (!line.isOpen) return { type: 'open', key: line.key }
      return focus(lines[at + 1])
    case 'ArrowLeft':
      if (line.isOpen) return { type: 'close', key: line.key }
      return focus(lines.slice(0, at).findLast(({ level }) => level < line.level))
    default: {
      if (key.length !== 1 || key === ' ') return undefined
      const letter = key.toLowerCase()
      const rest = [...lines.slice(at + 1), ...lines.slice(0, at)]
      return focus(rest.find(({ name }) => name.toLowerCase().startsWith(letter)))
    }
  }
}
