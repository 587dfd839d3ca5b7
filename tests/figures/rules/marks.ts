import { faultAt, type Rule } from '../rule.ts'

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
