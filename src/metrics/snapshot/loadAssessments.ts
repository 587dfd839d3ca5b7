import type { Catalog } from '#catalog/index.ts'
import { assessmentFigures, assessments } from '#sources/assessments.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { observations, sources } from '#warehouse/tables/observations.ts'
import { ask } from '../ask.ts'
import { sourceRow } from './sourceRow.ts'

/**
 * Brings the grades of the catalogue's assessments in: those that are not held as they stand. A grade corrected in its file
 * is a further row, and the old one stays. Returns how many were new.
 */
export async function loadAssessments(warehouse: Warehouse, catalog: Catalog): Promise<number> {
  const figures = assessmentFigures(catalog)
  const held = await ask<{ key: string; day: string; value: number }>(
    warehouse.reader,
    `SELECT concat(metric, ' ', entity, ' ', toString(day)) AS key, toString(day) AS day, value
FROM latest_observations
WHERE source = {source:String}`,
    { source: assessments.id },
  )
  const grades = new Map(held.map(({ key, value }) => [key, Number(value)]))
  const fresh = figures.filter(
    ({ metric, entity, day, value }) => grades.get(`${metric} ${entity} ${day}`) !== value,
  )
  if (fresh.length === 0) return 0
  const observedAt = Math.floor(Date.now() / 1000)
  await warehouse.insertRows(
    observations,
    fresh.map(({ metric, entity, day, value }) => ({
      metric,
      entity,
      breakdown: '',
      day,
      amount: null,
      value: value ?? null,
      source: assessments.id,
      observedAt,
    })),
  )
  // A smaller catalogue takes nothing back: the source is as old as the newest grade that is held of it.
  const days = [...figures, ...held].map(({ day }) => Date.parse(day) / 1000)
  await warehouse.insertRows(sources, [sourceRow(assessments, Math.max(...days))])
  return fresh.length
}
