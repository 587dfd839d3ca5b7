import { dashOf } from './dashes.ts'
import type { Drawing, Mark } from './drawing.ts'
import type { SmallChart } from './multiples.ts'
import { PICTURE, pictureFrame, type Token } from './pictureFrame.ts'
import type { PlotData } from './plotData.ts'
import { WIDTH } from './shape.ts'

type Picture = { title: string; subtitle: string; plot: PlotData; drawing: Drawing }

const ZOOM = 1.5
/** Room for words, px: beside the ground, and under the small charts of a picture. */
const YS = 56
const ENDS = 170
const SMALL = { columns: 3, gap: 28, head: 34, foot: 40 } as const

/** Saves the chart as a PNG with its title, unit, span and origin, in the colours of the theme at hand. */
export async function savePicture({ title, subtitle, plot, drawing }: Picture): Promise<void> {
  const height = drawing.height * ZOOM
  const { pen, token, save } = pictureFrame({ title, subtitle, sources: plot.sources, height })
  const ends = drawing.ends.length > 0 ? ENDS : 0
  const left = PICTURE.pad + YS
  const width = PICTURE.width - left - PICTURE.pad - ends
  drawGround(pen, drawing, token, { left, top: PICTURE.head + 12, width, zoom: ZOOM })
  await save()
}

type Pictures = { title: string; subtitle: string; charts: readonly SmallChart[] }

/** The same of small charts, three in a row. */
export async function savePictures({ title, subtitle, charts }: Pictures): Promise<void> {
  const [first] = charts
  if (!first) return
  const { columns, gap, head, foot } = SMALL
  const row = head + first.drawing.height + foot
  const height = row * Math.ceil(charts.length / columns)
  const { pen, token, save } = pictureFrame({ title, subtitle, sources: first.plot.sources, height })
  const column = (PICTURE.width - PICTURE.pad * 2 - gap * (columns - 1)) / columns
  for (const [index, { line, drawing }] of charts.entries()) {
    const left = PICTURE.pad + (index % columns) * (column + gap) + YS
    const top = PICTURE.head + Math.floor(index / columns) * row
    pen.font = `600 15px ${token('sans')}`
    pen.fillStyle = token('ink')
    pen.textAlign = 'left'
    pen.fillText(line.label, left, top + 18)
    drawGround(pen, drawing, token, { left, top: top + head, width: column - YS, zoom: 1 })
  }
  await save()
}

/** Looks that let what is behind them through. */
const ALPHA: Partial<Record<Mark['look'], number>> = {
  wash: 0.14,
  'hollow-bar': 0.14,
  'quiet-bar': 0.26,
  bubble: 0.5,
  'hollow-bubble': 0.2,
}

type Room = { left: number; top: number; width: number; zoom: number }

function drawGround(pen: CanvasRenderingContext2D, drawing: Drawing, token: Token, room: Room): void {
  const { left, top, width, zoom } = room
  pen.font = `400 14px ${token('sans')}`
  pen.lineWidth = 1
  for (const tick of drawing.yTicks) {
    pen.strokeStyle = token('line')
    pen.beginPath()
    pen.moveTo(left, top + tick.top * zoom)
    pen.lineTo(left + width, top + tick.top * zoom)
    pen.stroke()
    pen.fillStyle = token('ink-2')
    pen.textAlign = 'right'
    pen.fillText(tick.text, left - 10, top + tick.top * zoom + 5)
  }
  pen.textAlign = 'center'
  for (const tick of drawing.xTicks)
    pen.fillText(tick.text, left + tick.left * width, top + drawing.height * zoom + 26)
  const stretch = new DOMMatrix([width / WIDTH, 0, 0, zoom, left, top])
  for (const mark of drawing.marks) {
    const path = new Path2D()
    path.addPath(new Path2D(mark.path), stretch)
    const colour = token(mark.colour)
    const isGround = ['ground', 'wash', 'bar', 'hollow-bar', 'quiet-bar'].includes(mark.look)
    pen.globalAlpha = ALPHA[mark.look] ?? 1
    pen.fillStyle = colour
    pen.strokeStyle = colour
    pen.lineWidth = mark.across
      ? mark.across * zoom
      : mark.look === 'hollow'
        ? 5
        : mark.look === 'dot'
          ? 7
          : 2.5
    pen.lineCap = 'round'
    pen.lineJoin = 'round'
    if (mark.look === 'faint') {
      pen.globalAlpha = 0.45
      pen.lineWidth = 1.5
    }
    const dash = mark.look === 'unfinished' ? '3 5' : mark.look === 'line' ? dashOf(mark.dash) : 'none'
    pen.setLineDash(dash === 'none' ? [] : dash.split(' ').map(Number))
    if (isGround) pen.fill(path)
    else pen.stroke(path)
    pen.globalAlpha = 1
    pen.setLineDash([])
  }
  pen.textAlign = 'left'
  for (const end of drawing.ends) {
    pen.fillStyle = token(end.colour)
    pen.fillRect(left + width + 12, top + end.top * zoom - 4, 8, 8)
    pen.fillStyle = token('ink')
    pen.fillText(`${end.label} ${end.value}`, left + width + 26, top + end.top * zoom + 5)
  }
}
