export type { Block, Figure, Inline, Written } from './document.ts'
export { ContentError } from './errors.ts'
export {
  type Content,
  type Guide,
  type Page,
  type Report,
  type ReportChart,
  readContent,
} from './readContent.ts'
