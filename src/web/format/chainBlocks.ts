import type { ChainAsOf } from '#http/contract.ts'
import { timeText } from './day.ts'
import { grouped } from './figure.ts'

/** More chains than these are counted. */
const NAMED = 3

/** `Bitcoin block 958,921, Stacks block 123,456`: the newest indexed blocks behind an answer; empty if it reads no chain. */
export function chainBlocks(asOf: readonly ChainAsOf[]): string {
  const shown = asOf.length > NAMED ? asOf.slice(0, NAMED - 1) : asOf
  const rest = asOf.length - shown.length
  return [...shown.map(blockText), ...(rest === 0 ? [] : [`${rest} more chains`])].join(', ')
}

/** All of them, a chain a line, with the times. */
export const chainBlocksList = (asOf: readonly ChainAsOf[]): string =>
  asOf.map(each => `${blockText(each)} (${timeText(each.time)})`).join('\n')

const blockText = ({ chain, height }: ChainAsOf): string =>
  `${chain.charAt(0).toUpperCase()}${chain.slice(1)} block ${height === null ? 'unknown' : grouped(String(height))}`
