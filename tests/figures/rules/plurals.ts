import { figureText } from '../../../src/web/format/figure.ts'
import type { Found, KnownKpi } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

/** `1 companies`, but not `31 days` or `0.1 days`. */
const ONE_OF_MANY =
  /(?<![\d.,])1 (?:companies|days|weeks|months|years|hours|minutes|layers|holders|trades|others|blocks|pools|gaps|figures|sources|people|contracts|addresses|calls|tenures|repositories|inputs|outputs|transactions)\b/

/** A key figure as the page writes it. */
const writtenOf = (found: Found<KnownKpi>): Found<string> => ({
  ...found,
  part: figureText(found.part.value, found.part.unit).text,
})

/** Words that count agree with their number. */
export const plurals: Rule = {
  name: 'says one of a thing in the singular',
  check: (pages): Fault[] =>
    pages
      .flatMap(({ texts, kpis }) => [...texts, ...kpis.map(writtenOf)])
      .filter(({ part }) => ONE_OF_MANY.test(part))
      .map(found =>
        faultAt(found, `“${ONE_OF_MANY.exec(found.part)?.[0]}” in “${found.part.slice(0, 120)}”`),
      ),
}
