/** What the parent tells the process of the store, as JSON on its standard input. */
export type EngineStart = {
  readonly folder: string
  /** How long it stays after the last connection has ended. */
  readonly graceMs: number
}

/** Where a running store is found; kept in `endpoint.json`, which its owner alone may read. */
export type Endpoint = { readonly port: number; readonly pid: number; readonly token: string }

/** In the folder: the number of the process that holds it, written before it can be reached. */
export const HOLDER_FILE = 'holder'
