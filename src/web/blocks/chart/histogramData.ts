import type { AsOf, SourceRef } from '#http/contract.ts'

/** Counts of values between edges: one edge more than counts. */
export type Bins = { edges: number[]; counts: number[] }

/** How values of a range are spread; counted on the server, so that thousands of them need not travel. */
export type HistogramData = {
  linear: Bins
  /** Of the values above zero, where most are; how many are not. */
  log?: Bins & { left: number }
  /** How many values were counted. */
  count: number
  median: number
  mean: number
  /** First and last day of the values. */
  from: string
  to: string
  unit: string
  /** Name of a colour token without the dashes. */
  colour: string
  label: string
  assay: string
  asOf: AsOf
  sources: Pick<SourceRef, 'id' | 'name'>[]
}
