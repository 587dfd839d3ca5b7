import type { ReactNode } from 'react'

/** One state of a block: its name, and the block drawn by its own component with made figures. */
export type BookState = {
  name: string
  draw: () => ReactNode
  /** Query of the address at which it stands: blocks keep their state there. */
  at?: string
  /** What its loader threw, for blocks that are drawn in place of a page. */
  thrown?: unknown
  /**
   * What a reader does before the picture is taken: opens a menu, points at a day. Returns true where that has been done
   * already, and is asked until it does: what it needs may not be drawn yet, or be drawn anew.
   */
  step?: (stage: HTMLElement) => boolean
  /** Least height of its stage, px, where something opens over the block and beyond its end. */
  room?: number
}

/** A step that opens the `<details>` around a summary. */
export const opensDetails =
  (summary: string) =>
  (stage: HTMLElement): boolean => {
    const details = stage.querySelector(summary)?.closest('details')
    if (!details) return false
    const wasOpen = details.open
    // Of one name a page has one open.
    details.removeAttribute('name')
    details.open = true
    return wasOpen
  }

/** A block with all its states, one below the other; the name is that of its pictures. */
export type BookPage = {
  name: string
  title: string
  /** File of the component, from the root of the project. */
  component: string
  /** Fills the window by itself, such as a sheet: its picture is that of the window. */
  isWindow?: true
  /** Its states stand side by side where there is room, as charts do on a page. */
  isPaired?: true
  states: readonly BookState[]
}
