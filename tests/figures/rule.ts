import type { Point } from '#http/contract.ts'
import type { TestSite } from '#http/testing.ts'
import type { Found, PageParts } from './pageParts.ts'

/** What is wrong with a figure, and where. */
export type Fault = { readonly address: string; readonly path: string; readonly problem: string }

/** What a rule may ask besides the pages: the API that they were read from, and points of a metric's statement. */
export type RuleContext = {
  readonly api: ReturnType<TestSite['apiFor']>
  /** The day on which the pages were read. */
  readonly today: string
  readonly rows: (
    sql: string,
    parameters: Readonly<Record<string, string>>,
  ) => Promise<Pick<Point, 'day' | 'key' | 'value' | 'state' | 'source'>[]>
}

/**
 * A rule that every page has to keep, one file each in `rules/`. It gets all pages at once, since some compare pages.
 * A rule is no list of pages: it holds for pages that do not exist yet.
 */
export type Rule = {
  /** Completes "every page …": `shows no share of a fragment`. */
  readonly name: string
  check(pages: readonly PageParts[], context: RuleContext): Fault[] | Promise<Fault[]>
}

export const faultAt = ({ address, path }: Found<unknown>, problem: string): Fault => ({
  address,
  path,
  problem,
})

export const faultText = ({ address, path, problem }: Fault): string => `${address} ${path}: ${problem}`
