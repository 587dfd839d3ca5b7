/**
 * A drawing that is not over time: what to put on paper, for the page and for the picture to take away. Places are shares
 * of the width (0 to 1) and px from the top, so that one drawing from the server is right at every width.
 */
export type Scene = {
  height: number
  /** Room for words at the left, px. */
  gutter: number
  /** Flat shapes in a ground `WIDTH` units wide, stretched to the card. */
  grounds: SceneGround[]
  /** Round marks keep their shape at every width. */
  dots: SceneDot[]
  texts: SceneText[]
  /** Words in the gutter, beside their row. */
  sides: { y: number; text: string }[]
  /** Words under the ground. */
  feet: { x: number; text: string; isStrong?: boolean; isLast?: boolean; isMinor?: boolean }[]
  /** Hairlines: px from the top, and shares of the width. */
  rules: { ys: number[]; xs: number[] }
  /** What can be pointed at and walked through, in reading order. */
  marks: SceneMark[]
}

export type SceneGround = {
  key: string
  path: string
  /** Name of a colour token without the dashes. */
  colour: string
  /** 0 to 1. */
  depth: number
  look: 'fill' | 'hollow' | 'stroke' | 'dash'
}

export type SceneDot = {
  key: string
  x: number
  y: number
  radius: number
  colour: string
  isHollow: boolean
}

export type SceneText = {
  key: string
  x: number
  y: number
  text: string
  anchor: 'start' | 'middle' | 'end'
  look: 'plain' | 'strong' | 'quiet' | 'on-colour'
  /** Px away from the place, towards the side that the anchor leaves free. */
  shift?: number
  /** Widths at which it is shown; left out: at all. */
  from?: Tier
  until?: Tier
  /** Most room as a share of the width. */
  room?: number
}

export type SceneMark = {
  key: string
  /** Where it is: a box, or what stands for it. */
  x: number
  y: number
  width: number
  height: number
  /** What is said of it; asked for only when it is pointed at. */
  say: () => MarkWords
  /** What opens it to its definition, SQL and sources. */
  assay: string
  day?: string
}

export type MarkWords = { title: string; rows: readonly { label: string; value: string }[] }

export type Box = Pick<SceneMark, 'x' | 'y' | 'width' | 'height'>

/** Widths of a ground, px, from which more words fit: what is placed for one fits at all wider ones too. */
export const TIERS = [230, 520, 880] as const
export type Tier = 0 | 1 | 2
export const TIER_NUMBERS = [0, 1, 2] as const

/** Width of a text of 12 px, px, rather too large than too small. */
export const textWidth = (text: string): number => text.length * 6.7 + 2

/** The first tier at which a text has room in a share of the width; undefined where it never has. */
export const tierFor = (text: string, room: number, frame = 12): Tier | undefined =>
  TIER_NUMBERS.find(tier => textWidth(text) + frame <= room * TIERS[tier])

const tenth = (value: number): string => (Math.round(value * 10) / 10).toString()

/** A box as path text. */
export const boxPath = (x: number, y: number, width: number, height: number): string =>
  `M${tenth(x)} ${tenth(y)}h${tenth(width)}v${tenth(height)}h${tenth(-width)}Z`

/** One sentence a mark, of so many that somebody would listen to them. */
export const spokenMarks = (marks: readonly SceneMark[], most = 40): string =>
  marks
    .slice(0, most)
    .map(({ say }) => spokenMark(say()))
    .join('. ')

export const spokenMark = ({ title, rows }: MarkWords): string =>
  [title, ...rows.map(row => `${row.label} ${row.value}`)].join(', ')

/** The mark at a place: the one that holds it, of several the smallest; else the nearest within `reach` px. */
export function markAt(
  marks: readonly SceneMark[],
  place: { x: number; y: number; width: number },
  reach: number,
): number {
  let best = -1
  let bestDistance = Number.POSITIVE_INFINITY
  for (const [index, mark] of marks.entries()) {
    const dx = Math.max(mark.x - place.x, 0, place.x - mark.x - mark.width) * place.width
    const dy = Math.max(mark.y - place.y, 0, place.y - mark.y - mark.height)
    const size = mark.width * place.width * mark.height
    // Within several, the smallest lies on top.
    const distance = Math.hypot(dx, dy) || -1 / (1 + size)
    if (distance < bestDistance && distance <= reach) {
      best = index
      bestDistance = distance
    }
  }
  return best
}

/** The next mark in a direction: the nearest whose middle lies that way, straight ahead before aside. */
export function markTowards(
  marks: readonly SceneMark[],
  current: number,
  direction: 'left' | 'right' | 'up' | 'down',
): number {
  const here = marks[current]
  if (!here) return 0
  const middle = (mark: SceneMark) => ({ x: (mark.x + mark.width / 2) * 600, y: mark.y + mark.height / 2 })
  const from = middle(here)
  let best = current
  let bestCost = Number.POSITIVE_INFINITY
  for (const [index, mark] of marks.entries()) {
    if (index === current) continue
    const { x, y } = middle(mark)
    const [dx, dy] = [x - from.x, y - from.y]
    const ahead = { left: -dx, right: dx, up: -dy, down: dy }[direction]
    const aside = direction === 'left' || direction === 'right' ? Math.abs(dy) : Math.abs(dx)
    if (ahead <= 0.01) continue
    const cost = ahead + aside * 3
    if (cost < bestCost) {
      best = index
      bestCost = cost
    }
  }
  return best
}
