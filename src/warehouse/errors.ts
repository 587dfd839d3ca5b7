import { AssayError } from '#kernel/errors.ts'

/** What goes wrong in the warehouse; `code` is `warehouse.…`. Errors of SQL itself stay `ClickHouseError` of the client. */
export class WarehouseError extends AssayError {}
