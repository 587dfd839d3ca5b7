import type { Block, Inline, Written } from './document.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => ENTITIES[sign] ?? sign)

/**
 * A text as HTML, for readers of the API: elements of ours around escaped words, without scripts, styles or handlers. A
 * figure is the number that was published; charts, which are no text, are left out.
 */
export function toHtml({ blocks, notes, figures }: Written): string {
  const inlines = (parts: readonly Inline[]): string => parts.map(inline).join('')

  function inline(part: Inline): string {
    switch (part.type) {
      case 'text':
        return escaped(part.text)
      case 'code':
        return `<code>${escaped(part.text)}</code>`
      case 'strong':
        return `<strong>${inlines(part.children)}</strong>`
      case 'emphasis':
        return `<em>${inlines(part.children)}</em>`
      case 'break':
        return '<br>'
      case 'link':
        return `<a href="${escaped(part.href)}">${inlines(part.children)}</a>`
      case 'picture':
        return `<img src="${escaped(part.src)}" alt="${escaped(part.alt)}">`
      case 'figure':
        return escaped(String(figures[part.figure]?.published ?? ''))
      case 'note':
        return `<sup><a href="#note-${part.note + 1}">${part.note + 1}</a></sup>`
    }
  }

  const all = (of: readonly Block[]): string => of.map(block).join('\n')

  function block(part: Block): string {
    switch (part.type) {
      case 'heading':
        return `<h${part.depth} id="${escaped(part.id)}">${inlines(part.children)}</h${part.depth}>`
      case 'paragraph':
        return `<p>${inlines(part.children)}</p>`
      case 'list': {
        const name = part.isOrdered ? 'ol' : 'ul'
        return `<${name}>${part.items.map(item => `<li>${all(item)}</li>`).join('')}</${name}>`
      }
      case 'quote':
        return `<blockquote>${all(part.children)}</blockquote>`
      case 'code':
        return `<pre><code>${escaped(part.text)}</code></pre>`
      case 'table': {
        const row = (cells: readonly (readonly Inline[])[], name: string): string =>
          `<tr>${cells.map(cell => `<${name}>${inlines(cell)}</${name}>`).join('')}</tr>`
        return `<table><thead>${row(part.head, 'th')}</thead><tbody>${part.rows.map(cells => row(cells, 'td')).join('')}</tbody></table>`
      }
      case 'chart':
        return ''
    }
  }

  const listed = notes.map((note, index) => `<li id="note-${index + 1}">${inlines(note)}</li>`)
  return `${all(blocks)}${listed.length === 0 ? '' : `\n<ol aria-label="Notes">${listed.join('')}</ol>`}`
}
