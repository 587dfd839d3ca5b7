import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chartsSvg, chartsText } from '#web/people/states/stateChart.ts'

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Draws the state chart anew from the tables of the reducers: as a picture, and as text in the chapter of the documentation. */
const chapter = at('content/documentation/people.md')
writeFileSync(
  chapter,
  readFileSync(chapter, 'utf8').replace(/```text\n[^`]*```/, () => `\`\`\`text\n${chartsText()}\n\`\`\``),
)
writeFileSync(at('docs/people-states.svg'), chartsSvg())
