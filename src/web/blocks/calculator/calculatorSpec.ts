/** A calculation that a reader may repeat with figures of their own, as data. */
export type CalculatorSpec = {
  /** Key in the address. */
  id: string
  title: string
  note?: string
  inputs: readonly InputSpec[]
  results: readonly ResultSpec[]
}

export type InputSpec = {
  /** Its name in the formulas and in the address. */
  key: string
  label: string
  unit: string
  /** Stands there first: a number, or the newest figure of a metric. */
  first: number | { metric: string; entity: string }
  least: number
  most: number
}

export type ResultSpec = {
  label: string
  unit: string
  /** Over the keys of the inputs: `size * rate`. */
  formula: string
}

/** The same with the figures that it starts from. */
export type LoadedCalculator = CalculatorSpec & { first: Record<string, FirstValue> }

/** What an input starts from; a figure says of which day it is and opens its assay view. */
export type FirstValue = { value: number | null; assay?: string; day?: string }

/** What a reader typed, or why it cannot be taken. */
export type Entered = { text: string; value?: number; fault?: string }

/** Reads an input: the address before the first value. */
export function readInput(input: InputSpec, first: FirstValue | undefined, text: string | null): Entered {
  if (text === null) {
    const value = first?.value ?? null
    return value === null
      ? { text: '', fault: `No data yet for ${input.label}. Enter a value.` }
      : { text: String(value), value }
  }
  const value = Number(text.trim().replaceAll(/[,\s\u202f]/g, ''))
  if (text.trim() === '' || !Number.isFinite(value))
    return { text, fault: `${input.label} must be a number, such as 12.5.` }
  if (value < input.least || value > input.most)
    return { text, fault: `${input.label} must be between ${input.least} and ${input.most} ${input.unit}.` }
  return { text, value }
}
