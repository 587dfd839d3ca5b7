import { z } from 'zod'

export const features = z
  .record(z.string(), z.boolean())
  .meta({ id: 'Features', description: 'The caller’s features beyond the public ones, by name.' })
export type Features = z.output<typeof features>
