import { AssayError } from '#kernel/errors.ts'

/** What goes wrong in the warehouse; `code` is `warehouse.…`. Errors of SQL itself stay `ClickHouseError` of the client. */
export class WarehouseError extends AssayError {}

/** Whether the embedded engine was lost or is away: the same work may succeed once it is back. */
export const isEngineAway = (thrown: unknown): boolean =>
  thrown instanceof WarehouseError &&
  (thrown.code === 'warehouse.engine_lost' || thrown.code === 'warehouse.engine_gone')
