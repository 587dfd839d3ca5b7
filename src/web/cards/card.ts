/** All that stands on a card, as plain data: two cards that are equal look alike. */
export type Card = {
  readonly title: string
  /** One or two sentences, or what a chart counts in. */
  readonly lead: string
  /** Whose figures they are; absent where the title says it. */
  readonly of: string | undefined
  /** Name of the token of its series colour. */
  readonly colour: string
  /** At most three. */
  readonly figures: readonly CardFigure[]
  readonly drawing: CardDrawing | undefined
  /** How old the figures are. */
  readonly asOf: string | undefined
  readonly sources: readonly string[]
  /** Where it can be read, and opened to its SQL: without the scheme. */
  readonly address: string
}

export type CardFigure = {
  readonly label: string
  readonly number: string
  /** Its unit, where the label does not say it. */
  readonly tail: string
  /** Its day, and what is not whole about it. */
  readonly when: string
  readonly colour: string
  readonly spark: readonly (number | null)[]
}

/** A chart on a ground `width` px wide and `height` px high; places are px from its top left corner. */
export type CardDrawing = {
  readonly width: number
  readonly height: number
  /** Shapes as they were laid out, and by how much they are stretched. */
  readonly shapes: readonly CardShape[]
  readonly stretch: { readonly x: number; readonly y: number }
  readonly rules: { readonly xs: readonly number[]; readonly ys: readonly number[] }
  readonly dots: readonly {
    readonly x: number
    readonly y: number
    readonly radius: number
    readonly colour: string
    readonly isHollow: boolean
  }[]
  readonly texts: readonly CardText[]
  /** Words in the gutter at the left, and how wide it is. */
  readonly gutter: number
  readonly sides: readonly { readonly y: number; readonly text: string }[]
  readonly feet: readonly { readonly x: number; readonly text: string; readonly isLast: boolean }[]
  readonly legend: readonly CardLegend[]
}

export type CardShape = {
  readonly path: string
  /** Name of a colour token. */
  readonly colour: string
  readonly opacity: number
  /** Width of the pen, px; 0 fills the shape. */
  readonly pen: number
  /** SVG dash pattern, `none` for a whole line. */
  readonly dash: string
}

export type CardText = {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly anchor: 'start' | 'middle' | 'end'
  readonly colour: string
  readonly isStrong: boolean
}

export type CardLegend = {
  readonly label: string
  readonly value: string
  readonly colour: string
  readonly dash: string
}

/** Room for a drawing with its gutter, px. */
export const ROOM = { width: 1104, height: 244, plotGutter: 104, mostGutter: 240 } as const
