import type { ReactNode } from 'react'

/** One state of a block: its name, and the block drawn by its own component with made figures. */
export type BookState = {
  name: string
  draw: () => ReactNode
  /** Query of the address at which it stands: blocks keep their state there. */
  at?: string
  /** What its loader threw, for blocks that are drawn in place of a page. */
  thrown?: unknown
  /** What a reader does before the picture is taken: opens a menu, points at a day. */
  step?: (stage: HTMLElement) => void
  /** Least height of its stage, px, where something opens over the block and beyond its end. */
  room?: number
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
