import type { Found, Mark, PageParts } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

/** A mark without an age says nothing of how old a page is, also where the page has no key figure. */
export const marks: Rule = {
  name: 'marks its age by the calendar',
  check: pages =>
    pages.flatMap(page =>
      page.marks
        .filter(({ part }) => part.state === 'recorded')
        .map(found => faultAt(found, 'has a mark without an age')),
    ),
}

/** The newest block that figures rest on does not depend on how long a range is drawn. */
export const blockMarks: Rule = {
  name: 'names the same block at every range',
  check: pages => [...Map.groupBy(pages.filter(isOfNow), pathOf).values()].flatMap(faultsOf),
}

/** A range without an end of its own. */
const isOfNow = ({ address }: PageParts): boolean => !/[?&](to|known)=/.test(address)

function pathOf({ address }: PageParts): string {
  const { pathname, searchParams } = new URL(address, 'http://page')
  searchParams.delete('range')
  return `${pathname}?${searchParams}`
}

function faultsOf(pages: readonly PageParts[]): Fault[] {
  const marks: readonly Found<Mark>[] = pages.flatMap(page => page.marks)
  const [first] = marks
  return marks
    .filter(({ part }) => part.block !== first?.part.block)
    .map(found =>
      faultAt(found, `names block ${found.part.block}, and ${first?.address} ${first?.part.block}`),
    )
}
