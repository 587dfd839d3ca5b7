import type { StacksExplorer } from '#explorer/index.ts'
import type { Series, SeriesQuery, StacksYieldDetail } from './contract.ts'

type YieldFull = Awaited<ReturnType<StacksExplorer['yield']>>

/** The yields of an address with the figure of each cycle beside them: the network’s, or where that is not known its pool’s. */
export async function withNetworkYields(
  { rows, ...rest }: YieldFull,
  series: (query: SeriesQuery) => Promise<Pick<Series, 'points'>>,
): Promise<Omit<StacksYieldDetail, 'asOf'>> {
  const pools = [...new Set(rows.flatMap(({ way, via }) => (way === 'pool' ? [via] : [])))]
  const entities = ['stacks', ...pools]
  const found = await Promise.all(
    entities.map(async entity => {
      const { points } = await series({ id: 'pox.yield', entity, breakdown: ['year'], figuresOnly: true })
      return [
        entity,
        new Map(points.map(({ day, value }) => [day, value === null ? null : Number(value)])),
      ] as const
    }),
  )
  const byEntity = new Map(found)
  return {
    ...rest,
    rows: rows.map(row => {
      // The network’s figure stands on the day on which the cycle ended, a pool’s on that on which it began.
      const of = (entity: string, day: string | null) =>
        day === null ? null : (byEntity.get(entity)?.get(day) ?? null)
      // Bonds are paid before those who stake STX: their measure is their own target.
      const network = row.way === 'bond' ? null : of('stacks', row.endDay)
      const pool = row.way === 'pool' && network === null ? of(row.via, row.startDay) : null
      return {
        ...row,
        networkYear: network ?? pool,
        networkOf: network !== null ? 'pox.yield@stacks' : pool !== null ? `pox.yield@${row.via}` : null,
      }
    }),
  }
}
