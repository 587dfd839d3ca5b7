import type { CalculatorSpec, FirstValue, LoadedCalculator } from '../calculator/calculatorSpec.ts'
import type { FigureReader } from './figureReader.server.ts'

/** A calculation with the newest figures that it starts from; one that cannot be had is left for the reader to type. */
export async function loadCalculator(reader: FigureReader, spec: CalculatorSpec): Promise<LoadedCalculator> {
  const first = await Promise.all(
    spec.inputs.map(async (input): Promise<[string, FirstValue]> => {
      if (typeof input.first === 'number') return [input.key, { value: input.first }]
      const subject = input.first
      const figure = (await reader.entry(subject)) && (await reader.figure(subject).catch(() => undefined))
      const value = figure?.point?.value ?? null
      if (value === null || !figure?.point) return [input.key, { value: null }]
      const { day } = figure.point
      return [
        input.key,
        {
          value: Number(Number(value).toPrecision(6)),
          assay: `${subject.metric}@${subject.entity}`,
          day,
        },
      ]
    }),
  )
  return { ...spec, first: Object.fromEntries(first) }
}
