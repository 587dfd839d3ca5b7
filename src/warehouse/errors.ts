import { ClickHouseError } from '@clickhouse/client'
import { AssayError } from '#kernel/errors.ts'

/** What goes wrong in the warehouse; `code` is `warehouse.…`. Errors of SQL itself stay `ClickHouseError` of the client. */
export class WarehouseError extends AssayError {}

/** Whether a statement was refused because all that run together need more memory than the engine may take: it may well run in a moment. */
export const isEngineFull = (thrown: unknown): boolean =>
  thrown instanceof ClickHouseError &&
  thrown.type === 'MEMORY_LIMIT_EXCEEDED' &&
  thrown.message.includes('(total)')
