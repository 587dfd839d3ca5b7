import { dashOf } from './dashes.ts'
import type { Drawing } from './drawing.ts'
import { PICTURE, pictureFrame, type Token } from './pictureFrame.ts'
import type { PlotData } from './plotData.ts'
import { WIDTH } from './shape.ts'

type Picture = { title: string; subtitle: string; plot: PlotData; drawing: Drawing }

const SIZE = { ...PICTURE, ys: 56, ends: 170 }
const ZOOM = 1.5

/** Saves the chart as a PNG with its title, unit, span and origin, in the colours of the theme at hand. */
export async function savePicture({ title, subtitle, plot, drawing }: Picture): Promise<void> {
  const height = drawing.height * ZOOM
  const { pen, token, save } = pictureFrame({ title, subtitle, sources: plot.sources, height })
  drawGround(pen, drawing, token, ZOOM)
  await save()
}

function drawGround(pen: CanvasRenderingContext2D, drawing: Drawing, token: Token, zoom: number): void {
  const left = SIZE.pad + SIZE.ys
  const width = SIZE.width - left - SIZE.pad - (drawing.ends.length > 0 ? SIZE.ends : 0)
  const top = SIZE.head + 12
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
    const isGround = ['ground', 'wash', 'bar', 'hollow-bar'].includes(mark.look)
    pen.globalAlpha = mark.look === 'wash' || mark.look === 'hollow-bar' ? 0.14 : 1
    pen.fillStyle = colour
    pen.strokeStyle = colour
    pen.lineWidth = mark.look === 'hollow' ? 5 : mark.look === 'dot' ? 7 : 2.5
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
