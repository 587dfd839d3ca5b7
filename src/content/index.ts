export { AD_EVENTS, type Ad, type AdEvent } from './ads.ts'
export {
  type AdCount,
  type Cms,
  openCms,
  type StoredPicture,
  type TextChange,
  type TextEntry,
  type TextVersion,
} from './cms.ts'
export type { Block, Figure, Inline, Written } from './document.ts'
export { ContentError } from './errors.ts'
export {
  GATES,
  type Gate,
  type ParsedText,
  type ReportChart,
  TEXT_KINDS,
  type TextKind,
} from './parseText.ts'
export { PICTURE_BYTES } from './picture.ts'
export { EXAMPLE_TOPICS, type ExampleTopic, type QueryExample } from './queryExamples.ts'
export {
  type Content,
  type Gated,
  type Guide,
  type Page,
  publicPartOf,
  type Report,
  readContent,
  readContentFiles,
} from './readContent.ts'
export { toHtml } from './toHtml.ts'
