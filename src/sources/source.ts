/** A publisher of figures, declared once; the warehouse keeps a row of it. */
export type SourceDeclaration = {
  readonly id: string
  readonly name: string
  readonly url: string
  /** As stated; `none stated` holds facts. */
  readonly licence: string
  /** Order of trust: a lower one wins a day. Blocks are 0, a node's statistics 1. */
  readonly rank: number
  /** Seconds between publications; null for a recording. */
  readonly cadenceSeconds: number | null
  /** What it holds and its known defects. */
  readonly about: string
}
