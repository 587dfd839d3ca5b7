import type { SourceDeclaration } from '#sources/source.ts'
import type { Source } from '#warehouse/tables/observations.ts'

/** A declared source as the warehouse keeps it. */
export const sourceRow = (source: SourceDeclaration, recordedAt: number | null): Source => ({
  id: source.id,
  name: source.name,
  url: source.url,
  licence: source.licence,
  rank: BigInt(source.rank),
  cadenceSeconds: source.cadenceSeconds === null ? null : BigInt(source.cadenceSeconds),
  recordedAt,
  about: source.about,
})
