export type { Block, Figure, Inline, Written } from './document.ts'
export { ContentError } from './errors.ts'
export { type Content, type Page, type Report, type ReportChart, readContent } from './readContent.ts'
