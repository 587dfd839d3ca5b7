import { z } from 'zod'

/** Data of an event `availability` in the stream of changes. */
export const availabilityEvent = z
  .strictObject({
    isUp: z.boolean().describe('whether the data engine answers'),
    asOf: z.iso
      .datetime()
      .nullable()
      .describe('until when open pages were current; null while the engine answers'),
  })
  .describe('data of each event `availability`: the data engine went away or is back')

export type AvailabilityEvent = z.infer<typeof availabilityEvent>
