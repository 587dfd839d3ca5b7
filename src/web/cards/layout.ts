import { CARD_SIZE } from '../share/cardAddress.ts'
import { MARK } from '../shell/brandMark.ts'
import { type Card, type CardFigure, type CardLegend, ROOM } from './card.ts'
import { drawingBox } from './drawingBox.ts'
import { box, type Node, shape, writable } from './node.ts'
import { sparkPath } from './spark.ts'

/** Colour of a token by its name. */
export type Colours = (name: string) => string

const PAD = { top: 36, foot: 34 }
/** Letters of a title by its size in px, the largest first: what is longer takes two lines and ends in dots. */
const TITLES = [
  { size: 64, most: 32 },
  { size: 52, most: 40 },
  { size: 42, most: 100 },
] as const

/** A card as the boxes that it is laid out from. */
export function layoutOf(card: Card, colours: Colours): Node {
  const hasDrawing = card.drawing !== undefined
  return box(
    {
      width: CARD_SIZE.width,
      height: CARD_SIZE.height,
      justifyContent: 'center',
      backgroundColor: colours('paper'),
      color: colours('ink'),
      fontFamily: 'Inter, Inter ext',
      fontSize: 22,
    },
    box(
      {
        width: ROOM.width,
        height: CARD_SIZE.height - PAD.top - PAD.foot,
        marginTop: PAD.top,
        flexDirection: 'column',
      },
      head(card, colours),
      box(
        { flexDirection: 'column', flexGrow: 1, justifyContent: hasDrawing ? 'flex-start' : 'center' },
        titleOf(card, colours, hasDrawing),
        card.drawing && drawingBox(card.drawing, colours),
        hasDrawing ? undefined : figuresOf(card.figures, colours),
      ),
      foot(card, colours),
    ),
  )
}

const head = ({ asOf }: Card, colours: Colours): Node =>
  box(
    { justifyContent: 'space-between', alignItems: 'center', height: 40 },
    box(
      { alignItems: 'center', fontSize: 30, fontWeight: 600, letterSpacing: -0.5 },
      {
        type: 'svg',
        props: {
          width: 38,
          height: 38,
          viewBox: MARK.box,
          fill: 'none',
          style: { marginRight: 10 },
          children: [
            shape({ path: MARK.frame, colour: colours('ink'), pen: MARK.pen }),
            shape({ path: MARK.beam, colour: colours('accent'), pen: MARK.pen }),
            { type: 'circle', props: { ...MARK.weight, fill: colours('accent') } },
          ],
        },
      },
      'assay',
    ),
    asOf && box({ color: colours('ink-2'), fontSize: 22 }, writable(asOf)),
  )

function titleOf({ title, lead, of, colour, figures }: Card, colours: Colours, isSmall: boolean): Node {
  const text = writable(title)
  const { size } = TITLES.find(({ most }) => text.length <= most) ?? TITLES[2]
  const [figure] = isSmall ? figures : []
  return box(
    { marginTop: isSmall ? 18 : 0 },
    box({ width: 8, borderRadius: 4, marginRight: 22, backgroundColor: colours(colour), flexShrink: 0 }),
    box(
      { flexDirection: 'column', flexGrow: 1, flexShrink: 1, flexBasis: 0 },
      of && box({ fontSize: 24, fontWeight: 600, color: colours('ink-2') }, clamped(writable(of), 1)),
      box(
        {
          fontSize: isSmall ? Math.min(44, size) : size,
          fontWeight: 600,
          letterSpacing: -1,
          lineHeight: 1.12,
        },
        clamped(text, isSmall ? 1 : 2),
      ),
      lead !== '' &&
        box(
          {
            fontSize: isSmall ? 22 : 27,
            color: colours('ink-2'),
            lineHeight: 1.35,
            marginTop: isSmall ? 4 : 12,
          },
          clamped(writable(lead), isSmall ? 1 : figures.length > 0 ? 2 : 4),
        ),
    ),
    figure &&
      box(
        { flexDirection: 'column', alignItems: 'flex-end', justifyContent: 'flex-end', marginLeft: 24 },
        number(figure, 44, colours),
        box({ fontSize: 20, color: colours('ink-2') }, writable(figure.when)),
      ),
  )
}

/** What does not fit ends in dots. */
const clamped = (text: string, lines: number): Node =>
  box(
    {
      display: 'block',
      lineClamp: lines,
      textOverflow: 'ellipsis',
      wordBreak: 'break-word',
      overflow: 'hidden',
    },
    text,
  )

