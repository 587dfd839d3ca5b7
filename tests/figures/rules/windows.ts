import type { Found, PageParts } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

const HOUR_MS = 3_600_000

/** What is said of the blocks of a window. */
type Window = {
  readonly from: string
  readonly isWhole: boolean
  readonly since?: string
  readonly isSinceGenesis?: boolean
  readonly indexedHours: number | null
  readonly asOf?: { readonly time: string }
}

/** A window is whole where every block of it is indexed: the newest day or hour of one is not over, so it is shorter than its name. */
export const windows: Rule = {
  name: 'calls a window partial only where blocks of it are missing',
  check: (pages): Fault[] => pages.flatMap(windowsOf).flatMap(faultsOf),
}

function windowsOf({ address, data }: PageParts): Found<Window>[] {
  const found: Found<Window>[] = []
  const walk = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return
    if (typeof (part as Window).isWhole === 'boolean' && typeof (part as Window).from === 'string')
      found.push({ address, path, part: part as Window })
    for (const [key, value] of Object.entries(part)) walk(value, `${path}/${key}`)
  }
  walk(data, '')
  return found
}

function faultsOf(found: Found<Window>): Fault[] {
  const { from, isWhole, isSinceGenesis, since, indexedHours, asOf } = found.part
  const fromMs = Date.parse(from)
  const isCovered =
    isSinceGenesis === true || indexedHours === null
      ? true
      : since !== undefined
        ? Date.parse(since) <= fromMs
        : asOf && covers(indexedHours, Date.parse(asOf.time) - fromMs)
  return isCovered === undefined || isCovered === isWhole
    ? []
    : [
        faultAt(
          found,
          `is ${isWhole ? '' : 'not '}whole from ${from}, and is ${isWhole ? 'not ' : ''}covered`,
        ),
      ]
}

/** Whether the indexed hours, which are whole ones, reach back so far; undefined where the last hour may decide. */
const covers = (indexedHours: number, neededMs: number): boolean | undefined =>
  indexedHours * HOUR_MS >= neededMs ? true : (indexedHours + 1) * HOUR_MS <= neededMs ? false : undefined
