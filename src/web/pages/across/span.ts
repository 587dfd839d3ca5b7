import type { SpanQuery } from '#http/contract.ts'
import type { ChoiceRow } from '../../blocks/Choices.tsx'
import type { SiteLayer } from '../../shell/layers.ts'
import { chainAsked } from './chains.ts'

export type SpanName = NonNullable<SpanQuery['span']>

const SPAN_CHOICES = [
  { value: '1h', label: '1 hour' },
  { value: undefined, label: '24 hours' },
  { value: '7d', label: '7 days' },
] as const
export const SPAN_WORDS: Readonly<Record<SpanName, string>> = {
  '1h': 'the latest hour',
  '24h': 'the latest 24 hours',
  '7d': 'the latest 7 days',
}
export const SPAN_HOURS: Readonly<Record<SpanName, number>> = { '1h': 1, '24h': 24, '7d': 168 }
/** Hours of the trend beside a span. */
export const TREND_HOURS: Readonly<Record<SpanName, number>> = { '1h': 24, '24h': 24, '7d': 168 }
export const TREND_LABEL: Readonly<Record<SpanName, string>> = {
  '1h': 'Last 24 h',
  '24h': 'Last 24 h',
  '7d': 'Last 7 d',
}

/** Span and chain as the address has them; words that are none read as the default. */
export function readSpanView(
  query: URLSearchParams,
  layers: readonly SiteLayer[],
): SpanQuery & { span: SpanName } {
  const asked = query.get('span')
  const span = asked === '1h' || asked === '7d' ? asked : '24h'
  return { span, ...chainAsked(query, layers) }
}

/** The same as a query of the API, for links to files. */
export const spanSearch = ({ span, chain }: SpanQuery): string =>
  new URLSearchParams({ ...(span && { span }), ...(chain && { chain }) }).toString()

/** Keys of the address that need other rows from the server. */
export const needsRows = (key: string): boolean =>
  ['chain', 'span', 'deployer', 'version', 'before', 'address', 'kind'].includes(key)

/** The span as a row of choices. */
export const spanRow = ({ span }: { span: SpanName }): ChoiceRow => ({
  label: 'Span',
  name: 'span',
  current: span === '24h' ? undefined : span,
  choices: SPAN_CHOICES,
})
