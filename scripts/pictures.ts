/** The picture book of the building blocks: serves it to look at, or takes its pictures anew. */
import { parseArgs } from 'node:util'
import { openBook } from '#tests/book/openBook.ts'
import { keep } from '#tests/book/pictures.ts'
import { walkBook } from '#tests/book/walkBook.ts'
import { openChromium, skipWithoutChromium } from '#tests/browser/chromium.ts'

const { accept, port } = parseArgs({
  options: { accept: { type: 'boolean', default: false }, port: { type: 'string', default: '4600' } },
}).values

if (accept) {
  if (skipWithoutChromium.skip) throw new Error(skipWithoutChromium.skip)
  await using book = await openBook()
  const browser = await openChromium()
  try {
    const { files, faults } = await walkBook(browser, book.url)
    keep(browser, files)
    console.log(`${files.size} pictures are kept in tests/pictures`)
    for (const fault of faults) console.log(`fault: ${fault}`)
  } finally {
    await browser.close()
  }
} else {
  const { url } = await openBook(Number(port))
  console.log(`The building blocks are at ${url} (Ctrl-C ends it). --accept takes their pictures anew.`)
}
