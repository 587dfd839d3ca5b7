import { randomBytes } from 'node:crypto'

/** Counts the statements that may have changed rows. */
export type ChangeCount = {
  /** A text that differs after each change, and from that of every other engine process. */
  mark(): string
  /** Call once the statement is over, however it ended: what it wrote shows by then. */
  addStatement(sql: string): void
}

export function createChangeCount(): ChangeCount {
  const engine = randomBytes(8).toString('hex')
  let count = 0
  return {
    mark: () => `${engine} ${count}`,
    addStatement(sql) {
      if (!/^\s*SELECT\b/i.test(sql)) count++
    },
  }
}
