import { parseCsv, scaled } from '#sources/csv.ts'
import {
  treasuryEvents,
  treasuryGovernments,
  treasuryList,
  treasuryShares,
  treasuryStatements,
} from '#sources/recorded/treasuries.ts'
import type { Recording } from '#sources/recording.ts'
import type { Warehouse } from '#warehouse/index.ts'
import {
  shareCloses,
  treasuryEventsTable,
  treasuryListTable,
  treasuryStatementsTable,
} from '#warehouse/tables/treasuries.ts'
import type { Records } from './insertRecords.ts'

const recordedAtOf = ({ recordedOn }: Recording): number => Date.parse(`${recordedOn}T00:00:00Z`) / 1000
const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text))

/** Rows about holders of bitcoin, by source. A grade or kind that the table does not have is refused by its encoder. */
export const TREASURY_RECORDS: Readonly<Record<string, Records>> = {
  [treasuryStatements.id]: { table: treasuryStatementsTable, insert: insertStatements },
  [treasuryGovernments.id]: { table: treasuryStatementsTable, insert: insertGovernments },
  [treasuryEvents.id]: { table: treasuryEventsTable, insert: insertEvents },
  [treasuryShares.id]: { table: shareCloses, insert: insertCloses },
  [treasuryList.id]: { table: treasuryListTable, insert: insertList },
}

function insertStatements(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = treasuryStatements
  const columns = [
    'entity',
    'day',
    'held_sat',
    'shares',
    'debt_usd',
    'preferred_usd',
    'cash_usd',
    'grade',
    'ref',
    'said',
  ] as const
  const recordedAt = recordedAtOf(treasuryStatements)
  return warehouse.insertRows(
    treasuryStatementsTable,
    parseCsv(text, columns, file).map((row, position) => ({
      entity: row.entity,
      day: row.day,
      heldSat: scaled(row.held_sat, 0, file),
      shares: scaled(row.shares, 0, file),
      debtUsd: scaled(row.debt_usd, 0, file),
      preferredUsd: scaled(row.preferred_usd, 0, file),
      cashUsd: scaled(row.cash_usd, 0, file),
      grade: row.grade as 'B',
      ref: row.ref,
      said: row.said,
      position,
      source,
      recordedAt,
    })),
  )
}

function insertGovernments(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = treasuryGovernments
  const recordedAt = recordedAtOf(treasuryGovernments)
  return warehouse.insertRows(
    treasuryStatementsTable,
    parseCsv(text, ['entity', 'day', 'held_sat', 'grade', 'ref'], file).map((row, position) => ({
      entity: row.entity,
      day: row.day,
      heldSat: scaled(row.held_sat, 0, file),
      shares: null,
      debtUsd: null,
      preferredUsd: null,
      cashUsd: null,
      grade: row.grade as 'D',
      ref: row.ref,
      said: '',
      position,
      source,
      recordedAt,
    })),
  )
}

function insertEvents(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = treasuryEvents
  const columns = [
    'entity',
    'day',
    'kind',
    'delta_sat',
    'cost_usd',
    'price_usd',
    'after_sat',
    'grade',
    'ref',
    'list',
  ] as const
  const recordedAt = recordedAtOf(treasuryEvents)
  return warehouse.insertRows(
    treasuryEventsTable,
    parseCsv(text, columns, file).map((row, position) => ({
      entity: row.entity,
      day: row.day,
      kind: row.kind as 'purchase',
      deltaSat: scaled(row.delta_sat, 0, file) ?? 0n,
      costUsd: scaled(row.cost_usd, 0, file),
      priceUsd: numberOrNull(row.price_usd),
      afterSat: scaled(row.after_sat, 0, file),
      grade: row.grade as 'B',
      ref: row.ref,
      list: row.list,
      position,
      source,
      recordedAt,
    })),
  )
}

function insertCloses(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = treasuryShares
  return warehouse.insertRows(
    shareCloses,
    parseCsv(text, ['entity', 'day', 'close', 'currency'], file).map(({ entity, day, close, currency }) => ({
      entity,
      day,
      close: Number(close),
      currency,
      source,
    })),
  )
}

function insertList(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = treasuryList
  const columns = [
    'rank',
    'country',
    'name',
    'held_sat',
    'value_usd',
    'cap_usd',
    'enterprise_usd',
    'cost_usd',
  ] as const
  return warehouse.insertRows(
    treasuryListTable,
    parseCsv(text, columns, file).map(row => ({
      place: Number(row.rank),
      country: row.country,
      name: row.name,
      heldSat: scaled(row.held_sat, 0, file) ?? 0n,
      valueUsd: scaled(row.value_usd, 0, file),
      capUsd: scaled(row.cap_usd, 0, file),
      enterpriseUsd: scaled(row.enterprise_usd, 0, file),
      costUsd: scaled(row.cost_usd, 0, file),
      source,
    })),
  )
}
