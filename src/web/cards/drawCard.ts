import { CARD_SIZE } from '../share/cardAddress.ts'
import type { Card } from './card.ts'
import { layoutOf } from './layout.ts'

/** Faces in WOFF, which the layout program reads: Latin and its extensions, regular and semibold. */
export type Faces = Readonly<Record<'regular' | 'regularExt' | 'strong' | 'strongExt', Buffer>>

/**
 * Draws cards as SVG whose texts are shapes, 1200 × 630 px.
 * @param tokens the sheet of tokens: a card is drawn in the colours of the light theme
 */
export function createCardDrawer(tokens: string, faces: Faces): (card: Card) => Promise<string> {
  const colours = lightColours(tokens)
  const colourOf = (name: string): string => colours.get(name) ?? colours.get('ink-2') ?? ''
  const fonts = [
    { name: 'Inter', data: faces.regular, weight: 400, style: 'normal' },
    { name: 'Inter', data: faces.strong, weight: 600, style: 'normal' },
    { name: 'Inter ext', data: faces.regularExt, weight: 400, style: 'normal' },
    { name: 'Inter ext', data: faces.strongExt, weight: 600, style: 'normal' },
  ] as const
  return async card => {
    const { default: satori } = await import('satori')
    return satori(layoutOf(card, colourOf) as never, { ...CARD_SIZE, fonts: [...fonts] })
  }
}

/** Colours by the names of their tokens, of the first block of the sheet: the light theme. */
function lightColours(tokens: string): ReadonlyMap<string, string> {
  const light = tokens.slice(0, tokens.indexOf('[data-theme='))
  return new Map(
    [...light.matchAll(/--([a-z0-9-]+):\s*(#[0-9a-f]{3,8})\s*;/gi)].map(([, name = '', colour = '']) => [
      name,
      colour,
    ]),
  )
}
