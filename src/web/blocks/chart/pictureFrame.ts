import type { PlotData } from './plotData.ts'

export const PICTURE = { width: 1200, pad: 48, head: 96, foot: 64 } as const

/** A colour or face by the name of its token. */
export type Token = (name: string) => string

type Frame = { title: string; subtitle: string; sources: PlotData['sources']; height: number }

/**
 * A canvas with title, unit and origin around a drawing, in the colours of the theme at hand.
 * @param height of the drawing, px
 */
export function pictureFrame({ title, subtitle, sources, height: inner }: Frame): {
  pen: CanvasRenderingContext2D
  token: Token
  save: () => Promise<void>
} {
  const scale = 2
  const height = PICTURE.head + inner + PICTURE.foot + 40
  const canvas = document.createElement('canvas')
  canvas.width = PICTURE.width * scale
  canvas.height = height * scale
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('This browser has no canvas to draw a picture on.')
  pen.scale(scale, scale)
  const token = (name: string) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
  pen.fillStyle = token('card')
  pen.fillRect(0, 0, PICTURE.width, height)
  pen.fillStyle = token('ink')
  pen.font = `600 26px ${token('sans')}`
  pen.fillText(title, PICTURE.pad, 54)
  pen.fillStyle = token('ink-2')
  pen.font = `400 16px ${token('sans')}`
  pen.fillText(subtitle, PICTURE.pad, 80)
  const names = sources.map(source => source.name).join(', ')
  pen.fillText(
    `assay · ${location.host}${location.pathname}${names ? ` · ${names}` : ''}`,
    PICTURE.pad,
    height - 24,
  )
  const save = async () => {
    const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'))
    if (!blob) return
    const link = document.createElement('a')
    link.href = URL.createObjectURL(blob)
    link.download = `assay-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.png`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return { pen, token, save }
}
