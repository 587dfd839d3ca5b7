import { z } from 'zod'

export const features = z
  .record(z.string(), z.boolean())
  .meta({ id: 'Features', description: 'What the asker may use beyond what is open to all, by name.' })
export type Features = z.output<typeof features>
