import { UploadError } from '../uploadError.ts'

/** A tag or text of an XML part. `name` is without its prefix; `isEmpty` stands for both tags of an element. */
export type XmlEvent =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string; readonly isEmpty: boolean }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const broken = (): UploadError => new UploadError('uploads.unreadable', 'The spreadsheet holds broken XML.')

/** Elements and texts of an XML text, one after the other. It has no entities but the five of XML: a DOCTYPE is refused. */
export function* xmlEvents(xml: string): Generator<XmlEvent> {
  let at = 0
  while (at < xml.length) {
    const open = xml.indexOf('<', at)
    const text = xml.slice(at, open < 0 ? xml.length : open)
    if (text !== '') yield { kind: 'text', text: decoded(text) }
    if (open < 0) return
    if (xml.startsWith('<!--', open)) {
      at = after(xml, '-->', open)
      continue
    }
    if (xml.startsWith('<![CDATA[', open)) {
      at = after(xml, ']]>', open)
      yield { kind: 'text', text: xml.slice(open + 9, at - 3) }
      continue
    }
    if (xml[open + 1] === '?') {
      at = after(xml, '?>', open)
      continue
    }
    if (xml[open + 1] === '!') throw broken()
    at = after(xml, '>', open)
    const inner = xml.slice(open + 1, at - 1)
    if (inner.startsWith('/')) {
      yield { kind: 'close', name: localName(inner.slice(1).trim()) }
      continue
    }
    const isEmpty = inner.endsWith('/')
    const [name = ''] = /^[^\s/]+/.exec(inner) ?? []
    yield { kind: 'open', name: localName(name), attributes: inner.slice(name.length), isEmpty }
  }
}

function after(xml: string, end: string, from: number): number {
  const found = xml.indexOf(end, from)
  if (found < 0) throw broken()
  return found + end.length
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The value of an attribute, with or without a prefix. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : decoded(value)
}

export const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|\w{1,8});/g, (whole, entity: string) => {
        if (!entity.startsWith('#')) return ENTITIES[entity] ?? whole
        const code = entity[1] === 'x' ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole
      })
    : text
