type Calm = {
  /** Figures that change when their publishers speak, by the hour and not by the block; text has none. */
  readonly hasFigures: boolean
}

/** `handle` of the module of a page of text: what it offers works without a script at first. */
export const TEXT: Calm = { hasFigures: false }
/** The same of a page whose figures change by the hour. */
export const CALM: Calm = { hasFigures: true }

/** What a page says of itself by its `handle`; undefined for one whose scripts begin at once. */
export const calmOf = (handle: unknown): Calm | undefined => [TEXT, CALM].find(each => each === handle)

/** A page loads and draws itself first; who only passes through opens nothing. */
export const OPEN_AFTER_MS = 3_000

/** What counts as a first step of a reader; browsers and helpers of readers fill in fields without entering them. */
export const STEPS = [
  'pointerdown',
  'pointermove',
  'keydown',
  'focusin',
  'input',
  'scroll',
  'popstate',
] as const

/** Set once a reader has taken a step on a page whose scripts waited for it. */
export const STEPPED = 'hasStepped'
/** Set when figures of a page whose scripts waited have changed meanwhile. */
export const NEWS = 'hasNews'
/** Holds the path whose visit was counted before the scripts of its page had come. */
export const COUNTED = 'countedEarly'

declare global {
  interface Window {
    [STEPPED]?: true
    [NEWS]?: true
    [COUNTED]?: string
  }
}
