/** What one statement of people's SQL may take: seconds, bytes of memory, rows of the answer. The engine holds it, out of reach of SQL. */
export type SqlLimits = { readonly seconds: number; readonly memoryBytes: number; readonly rows: number }

const GIB = 2 ** 30

/** `guest`: whoever asks. `member`: who was given more. A small server may have less memory to give than this. */
export const SQL_LIMITS = {
  guest: { seconds: 10, memoryBytes: GIB, rows: 10_000 },
  member: { seconds: 60, memoryBytes: 4 * GIB, rows: 1_000_000 },
} as const satisfies Record<string, SqlLimits>
