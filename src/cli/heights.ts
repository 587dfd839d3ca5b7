import { InvalidArgumentError } from 'commander'
import { ConfigError } from '#kernel/errors.ts'

const HIGHEST = 0xffff_ffff

/** A height as the command line gives it. */
export function height(text: string): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= HIGHEST)) throw new InvalidArgumentError(`a height is a whole number from 0 to ${HIGHEST}.`)
  return value
}

/** Throws a wrong call where a stretch ends before it begins: "nothing to do" would read like "done". */
export function checkStretch({ from, to }: { from?: number; to?: number }): void {
  if (from !== undefined && to !== undefined && from > to)
    throw new ConfigError('cli.stretch', `--from ${from} is above --to ${to}.`)
}

/** An address of a node as the command line gives it. */
export function httpAddress(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new InvalidArgumentError('an address begins with http:// or https://.')
}
