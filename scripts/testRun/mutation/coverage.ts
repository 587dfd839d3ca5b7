import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Range = { readonly startOffset: number; readonly endOffset: number; readonly count: number }
type Report = {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly ranges: readonly Range[] }[]
  }[]
}

/** Whether a place of a module ran, by the URL of the module and an offset in its text. */
export type Coverage = (url: string, offset: number) => boolean

/**
 * Reads a folder of V8 coverage (`NODE_V8_COVERAGE`), one file for each process and thread. Offsets are those of the TypeScript
 * text, since Node replaces types by as many spaces.
 */
export function readCoverage(folder: string, urls: ReadonlySet<string>): Coverage {
  const ranges = new Map<string, Range[][]>()
  for (const file of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Report
    for (const { url, functions } of result)
      if (urls.has(url))
        ranges.set(url, [...(ranges.get(url) ?? []), functions.flatMap(({ ranges: own }) => own)])
  }
  return (url, offset) => (ranges.get(url) ?? []).some(own => (innermost(own, offset)?.count ?? 0) > 0)
}

function innermost(ranges: readonly Range[], offset: number): Range | undefined {
  let found: Range | undefined
  for (const range of ranges) {
    if (offset < range.startOffset || offset >= range.endOffset) continue
    if (!found || range.endOffset - range.startOffset <= found.endOffset - found.startOffset) found = range
  }
  return found
}