function figuresOf(figures: readonly CardFigure[], colours: Colours): Node | undefined {
  if (figures.length === 0) return undefined
  const gap = 40
  const width = (ROOM.width - gap * (figures.length - 1)) / figures.length
  return box(
    { marginTop: 36 },
    ...figures.map((figure, index) =>
      box(
        {
          flexDirection: 'column',
          width,
          marginLeft: index === 0 ? 0 : gap,
          paddingTop: 16,
          borderTop: `2px solid ${colours('line')}`,
        },
        figure.label !== '' &&
          box({ fontSize: 23, color: colours('ink-2'), height: 32 }, clamped(writable(figure.label), 1)),
        box({ width, overflow: 'hidden' }, number(figure, figures.length === 1 ? 84 : 54, colours, width)),
        box({ fontSize: 20, color: colours('ink-2'), height: 28 }, clamped(writable(figure.when), 1)),
        sparkOf(figure, width, colours),
      ),
    ),
  )
}

/** A number never breaks: what is too wide is written smaller. */
function number({ number: digits, tail }: CardFigure, size: number, colours: Colours, width = 420): Node {
  const taken = (digits.length * 0.62 + (tail === '' ? 0 : 0.4 + tail.length * 0.34)) * size
  const fit = Math.max(18, Math.floor(Math.min(1, width / taken) * size))
  return box(
    { alignItems: 'baseline', lineHeight: 1.25, whiteSpace: 'nowrap' },
    box({ fontSize: fit, fontWeight: 600, letterSpacing: -fit / 40 }, writable(digits)),
    tail !== '' &&
      box(
        { fontSize: Math.max(16, fit * 0.52), color: colours('ink-2'), marginLeft: fit * 0.18 },
        writable(tail),
      ),
  )
}

function sparkOf({ spark, colour }: CardFigure, width: number, colours: Colours): Node | undefined {
  const height = 56
  const path = sparkPath(spark, width, height)
  return path === ''
    ? undefined
    : {
        type: 'svg',
        props: {
          width,
          height,
          viewBox: `0 0 ${width} ${height}`,
          fill: 'none',
          style: { marginTop: 10 },
          children: [shape({ path, colour: colours(colour), pen: 3.5 })],
        },
      }
}

function foot({ sources, address, drawing }: Card, colours: Colours): Node {
  const legend = drawing?.legend ?? []
  return box(
    { flexDirection: 'column' },
    legend.length > 0 ? legendOf(legend, colours) : undefined,
    box(
      {
        justifyContent: 'space-between',
        alignItems: 'center',
        borderTop: `2px solid ${colours('line')}`,
        paddingTop: 14,
        fontSize: 20,
      },
      box(
        { color: colours('ink-2'), flexGrow: 1, flexShrink: 1, flexBasis: 0, marginRight: 32 },
        clamped(writable(sourceLine(sources)), 1),
      ),
      box(
        { color: colours('accent'), fontWeight: 600, maxWidth: 620 },
        clamped(writable(`Assay it at ${address}`), 1),
      ),
    ),
  )
}

const legendOf = (legend: readonly CardLegend[], colours: Colours): Node =>
  box(
    { marginBottom: 12, height: 30, overflow: 'hidden', alignItems: 'center' },
    ...legend.map(({ label, value, colour, dash }) =>
      box(
        { alignItems: 'center', marginRight: 28, flexShrink: 1, whiteSpace: 'nowrap' },
        colour !== '' && {
          type: 'svg',
          props: {
            width: 30,
            height: 8,
            viewBox: '0 0 30 8',
            style: { marginRight: 8, flexShrink: 0 },
            children: [shape({ path: 'M2 4H28', colour: colours(colour), pen: 4, dash })],
          },
        },
        box(
          { fontSize: 20, color: colours('ink-2'), flexShrink: 1, overflow: 'hidden' },
          clamped(writable(label), 1),
        ),
        value !== '' && box({ fontSize: 20, fontWeight: 600, marginLeft: 8, flexShrink: 0 }, writable(value)),
      ),
    ),
  )

/** Sources by name, as many as a line has room for. */
export function sourceLine(sources: readonly string[], most = 62): string {
  const names = [...new Set(sources)]
  if (names.length === 0) return ''
  let shown = 0
  let letters = 0
  for (const name of names) {
    letters += name.length + 2
    if (letters > most && shown > 0) break
    shown += 1
  }
  const rest = names.length - shown
  return `${names.length === 1 ? 'Source' : 'Sources'}: ${names.slice(0, shown).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
