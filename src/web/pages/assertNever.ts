/** Ends a `switch` over a closed set in the pages: the types exclude every value that could come here. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value ${String(value)}`)
}
