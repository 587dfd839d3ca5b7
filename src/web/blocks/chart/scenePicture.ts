import { PICTURE, pictureFrame, type Token } from './pictureFrame.ts'
import type { PlotData } from './plotData.ts'
import { type Scene, type SceneText, TIER_NUMBERS } from './scene.ts'
import { WIDTH } from './shape.ts'

type Picture = { title: string; subtitle: string; scene: Scene; sources: PlotData['sources'] }

/** A picture is as wide as the widest cards are. */
const WIDEST = TIER_NUMBERS[2]
const ZOOM = 1.5

/** Saves a scene as a PNG with its title, unit and origin, in the colours of the theme at hand. */
export async function saveScene({ title, subtitle, scene, sources }: Picture): Promise<void> {
  const gutter = Math.max(8, scene.gutter * 1.2)
  const { pen, token, save } = pictureFrame({ title, subtitle, sources, height: scene.height * ZOOM })
  const left = PICTURE.pad + gutter
  const width = PICTURE.width - left - PICTURE.pad
  const top = PICTURE.head + 12
  const x = (share: number) => left + share * width
  const y = (px: number) => top + px * ZOOM
  pen.strokeStyle = token('line')
  pen.lineWidth = 1
  for (const rule of scene.rules.ys) line(pen, left, y(rule), left + width, y(rule))
  for (const rule of scene.rules.xs) line(pen, x(rule), y(0), x(rule), y(scene.height))
  const stretch = new DOMMatrix([width / WIDTH, 0, 0, ZOOM, left, top])
  for (const ground of scene.grounds) {
    const path = new Path2D()
    path.addPath(new Path2D(ground.path), stretch)
    pen.globalAlpha = ground.depth
    pen.fillStyle = token(ground.colour)
    pen.strokeStyle = token(ground.colour)
    pen.lineWidth = 2
    pen.setLineDash(ground.look === 'dash' ? [6, 5] : [])
    if (ground.look === 'fill') pen.fill(path)
    else pen.stroke(path)
    if (ground.look === 'hollow') {
      pen.globalAlpha = ground.depth * 0.18
      pen.fill(path)
    }
  }
  pen.setLineDash([])
  for (const dot of scene.dots) {
    pen.beginPath()
    pen.arc(x(dot.x), y(dot.y), dot.radius * ZOOM, 0, Math.PI * 2)
    pen.fillStyle = token(dot.colour)
    pen.strokeStyle = token(dot.colour)
    pen.globalAlpha = dot.isHollow ? 0 : 0.45
    pen.fill()
    pen.globalAlpha = 1
    pen.lineWidth = 2
    pen.stroke()
  }
  pen.globalAlpha = 1
  drawTexts(pen, token, scene, x, y)
  await save()
}

function drawTexts(
  pen: CanvasRenderingContext2D,
  token: Token,
  scene: Scene,
  x: (share: number) => number,
  y: (px: number) => number,
): void {
  const sans = token('sans')
  pen.textBaseline = 'middle'
  for (const text of scene.texts) {
    if (text.until !== undefined && text.until < WIDEST) continue
    pen.font = `${text.look === 'strong' ? 600 : 400} 16px ${sans}`
    pen.fillStyle = token(INK[text.look])
    pen.textAlign = text.anchor === 'middle' ? 'center' : text.anchor
    pen.fillText(text.text, x(text.x) + (text.shift ?? 0) * ZOOM, y(text.y))
  }
  pen.font = `400 14px ${sans}`
  pen.fillStyle = token('ink-2')
  pen.textAlign = 'end'
  for (const side of scene.sides) pen.fillText(side.text, x(0) - 10, y(side.y))
  pen.textAlign = 'center'
  for (const foot of scene.feet) pen.fillText(foot.text, x(foot.x), y(scene.height) + 24)
}

const INK: Record<SceneText['look'], string> = {
  strong: 'ink',
  plain: 'ink',
  quiet: 'ink-2',
  'on-colour': 'ink',
}

function line(pen: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number): void {
  pen.beginPath()
  pen.moveTo(x1, y1)
  pen.lineTo(x2, y2)
  pen.stroke()
}
