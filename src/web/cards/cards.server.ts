import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { CardMaker } from '#http/pages/cards.ts'
import { targetOf } from '../share/cardAddress.ts'
import { toldOf } from '../share/told.ts'
import tokens from '../ui/tokens.css?raw'
import type { Card } from './card.ts'
import { createCardDrawer, type Faces } from './drawCard.ts'
import { readCard } from './readCard.ts'

const faceAt = (subset: 'latin' | 'latin-ext', weight: 400 | 600): Promise<Buffer> =>
  readFile(
    createRequire(import.meta.url).resolve(`@fontsource/inter/files/inter-${subset}-${weight}-normal.woff`),
  )

async function readFaces(): Promise<Faces> {
  const [regular, regularExt, strong, strongExt] = await Promise.all([
    faceAt('latin', 400),
    faceAt('latin-ext', 400),
    faceAt('latin', 600),
    faceAt('latin-ext', 600),
  ])
  return { regular, regularExt, strong, strongExt }
}

let drawer: Promise<(card: Card) => Promise<string>> | undefined

/** Cards of the pages of this build. Faces and the layout program are read with the first of them. */
export const cards: CardMaker = {
  targetOf,
  read: ({ found, routes, publicUrl }) => {
    const told = toldOf({ found, moduleOf: id => routes[id]?.module, publicUrl })
    return told && readCard(told)
  },
  async draw(card) {
    drawer ??= readFaces().then(
      faces => createCardDrawer(tokens, faces),
      cause => {
        drawer = undefined
        throw cause
      },
    )
    // What `read` gave comes back.
    return (await drawer)(card as Card)
  },
}
