import type { Warehouse } from './warehouse.ts'

/** The answer to a statement that the writer sends past the gate and the limits of other roles, or the error, after `failed: `. */
export async function runRaw({ writer }: Pick<Warehouse, 'writer'>, query: string): Promise<string> {
  try {
    const { stream } = await writer.exec({ query })
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part as Buffer)
    return Buffer.concat(parts).toString()
  } catch (cause) {
    return `failed: ${(cause as Error).message}`
  }
}
