import type { CardDrawing, CardText } from './card.ts'
import type { Colours } from './layout.ts'
import { box, type Node, shape, writable } from './node.ts'

const SIZE = 19
const LINE = 26
/** Room for the words under a drawing, and above the highest of its lines. */
const FEET = 40
const HEAD = 14
/** Room of a word whose middle is placed. */
const WORD = 160

/** A drawing with what stands beside and under it. */
export function drawingBox(drawing: CardDrawing, colours: Colours): Node {
  const { width, height, gutter, sides, feet, texts } = drawing
  return box(
    { position: 'relative', width: width + gutter, height: height + HEAD + FEET, marginTop: 6 },
    {
      type: 'svg',
      props: {
        width,
        height: height + HEAD,
        viewBox: `0 ${-HEAD} ${width} ${height + HEAD}`,
        fill: 'none',
        style: { position: 'absolute', left: gutter, top: 0 },
        children: inkOf(drawing, colours),
      },
    },
    ...sides.map(({ y, text }) =>
      placed(
        { left: 0, top: y + HEAD, width: gutter - 14, justifyContent: 'flex-end', color: colours('ink-2') },
        text,
      ),
    ),
    ...feet.map(({ x, text, isLast }) =>
      placed(
        {
          left: gutter + (isLast ? x - WORD : Math.min(x, width - WORD / 4) - WORD / 2),
          top: height + HEAD + 22,
          width: WORD,
          justifyContent: isLast ? 'flex-end' : 'center',
          color: colours('ink-2'),
        },
        text,
      ),
    ),
    ...texts.map(text => textBox(text, gutter, colours)),
  )
}

function inkOf(drawing: CardDrawing, colours: Colours): Node[] {
  const { width, height, rules, shapes, stretch, dots } = drawing
  const { x, y } = stretch
  const transform = x === 1 && y === 1 ? undefined : `scale(${x} ${y})`
  return [
    ...rules.ys.map(at => shape({ path: `M0 ${at}H${width}`, colour: colours('line'), pen: 1.5 })),
    ...rules.xs.map(at => shape({ path: `M${at} 0V${height}`, colour: colours('line'), pen: 1.5 })),
    ...shapes.map(({ path, colour, opacity, pen, dash }) =>
      shape({
        path,
        colour: colours(colour),
        opacity,
        pen,
        dash,
        ...(transform !== undefined && { transform }),
      }),
    ),
    ...dots.map(({ x: cx, y: cy, radius, colour, isHollow }) => ({
      type: 'circle',
      props: {
        cx,
        cy,
        r: radius,
        fill: colours(colour),
        'fill-opacity': isHollow ? 0 : 0.45,
        stroke: colours(colour),
        'stroke-width': 2.5,
      },
    })),
  ]
}

/** The middle of its line stands at `top`. */
const placed = (style: { top: number } & Readonly<Record<string, string | number>>, text: string): Node =>
  box(
    {
      position: 'absolute',
      height: LINE,
      fontSize: SIZE,
      lineHeight: `${LINE}px`,
      whiteSpace: 'nowrap',
      overflow: 'hidden',
      ...style,
      top: style.top - LINE / 2,
    },
    writable(text),
  )

function textBox({ x, y, text, anchor, colour, isStrong }: CardText, gutter: number, colours: Colours): Node {
  const room = 420
  const start = anchor === 'start' ? x : anchor === 'middle' ? x - room / 2 : x - room
  return placed(
    {
      left: gutter + start,
      top: y + HEAD,
      width: room,
      justifyContent: anchor === 'start' ? 'flex-start' : anchor === 'middle' ? 'center' : 'flex-end',
      color: colours(colour),
      fontWeight: isStrong ? 600 : 400,
    },
    text,
  )
}
