/** What the layout program takes: elements as React has them, without React. */
export type Node = { readonly type: string; readonly props: Readonly<Record<string, unknown>> }

type Child = Node | string | false | undefined | ''
type Style = Readonly<Record<string, string | number>>

/** A box whose children stand beside each other unless said. */
export const box = (style: Style, ...children: readonly Child[]): Node => ({
  type: 'div',
  props: {
    style: { display: 'flex', ...style },
    children: children.filter(child => child !== undefined && child !== false && child !== ''),
  },
})

type Shape = {
  path: string
  colour: string
  pen: number
  opacity?: number
  dash?: string
  transform?: string
}

/** A path, filled where its pen has no width. */
export const shape = ({ path, colour, pen, opacity = 1, dash = 'none', transform }: Shape): Node => ({
  type: 'path',
  props: {
    d: path,
    fill: pen === 0 ? colour : 'none',
    ...(pen > 0 && {
      stroke: colour,
      'stroke-width': pen,
      'stroke-linecap': dash === 'none' ? 'round' : 'butt',
      'stroke-linejoin': 'round',
    }),
    ...(opacity < 1 && { opacity }),
    ...(dash !== 'none' && { 'stroke-dasharray': dash }),
    ...(transform !== undefined && { transform }),
  },
})

/** Signs that the faces of a card have: Latin with its extensions, and what figures are written with. */
const HELD =
  /[\u0020-\u024f\u0259\u02bb\u02bc\u02c6\u02da\u02dc\u1e00-\u1eff\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2113\u2122\u2191\u2193\u2212\u2215]/u
const INSTEAD: Readonly<Record<string, string>> = {
  '\u202f': ' ',
  '\u2009': ' ',
  '→': '–',
  '≤': '<=',
  '≥': '>=',
}

/** A text in signs that can be drawn; names of tokens may hold any. What has no shape is left out, never drawn as a box. */
export function writable(text: string): string {
  const signs = [...text].map(sign => INSTEAD[sign] ?? (/\s/u.test(sign) ? ' ' : HELD.test(sign) ? sign : ''))
  const held = signs.join('').replace(/ {2,}/g, ' ').trim()
  return held === '' && text !== '' ? '?' : held
}
