const REQUIRED = { page: [], guide: ['order: 90'], gated: ['path: /bitcoin', 'requires: dashboard'] } as const

/** The head that a new text of this kind must have, to be filled in. */
export function templateOf(kind: string): string {
  const today = new Date().toISOString().slice(0, 10)
  switch (kind) {
    case 'ads':
      return `- id: name-of-it
  title: What it says
  link: https://
  image: name-of-a-picture.png
  start: ${today}T00:00:00Z
  end: ${today}T23:59:00Z
`
    case 'report':
      return `---\ntitle: \nsummary: \ntopic: \npublished: ${today}\n---\n\n`
    case 'page':
    case 'guide':
    case 'gated':
      return ['---', 'title: ', 'summary: ', `updated: ${today}`, ...REQUIRED[kind], '---', '', ''].join('\n')
    default:
      return ''
  }
}
